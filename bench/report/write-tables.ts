import { readFile, writeFile } from 'node:fs/promises';
import type { Row } from '../bench-case.ts';
import { isMet, roundRatio } from './format-table.ts';

const page = new URL('../../docs/performance.md', import.meta.url);
const tablePattern = /(<!-- bench: ([^>]*) -->\n)(.*?)(<!-- \/bench -->)/gs;
const heading = '| Figure | Against | Ratio | Target |\n| --- | --- | --- | --- |';

/** Updates the tables of docs/performance.md whose cases all ran. The comment above a table names its cases. */
export async function writeTables(rows: ReadonlyMap<string, readonly Row[]>): Promise<void> {
  const text = await readFile(page, 'utf8');
  await writeFile(page, withTables(text, rows));
}

/** Updates the rows that a table of the page lists. A table without any row of its cases gets all of their rows. */
export function withTables(text: string, rows: ReadonlyMap<string, readonly Row[]>): string {
  return text.replace(tablePattern, (table, start: string, cases: string, listed: string, end: string) => {
    const own = cases.split(' ').map((id) => rows.get(id));
    if (own.includes(undefined)) return table;
    const measured = own.flatMap((of) => of ?? []);
    const shown = measured.filter((row) => listed.includes(beginOf(row)));
    const lines = (shown.length > 0 ? shown : measured).map((row) => `${beginOf(row)}${endOf(row)}`);
    return `${start}${[heading, ...lines].join('\n')}\n${end}`;
  });
}

function beginOf({ figure, against }: Row): string {
  return `| ${figure} | ${against} |`;
}

function endOf({ result, target }: Row): string {
  const bound = target === null ? '' : `${target.bound === 'at_least' ? '≥' : '≤'} ${target.ratio}`;
  if (result.kind === 'not_measured') return ` ${result.reason} | ${bound} |`;
  const isMissed = target !== null && !isMet(result.ratio, target);
  return ` ${roundRatio(result.ratio.median)} | ${bound}${isMissed ? ', missed' : ''} |`;
}
