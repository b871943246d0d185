import { type CreatedKey, routes } from '@stoa/contract';
import { createKey } from '../../../service/keys/create-key.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';
import { narrownessOf } from './narrowness.ts';

export const createKeyOperation = operation(routes.createKey, async ({ deps, caller, body }) => {
  const created = await createKey(deps.service, caller, body);
  const { id, secret, name, principal, workspaceId } = created;
  const response: CreatedKey = {
    id,
    key: secret,
    name,
    actorType: principal,
    ...(workspaceId === null ? {} : { workspaceId }),
    ...narrownessOf(created),
  };
  return json(200, response);
});
