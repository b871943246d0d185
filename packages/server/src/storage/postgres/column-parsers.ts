import type { TypeParsers } from 'pg';

const oids = { bool: 16, bytea: 17, int8: 20, int2: 21, int4: 23 } as const;

/** Parses columns to the types of the queries, which are those that SQLite returns for the same query. */
export const columnParsers: TypeParsers = {
  getTypeParser(oid) {
    switch (oid) {
      case oids.int8:
      case oids.int4:
      case oids.int2:
        return parseInteger;
      case oids.bytea:
        return parseBytes;
      case oids.bool:
        return (text) => (text === 't' ? 1 : 0);
      default:
        return (text) => text;
    }
  },
};

/** @throws RangeError beyond 2^53: such a number would silently change. */
function parseInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`the database holds ${text}, which no counter here may reach`);
  return value;
}

/** Returns a buffer of its own, so that the bytes can be transferred to another thread. */
function parseBytes(text: string): Uint8Array {
  if (!text.startsWith('\\x')) throw new RangeError('the database sent bytes in another form than hex');
  const bytes = Buffer.allocUnsafeSlow((text.length - 2) / 2);
  bytes.write(text.slice(2), 'hex');
  return new Uint8Array(bytes.buffer);
}
