/** Writes the anchoring score into docs/anchoring.md, between its two marks. A test holds the page to the same score. */
import { readFile, writeFile } from 'node:fs/promises';
import { scoreTable } from '../packages/core/test/anchoring/score.ts';

const page = new URL('../docs/anchoring.md', import.meta.url);
const text = await readFile(page, 'utf8');
await writeFile(
  page,
  text.replace(/(<!-- score -->\n)[\s\S]*?(\n<!-- end -->)/, (_, from, to) => `${from}${scoreTable()}${to}`),
);
console.log(scoreTable());
