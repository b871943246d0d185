import { defineRoute } from '../route.ts';
import { createdKey, createKeyBody, keyList, revokedKey } from '../schemas/key.ts';

export const createKey = defineRoute({
  id: 'createKey',
  method: 'POST',
  path: '/api/keys',
  access: 'keys',
  tag: 'Keys',
  summary: 'Make an API key',
  description: 'Every change with the key is recorded under its name, as made by an agent or a human.',
  body: createKeyBody,
  responses: { 200: { description: 'The key. Its secret is shown only here.', body: createdKey } },
  errors: ['workspace_not_found', 'not_a_member', 'too_many_keys', 'invalid_path'],
});

export const listKeys = defineRoute({
  id: 'listKeys',
  method: 'GET',
  path: '/api/keys',
  access: 'keys',
  tag: 'Keys',
  summary: 'List your API keys',
  responses: { 200: { description: 'Without their secrets.', body: keyList } },
});

export const revokeKey = defineRoute({
  id: 'revokeKey',
  method: 'DELETE',
  path: '/api/keys/{keyId}',
  params: { keyId: "The key's id, not its secret." },
  access: 'keys',
  tag: 'Keys',
  summary: 'Revoke an API key',
  responses: { 200: { description: 'Revoked: its next request is rejected.', body: revokedKey } },
  errors: ['key_not_found'],
});
