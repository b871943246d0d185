import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { MetadataStore } from '../../service/ports/metadata-store.ts';
import { hasBody } from '../request/headers.ts';

/** While a request's body arrives, the poll of its connection is unknown. */
type LastPoll = number | 'unknown';

/**
 * Ensures that no request reads a snapshot that is older than its first byte, with as few snapshots as possible. All
 * requests that one poll of the sockets found began before the poll returned, so the first of them begins a snapshot
 * and the others share it. A request behind another one on the same connection cannot share it, because the poll
 * found the connection for the earlier request.
 * @returns a function to call with each request as soon as its headers are there, for all servers of the app
 */
export function refreshForRequests(
  store: Pick<MetadataStore, 'refreshReads'>,
): (request: IncomingMessage) => void {
  const lastPolls = new WeakMap<Socket, LastPoll>();
  let begun = -1;
  return (request) => {
    const { socket } = request;
    const poll = currentPoll();
    const last = lastPolls.get(socket);
    if (poll !== begun || last === poll || last === 'unknown') store.refreshReads();
    begun = poll;
    if (!hasBody(request)) {
      lastPolls.set(socket, poll);
      return;
    }
    lastPolls.set(socket, 'unknown');
    request.once('end', () => lastPolls.set(socket, currentPoll()));
  };
}

/** The number of the current poll of the sockets; it differs for each poll. */
function currentPoll(): number {
  return performance.nodeTiming.uvMetricsInfo.events;
}
