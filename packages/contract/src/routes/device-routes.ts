import { defineRoute } from '../route.ts';
import {
  approveDeviceBody,
  approvedDevice,
  deniedDevice,
  deviceCode,
  devicePoll,
  devicePollQuery,
  deviceRequest,
  userCodeBody,
} from '../schemas/device.ts';

export const createDeviceCode = defineRoute({
  id: 'createDeviceCode',
  method: 'POST',
  path: '/api/device/code',
  access: 'none',
  tag: 'Device flow',
  summary: 'Request a key without having one',
  description:
    'Show the user `verification_uri_complete` and `user_code`, then poll. Limit: five in ten minutes per address.',
  responses: { 200: { description: 'The codes.', body: deviceCode } },
  errors: ['rate_limited', 'overloaded', 'shutting_down'],
});

export const pollDevice = defineRoute({
  id: 'pollDevice',
  method: 'GET',
  path: '/api/device/poll',
  access: 'none',
  tag: 'Device flow',
  summary: 'Ask whether the user has approved',
  description: 'No sooner than `interval` seconds after the previous poll, whatever its result.',
  query: devicePollQuery,
  responses: {
    200: { description: 'Not approved yet, or the key: it is delivered once.', body: devicePoll },
  },
  errors: [
    'device_code_required',
    'invalid_grant',
    'already_consumed',
    'expired_token',
    'access_denied',
    'slow_down',
    'storage_full',
    'overloaded',
    'shutting_down',
  ],
});

export const lookUpDevice = defineRoute({
  id: 'lookUpDevice',
  method: 'POST',
  path: '/api/device/lookup',
  access: 'session',
  tag: 'Device flow',
  summary: 'Show the request behind a code',
  description: 'The code then belongs to you and is unknown to other users.',
  body: userCodeBody,
  responses: { 200: { description: 'Who asks.', body: deviceRequest } },
  errors: ['rate_limited', 'invalid_grant', 'already_consumed', 'expired_token', 'access_denied'],
});

export const approveDevice = defineRoute({
  id: 'approveDevice',
  method: 'POST',
  path: '/api/device/approve',
  access: 'session',
  tag: 'Device flow',
  summary: 'Give the device a key of one workspace',
  description: 'Limit: ten attempts in fifteen minutes per user.',
  body: approveDeviceBody,
  responses: { 200: { description: 'Approved: the next poll delivers the key.', body: approvedDevice } },
  errors: [
    'rate_limited',
    'workspace_not_found',
    'not_a_member',
    'invalid_grant',
    'already_consumed',
    'expired_token',
    'access_denied',
    'device_code_approved',
    'too_many_keys',
    'invalid_path',
  ],
});

export const denyDevice = defineRoute({
  id: 'denyDevice',
  method: 'POST',
  path: '/api/device/deny',
  access: 'session',
  tag: 'Device flow',
  summary: 'Deny the request of a device',
  description: 'Also possible after an approval, until the device has fetched the key.',
  body: userCodeBody,
  responses: { 200: { description: 'Denied.', body: deniedDevice } },
  errors: ['rate_limited', 'invalid_grant', 'already_consumed', 'expired_token'],
});
