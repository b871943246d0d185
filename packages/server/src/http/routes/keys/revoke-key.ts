import { routes } from '@stoa/contract';
import { revokeKey } from '../../../service/keys/revoke-key.ts';
import { json } from '../../answers/answer.ts';
import { operation } from '../../operation.ts';

export const revokeKeyOperation = operation(routes.revokeKey, async ({ deps, caller, params }) => {
  await revokeKey(deps.service, caller, params.keyId);
  return json(200, { ok: true });
});
