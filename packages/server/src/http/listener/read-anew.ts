import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { MetadataStore } from '../../service/ports/metadata-store.ts';
import { hasBody } from '../request/headers.ts';

/** While a request's body is under way, nobody knows which poll its connection will be in. */
type LastPoll = number | 'unknown';

/**
 * Sees to it that no request is answered from what was read before its first byte arrived, with as few new snapshots as
 * that takes. Those that one poll of the sockets found had all begun before it returned, so the first of them begins a
 * snapshot and the others may share it. Not so a request behind another one on the same connection: the poll found the
 * connection for the sake of the earlier one.
 * @returns what is called with each request as soon as its headers are there, whichever server of the thread has it.
 */
export function readAnewForRequests(
  store: Pick<MetadataStore, 'readAnew'>,
): (request: IncomingMessage) => void {
  const lastPolls = new WeakMap<Socket, LastPoll>();
  let begun = -1;
  return (request) => {
    const { socket } = request;
    const poll = currentPoll();
    const last = lastPolls.get(socket);
    if (poll !== begun || last === poll || last === 'unknown') store.readAnew();
    begun = poll;
    if (!hasBody(request)) {
      lastPolls.set(socket, poll);
      return;
    }
    lastPolls.set(socket, 'unknown');
    request.once('end', () => lastPolls.set(socket, currentPoll()));
  };
}

/** The same number for all that one poll of the sockets found, and for nothing that a later one did. */
function currentPoll(): number {
  return performance.nodeTiming.uvMetricsInfo.events;
}
