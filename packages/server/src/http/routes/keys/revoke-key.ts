import { routes } from '@stoa/contract';
import { revokeKey } from '../../../service/keys/revoke-key.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const revokeKeyOperation = operation(routes.revokeKey, async ({ deps, caller, params }) => {
  await revokeKey(deps.service, caller, params.keyId);
  return json(200, { ok: true });
});
