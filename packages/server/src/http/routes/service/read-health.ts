import { setTimeout as pause } from 'node:timers/promises';
import { routes } from '@stoa/contract';
import { WorkspaceError } from '@stoa/core';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

/** Other requests wait through a short outage of the database, but a load balancer needs a quick result. */
const timeoutMs = 2_000;

/** Load balancers use this: a node that stops, or cannot reach its database, returns 503. */
export const readHealthOperation = operation(routes.readHealth, async ({ deps }) => {
  if (deps.isDraining()) throw new WorkspaceError('shutting_down');
  const { store, clock } = deps.service;
  // No workspace has this id. Any response shows that the database works.
  const asked = store.reader.workspaces.find('').then(() => 'answered');
  const waiting = new AbortController();
  const silence = pause(timeoutMs, 'silent', { signal: waiting.signal }).catch(() => 'silent');
  const found = await Promise.race([asked, silence]).finally(() => waiting.abort());
  if (found === 'silent') {
    // It completes or fails later, when its result no longer matters.
    asked.catch(() => undefined);
    throw new WorkspaceError('overloaded', {}, 'The database does not respond: try again in a moment');
  }
  return json(200, { status: 'ok', timestamp: new Date(clock()).toISOString() });
});
