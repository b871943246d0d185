import assert from 'node:assert/strict';

/** An object read from JSON. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** A response of the service. Header names are lower case; values of a repeated header are in order. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly bytes: Buffer;
}

export function headerOf(response: HttpResponse, name: string): string | null {
  return response.headers.get(name)?.join(', ') ?? null;
}

/** The body as an object, when its type is JSON. */
export function jsonOf(response: HttpResponse): JsonRecord {
  const text = response.bytes.toString('utf8');
  assert.match(
    headerOf(response, 'content-type') ?? '',
    /^application\/json\b/,
    `not JSON: ${response.status} ${text}`,
  );
  return recordOf(JSON.parse(text));
}

export function recordOf(value: unknown): JsonRecord {
  assert.ok(isRecord(value), `not an object: ${JSON.stringify(value)}`);
  return value;
}

export function textAt(record: JsonRecord, name: string): string {
  const value = record[name];
  assert.ok(typeof value === 'string', `${name} is not a text: ${JSON.stringify(record)}`);
  return value;
}

export function integerAt(record: JsonRecord, name: string): number {
  const value = record[name];
  assert.ok(
    typeof value === 'number' && Number.isInteger(value),
    `${name} is not an integer: ${JSON.stringify(record)}`,
  );
  return value;
}

export function recordsAt(record: JsonRecord, name: string): readonly JsonRecord[] {
  const value = record[name];
  assert.ok(Array.isArray(value), `${name} is not a list: ${JSON.stringify(record)}`);
  return value.map(recordOf);
}

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
