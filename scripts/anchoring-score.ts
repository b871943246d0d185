/** Writes the anchoring score into docs/anchoring.md between its two markers, and prints it by kind of edit. */
import { readFile, writeFile } from 'node:fs/promises';
import { scoreTable, scoreTableByKind } from '../packages/core/test/anchoring/score.ts';

const page = new URL('../docs/anchoring.md', import.meta.url);
const text = await readFile(page, 'utf8');
await writeFile(
  page,
  text.replace(/(<!-- score -->\n)[\s\S]*?(\n<!-- end -->)/, (_, from, to) => `${from}${scoreTable()}${to}`),
);
console.log(scoreTableByKind());
