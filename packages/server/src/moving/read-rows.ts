import { createHash, hash } from 'node:crypto';
import { utf8Text } from '@stoa/core';
import { type HeldDatabase, quoted } from '../storage/held-database.ts';
import type { SqlValue } from '../storage/queries/executor.ts';
import { isStorable } from '../storage/queries/query.ts';
import type { TransferredTable } from './copied-tables.ts';
import { RejectedMove } from './rejected-move.ts';

/** A row's values in the order of its table's columns. */
export type Cells = readonly SqlValue[];
export type Side = 'source' | 'target';

/** Limits of a page: in bytes, estimated from earlier rows, and in rows. */
const pageBytes = 8 * 1024 * 1024;
const pageRows = { first: 100, min: 20, max: 500 };

/**
 * Reads a table's rows in pages of bounded size, in the order of its key.
 * @param after the key of the last known row
 * @throws RejectedMove for an invalid text
 */
export async function* readRows(
  database: HeldDatabase,
  side: Side,
  { name, columns, key }: TransferredTable,
  after: Cells | null = null,
): AsyncGenerator<readonly Cells[]> {
  const selected = columns.map((column, at) => {
    const of = `held.${quoted(column.name)}`;
    return `${column.type === 'text' ? database.selectText(of) : of} as c${at}`;
  });
  const order = key[side].map((column) => `held.${quoted(column)}`).join(', ');
  const marks = key[side].map(() => '?').join(', ');
  const locations = keyLocations({ columns }, key[side]);
  const from = `select ${selected.join(', ')} from ${quoted(name)} held`;
  let last = after;
  let limit = pageRows.first;
  for (;;) {
    const beyond = last === null ? '' : `where (${order}) > (${marks})`;
    const { rows } = await database.executor.once(
      `${from} ${beyond} order by ${order} limit ${limit}`,
      last ?? [],
    );
    if (rows.length === 0) return;
    let bytes = 0;
    const page = rows.map((row) =>
      columns.map((column, at) => {
        const cell = cellOf(row[`c${at}`], () => `${name}.${column.name}`, column.type === 'text');
        bytes += typeof cell === 'string' ? cell.length : cell instanceof Uint8Array ? cell.byteLength : 8;
        return cell;
      }),
    );
    yield page;
    const end = page.at(-1) ?? [];
    last = locations.map((location) => end[location] ?? null);
    limit = Math.max(pageRows.min, Math.min(pageRows.max, Math.round(pageBytes / (bytes / page.length))));
  }
}

/** Returns the positions of the key's columns in a row. */
export function keyLocations(
  { columns }: Pick<TransferredTable, 'columns'>,
  key: readonly string[],
): readonly number[] {
  return key.map((part) => columns.findIndex(({ name }) => name === part));
}

/** Normalises values, so that the two databases can be compared. Integers and bytes are equal already. */
function cellOf(value: unknown, where: () => string, isText: boolean): SqlValue {
  if (value === null || typeof value === 'number') return value;
  if (value instanceof Uint8Array && !isText) return value;
  const text = typeof value === 'string' ? value : value instanceof Uint8Array ? utf8Text(value) : null;
  if (text === null || !isStorable(text)) {
    throw new RejectedMove(
      `The column ${where()} holds a text with a NUL or invalid characters, which no release writes and PostgreSQL cannot store. Correct it in the source and run the command again.`,
    );
  }
  return text;
}

/** For reports of progress. */
export async function countRows({ executor }: HeldDatabase, table: string): Promise<number> {
  const [counted] = await executor.all(`select count(*) as total from ${quoted(table)}`, []);
  return Number(counted?.total);
}

/** A digest of a table's rows, regardless of their order. */
export interface TableDigest {
  readonly rows: number;
  /** The sum of 128 bits of each row's SHA-256, in hex. */
  readonly digest: string;
}

/** Returns the part of a row that is compared: all of it, except for values that differ by design. */
export type Compared = (row: Cells) => Cells;

const digestBits = 128;

export async function digestOf(
  database: HeldDatabase,
  side: Side,
  table: TransferredTable,
  compared: Compared,
  progress: (step: string) => void,
): Promise<TableDigest> {
  // Each side reads its columns in the order of the source.
  const total = await countRows(database, table.name);
  let rows = 0;
  let sum = 0n;
  for await (const page of readRows(database, side, table)) {
    for (const row of page) sum = BigInt.asUintN(digestBits, sum + rowNumber(compared(row)));
    rows += page.length;
    progress(`${rows} of ${total} rows`);
  }
  return { rows, digest: sum.toString(16).padStart(digestBits / 4, '0') };
}

/** Bytes are replaced by an object with their hash, which no text can equal, because texts are quoted. */
function rowNumber(row: Cells): bigint {
  const cells = row.map((cell) =>
    cell instanceof Uint8Array ? { bytes: createHash('sha256').update(cell).digest('hex') } : cell,
  );
  return BigInt(`0x${hash('sha256', JSON.stringify(cells)).slice(0, digestBits / 4)}`);
}
