import { due } from './requirement.ts';

export const errors = due('errors', {
  'errors.body': 'An error is JSON with statusCode, statusMessage and the same text as message.',
  'errors.flat': 'Bodies of conflicts and limits are flat, with nothing added.',
  'errors.unknown-route': 'An unknown address below the API is 404 in the same form.',
  'errors.method': 'A method that an address does not have is 405 and names the ones that it has.',
  'errors.malformed-json': 'A body that is not JSON is 400.',
  'errors.wrong-media-type': 'A JSON route rejects another content type.',
  'errors.no-leaks': 'An error for a missing item reveals nothing about what exists.',
});

export const limits = due('limits', {
  'limits.file.too-large': 'A body over the limit is 413 with file_too_large and the limit.',
  'limits.file.declared': 'A declared size over the limit is rejected without waiting for the bytes.',
  'limits.file.counted': 'An undeclared body over the limit is rejected as soon as it is counted.',
  'limits.file.nothing-stored': 'Nothing of a rejected body is stored.',
  'limits.file.exact': 'A body of exactly the limit is accepted.',
  'limits.file.plan': "The plan's limit for a file holds below the server's ceiling, and never above it.",
  'limits.quota.storage': 'A write beyond the storage is 507 with the used and allowed bytes.',
  'limits.quota.files': 'A write beyond the number of files is 507 with the used and allowed files.',
  'limits.quota.both': 'When both are exceeded the bytes are named.',
  'limits.quota.net': 'The net result is checked: a replacement of the same size fits a full workspace.',
  'limits.quota.shrink': 'A delete makes room at once.',
  'limits.quota.history-free': 'Earlier versions do not count.',
  'limits.quota.restore': 'A restore that would not fit is 507.',
  'limits.quota.nothing-stored': 'Nothing of a write over the quota is stored or recorded.',
  'limits.history':
    "A change that keeps more bytes of earlier versions than the plan's historyBytes is 507; moves add none.",
  'limits.history-delete':
    'A delete always works; while it has taken history over its limit, nothing new is stored.',
  'limits.order':
    'A lapsed workspace is named before a file that is too large, and that before other errors.',
});
