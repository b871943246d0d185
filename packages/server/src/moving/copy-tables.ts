import { setImmediate as nextTick } from 'node:timers/promises';
import type { FilledMark } from '../start/move-marks.ts';
import { type HeldDatabase, quoted } from '../storage/held-database.ts';
import type { TransferredTable } from './copied-tables.ts';
import { type Cells, countRows, keyLocations, readRows } from './read-rows.ts';

/** Converts rows of the source to rows of the target, where they differ. */
export type Transfer = (table: TransferredTable, rows: readonly Cells[]) => AsyncIterable<readonly Cells[]>;

/**
 * Copies tables from the point at which an earlier run was interrupted. Progress is recorded in the transaction that
 * adds the rows, so that no row is added twice or skipped.
 */
export async function copyTables(
  ends: { readonly source: HeldDatabase; readonly target: HeldDatabase },
  tables: readonly TransferredTable[],
  from: FilledMark['reached'],
  transfer: Transfer,
  note: (reached: NonNullable<FilledMark['reached']>) => Promise<void>,
  progress: (step: string) => void,
): Promise<void> {
  const { source, target } = ends;
  const first = from === null ? 0 : tables.findIndex(({ name }) => name === from.table);
  for (const table of tables.slice(first)) {
    const { name } = table;
    const locations = keyLocations(table, table.key.source);
    const after = from?.table === name ? from.after : null;
    const total = await countRows(source, name);
    let copied = await countRows(target, name);
    for await (const page of readRows(source, 'source', table, after)) {
      for await (const rows of transfer(table, page)) {
        const last = rows.at(-1);
        if (last === undefined) continue;
        await target.inTransaction(async () => {
          await addRows(target, table, rows);
          await note({ table: name, after: locations.map((location) => keyPart(last[location])) });
        });
        copied += rows.length;
        progress(`${name}: ${copied} of ${total} rows`);
      }
      // A file's database responds without waiting, so give signals and timers a chance to run.
      await nextTick();
    }
  }
}

async function addRows(
  target: HeldDatabase,
  { name, columns }: TransferredTable,
  rows: readonly Cells[],
): Promise<void> {
  const names = columns.map((column) => quoted(column.name)).join(', ');
  const one = `(${columns.map(() => '?').join(', ')})`;
  const atOnce = target.rowsAtOnce(columns.length);
  for (let at = 0; at < rows.length; at += atOnce) {
    const some = rows.slice(at, at + atOnce);
    const sql = `insert into ${quoted(name)} (${names}) values ${some.map(() => one).join(', ')}`;
    await target.change(sql, some.flat());
  }
}

function keyPart(cell: Cells[number] | undefined): string | number {
  if (typeof cell === 'string' || typeof cell === 'number') return cell;
  throw new Error('a key is a text or a number');
}
