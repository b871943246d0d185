import { due } from './requirement.ts';

/** The transport of messages, for every tool. */
export const mcpTransport = due('mcp', {
  'mcp.transport.endpoint': 'The server takes JSON-RPC messages by POST at /api/mcp and is named "service".',
  'mcp.transport.methods': 'Every other method is 405 and names POST in Allow.',
  'mcp.transport.no-session': 'The server issues no session id, and ignores one that is sent.',
  'mcp.transport.json': 'Responses are JSON, never a stream, whatever Accept says and even without it.',
  'mcp.transport.notifications': 'A notification, or a response, is 202 without a body.',
  'mcp.transport.batches':
    'A client of 2025-03-26 may send several messages at once; one of 2026-07-28 may not.',
  'mcp.transport.batch-size': 'More than 100 messages at once are rejected.',
  'mcp.transport.content-type': 'A body that does not say that it is JSON is 415.',
  'mcp.transport.malformed':
    'A body that is not JSON, or not JSON-RPC, is 400 with the error code of JSON-RPC.',
  'mcp.transport.unknown-method': 'A method that is not served is an error of the protocol.',
  'mcp.transport.body-limit': 'A body over the limit is 413, declared or not, and nothing is written.',
  'mcp.transport.nesting':
    'A large message with too much nesting, or too many values, is rejected like any malformed one.',
  'mcp.transport.largest-file': 'A file of exactly the per-file limit can be written in base64.',
  'mcp.transport.over-limit': 'One byte more is a hard error that names the limit.',
});

/** Credentials and origins that may call. */
export const mcpCredentials = due('mcp', {
  'mcp.credential.missing': 'Without a key the response is 401, with the body of REST.',
  'mcp.credential.rejected':
    'An unknown, revoked, expired or disabled key is 401 with invalid_api_key and the reason, as in REST.',
  'mcp.credential.bearer': 'A key sent as Bearer is ignored.',
  'mcp.credential.cookie': 'A session cookie is ignored.',
  'mcp.credential.no-oauth': 'OAuth is not offered: the addresses where clients look for it are 404.',
  'mcp.origin.foreign': 'A foreign Origin is 403, even with a key.',
  'mcp.origin.own': 'The own Origin, and none at all, are fine.',
  'mcp.host.foreign': 'A Host that is not a name of the service is 403.',
  'mcp.host.own': 'The own name, a loopback name and an address in digits are fine.',
});

/** Revisions of the protocol. */
export const mcpRevisions = due('mcp', {
  'mcp.revisions.initialize': 'A client that opens with initialize gets the revision it asks for.',
  'mcp.revisions.initialize-other':
    'Asked for a revision that initialize cannot open, the server offers its newest.',
  'mcp.revisions.unsupported': 'A message of a revision that is not served is 400 and names those that are.',
  'mcp.revisions.discover': 'server/discover returns revisions, capabilities, instructions and the server.',
  'mcp.revisions.stateless': 'A message of 2026-07-28 needs nothing before it.',
  'mcp.revisions.list-cache':
    'The tool list says how long it may be kept, and that it is private to the key.',
  'mcp.revisions.headers': 'Headers that contradict the message, or are missing, are 400.',
  'mcp.revisions.no-subscriptions': 'subscriptions/listen is rejected and opens no stream.',
});

/** Other people's programs. */
export const mcpInterop = due('mcp', {
  'mcp.interop.conformance-2025-11-25':
    "The protocol's own suite passes for 2025-11-25, but for features that the interface does not have.",
  'mcp.interop.conformance-2026-07-28':
    "The protocol's own suite passes for 2026-07-28, but for features that the interface does not have.",
  'mcp.interop.inspector': 'The Inspector finds no fault in the tool list, and calls tools.',
  'mcp.interop.sdk-v1': 'A client made with version 1 of the SDK works.',
  'mcp.interop.sdk-v2':
    'A client made with version 2 of the SDK works in its legacy, modern and automatic modes.',
  'mcp.interop.stdio-bridge': 'A client that speaks stdio alone works through mcp-remote.',
  'mcp.concurrency.own-answers': 'Clients that choose the same request ids each get their own responses.',
  'mcp.concurrency.cancelled': 'A client that cancels or hangs up early disturbs no other client.',
});
