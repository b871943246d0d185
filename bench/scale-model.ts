// docs/decisions/0017-several-nodes.md
import { readFile, writeFile } from 'node:fs/promises';
import { formatComputed, formatMeasured } from './scale/format-scale.ts';
import type { MeasuredCosts } from './scale/measured-costs.ts';

/**
 * `npx -c 'node bench/scale-model.ts'` prints the tables of docs/scale.md from `bench/scale/measured-costs.json`, which
 * `bench/scale/measure-costs.ts` writes. `--write` updates the page.
 */
const page = new URL('../docs/scale.md', import.meta.url);
const costs: MeasuredCosts = JSON.parse(
  await readFile(new URL('./scale/measured-costs.json', import.meta.url), 'utf8'),
);
const tables = { measured: formatMeasured(costs), computed: formatComputed(costs) };
console.log(`${tables.measured}\n\n${tables.computed}`);

if (process.argv.includes('--write')) {
  let text = await readFile(page, 'utf8');
  for (const [name, table] of Object.entries(tables)) {
    const [from, to] = [`<!-- ${name} -->\n`, `\n<!-- end of ${name} -->`];
    const [start, end] = [text.indexOf(from), text.indexOf(to)];
    if (start < 0 || end < start) throw new Error(`docs/scale.md has no markers for the ${name} table`);
    text = text.slice(0, start + from.length) + table + text.slice(end);
  }
  await writeFile(page, text);
}
