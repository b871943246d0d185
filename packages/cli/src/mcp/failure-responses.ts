import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/client';
import { shownText } from '../output/shown-text.ts';
import { NotSentError, RejectedError } from './post-messages.ts';

const internalError = -32603;
const versionField = 'io.modelcontextprotocol/protocolVersion';

/** The response to a client if the server's own is not available. A tool's failure is text that a model can act on. */
export function failureResponse(request: JSONRPCRequest, error: unknown, host: string): JSONRPCMessage {
  const { id, method } = request;
  const text = messageOf(request, error, host);
  if (method !== 'tools/call') return { jsonrpc: '2.0', id, error: { code: internalError, message: text } };
  const result = { content: [{ type: 'text', text }], isError: true };
  return { jsonrpc: '2.0', id, result: isModern(request) ? { ...result, resultType: 'complete' } : result };
}

/** The protocol's error response to this request, if the server rejected it with one. */
export function respondWithin(request: JSONRPCRequest, error: unknown): JSONRPCMessage | null {
  if (!(error instanceof RejectedError) || error.status !== 400) return null;
  const body = objectOf(error.text);
  const fault = body.error;
  if (body.jsonrpc !== '2.0' || body.id !== request.id || typeof fault !== 'object' || fault === null)
    return null;
  if (!('code' in fault && 'message' in fault)) return null;
  const { code, message } = fault;
  if (typeof code !== 'number' || typeof message !== 'string') return null;
  return { jsonrpc: '2.0', id: request.id, error: { ...fault, code, message } };
}

/** A log line about a failure, without any content of the user. */
export function describeFailure({ method }: JSONRPCRequest, error: unknown): string {
  if (error instanceof RejectedError)
    return `${shownText(method)}: the server responded with ${error.status}`;
  const reason = error instanceof Error ? error.message : String(error);
  return `${shownText(method)}: ${error instanceof NotSentError ? 'not sent' : 'no answer'} (${shownText(reason)})`;
}

function messageOf(request: JSONRPCRequest, error: unknown, host: string): string {
  if (error instanceof NotSentError) {
    return `Stoa at ${host} cannot be reached. Nothing was changed; try again later.`;
  }
  if (!(error instanceof RejectedError)) {
    return request.method === 'tools/call'
      ? `Stoa at ${host} did not respond. If this was a write, it may have happened: read the file before you try again.`
      : `Stoa at ${host} did not respond; try again later.`;
  }
  const { status } = error;
  const said = saidBy(error);
  if (status === 401 || status === 403) {
    return `Stoa at ${host} rejected the key: ${said}. The person must run \`stoa link\` again.`;
  }
  if (status === 503) return `Stoa at ${host} is too busy: ${said}. Nothing was changed; try again later.`;
  return `Stoa at ${host} rejected this with status ${status}: ${said}`;
}

/** The server's message with its reason, if it gives one. */
function saidBy({ status, text }: RejectedError): string {
  const body = objectOf(text);
  const data = typeof body.data === 'object' && body.data !== null ? body.data : {};
  const message = [body.message, body.statusMessage, body.error].find((one) => typeof one === 'string');
  const reason = 'reason' in data && typeof data.reason === 'string' ? ` (${data.reason})` : '';
  return `${typeof message === 'string' ? message : `status ${status}`}${reason}`;
}

function isModern({ params }: JSONRPCRequest): boolean {
  return params?._meta !== undefined && versionField in params._meta;
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
