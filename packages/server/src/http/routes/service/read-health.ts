import { routes } from '@stoa/contract';
import { json } from '../../answers/answer.ts';
import { operation } from '../../operation.ts';

/** A node that cannot ask its database is not up: who shares requests out among nodes goes by this. */
export const readHealthOperation = operation(routes.readHealth, async ({ deps }) => {
  // No workspace has this id: what counts is that there was an answer.
  await deps.service.store.reader.workspaces.find('');
  return json(200, { status: 'ok', timestamp: new Date(deps.service.clock()).toISOString() });
});
