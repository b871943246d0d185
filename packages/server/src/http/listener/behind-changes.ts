// docs/decisions/0094-a-request-behind-a-change-waits-for-it.md
import { AsyncResource } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { onRequestHookHandler } from 'fastify';
import type { MetadataStore } from '../../service/ports/metadata-store.ts';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Holds a request that came behind a change on the same connection until that was answered: it sees what the change did,
 * and a key that was revoked by it gets through no more. What only reads is served side by side.
 */
export function servedBehindChanges(store: Pick<MetadataStore, 'readAnew'>): onRequestHookHandler {
  const lastChanges = new WeakMap<Socket, ServerResponse>();
  return ({ raw: request }, { raw: response }, done) => {
    const { socket, method = '' } = request;
    const change = lastChanges.get(socket);
    if (!safeMethods.has(method)) lastChanges.set(socket, response);
    if (change === undefined || change.closed) return done();
    // What goes on there is a part of this request, and not of the change.
    const goOn = AsyncResource.bind(() => {
      // It was read anew when it came, which was before the change.
      store.readAnew();
      done();
    });
    // As many wait as the client sent without waiting.
    change.setMaxListeners(0);
    change.once('close', goOn);
  };
}
