import { type HttpResponse, headerOf } from '../support/response.ts';

/** Fields that differ in any two requests. */
const ownToEach: ReadonlySet<string> = new Set([
  'id',
  'seq',
  'head',
  'nextSeq',
  'createdAt',
  'changedAt',
  'url',
  'memberUrl',
  'tookMs',
]);
const ownHeaders: ReadonlySet<string> = new Set(['date', 'x-request-id']);

/** A response without the parts that differ between two equivalent workspaces. */
export interface ComparableResponse {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: unknown;
}

/**
 * Prepares a response for a comparison, byte for byte where it is not JSON.
 * @param names texts that stand for the workspace itself, such as its id.
 */
export function comparableResponse(response: HttpResponse, names: readonly string[]): ComparableResponse {
  const isJson =
    response.bytes.length > 0 && headerOf(response, 'content-type')?.startsWith('application/json') === true;
  const text = names.reduce(
    (left, name) => left.replaceAll(name, '<name>'),
    bytesWithoutTimes(response).toString(isJson ? 'utf8' : 'latin1'),
  );
  const body: unknown = isJson ? withoutOwn(JSON.parse(text)) : text;
  // The length of the removed parts differs. Nothing is removed from an error.
  const skipLength = isJson && response.status < 400;
  const headers = [...response.headers]
    .filter(([name]) => !ownHeaders.has(name) && !(skipLength && name === 'content-length'))
    .map(([name, values]) => [name, values.join(', ')] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return { status: response.status, headers, body };
}

const zipHeaders = [
  { signature: Buffer.from('PK\x03\x04'), timeAt: 10 },
  { signature: Buffer.from('PK\x01\x02'), timeAt: 12 },
];

/** A zip has the time of each file twice: before its bytes and in the central directory. */
function bytesWithoutTimes(response: HttpResponse): Buffer {
  const bytes = Buffer.from(response.bytes);
  if (headerOf(response, 'content-type') !== 'application/zip') return bytes;
  for (const { signature, timeAt } of zipHeaders) {
    for (let at = bytes.indexOf(signature); at !== -1; at = bytes.indexOf(signature, at + 1)) {
      bytes.fill(0, at + timeAt, at + timeAt + 4);
    }
  }
  return bytes;
}

function withoutOwn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOwn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      ownToEach.has(name) && field !== null ? `<${name}>` : withoutOwn(field),
    ]),
  );
}
