import { routes } from '@stoa/contract';
import { WorkspaceError } from '@stoa/core';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const readMeOperation = operation(routes.readMe, async ({ deps, caller }) => {
  const user = await deps.service.store.reader.users.find(caller.actor.userId);
  // The user was removed after the credential was checked.
  if (user === null) throw new WorkspaceError('unauthorized');
  const { id, name, email, image } = user;
  return json(200, { user: { id, name, email, image: image ?? '' } });
});
