import { owed } from './requirement.ts';

export const device = owed('device', 'device', {
  'device.code': 'A device gets its codes without a credential.',
  'device.user-code': 'The code for people is two groups of four with a hyphen.',
  'device.lifetime': 'A code lives 600 seconds and is polled every 5.',
  'device.pending': 'A poll before approval says pending.',
  'device.approved': 'The first poll after approval delivers the key once.',
  'device.consumed': 'A later poll is 410 already_consumed.',
  'device.expired': 'An expired code is 410 expired_token.',
  'device.unknown': 'An unknown code is 404 invalid_grant.',
  'device.missing': 'A poll without a code is 400.',
  'device.slow-down': 'A poll too early is 429 slow_down.',
  'device.denied': 'A denied request is 403 access_denied.',
  'device.limit': 'Five codes in ten minutes per address.',
  'device.approval-limit': 'Ten approvals in fifteen minutes per person.',
  'device.key': 'The key is scoped, human by default, and works.',
});
