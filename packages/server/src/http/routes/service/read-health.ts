import { setTimeout as pause } from 'node:timers/promises';
import { routes } from '@stoa/contract';
import { WorkspaceError } from '@stoa/core';
import { json } from '../../answers/answer.ts';
import { operation } from '../../operation.ts';

/** Other requests sit out a short absence of the database. A load balancer wants to know now. */
const timeoutMs = 2_000;

/** Load balancers use this: a node that stops, or that cannot ask its database, says 503. */
export const readHealthOperation = operation(routes.readHealth, async ({ deps }) => {
  if (deps.isDraining()) throw new WorkspaceError('shutting_down');
  const { store, clock } = deps.service;
  // No workspace has this id: what counts is that there was an answer.
  const asked = store.reader.workspaces.find('').then(() => 'answered');
  const waiting = new AbortController();
  const silence = pause(timeoutMs, 'silent', { signal: waiting.signal }).catch(() => 'silent');
  const found = await Promise.race([asked, silence]).finally(() => waiting.abort());
  if (found === 'silent') {
    // It is answered later, or fails: nobody waits for it any more.
    asked.catch(() => undefined);
    throw new WorkspaceError('overloaded', {}, 'The database does not answer: try again in a moment');
  }
  return json(200, { status: 'ok', timestamp: new Date(clock()).toISOString() });
});
