import assert from 'node:assert/strict';

/**
 * Reads the first table below a heading.
 * @returns the cells of each row, without the header and the rule.
 */
export function tableBelow(markdown: string, heading: string): readonly (readonly string[])[] {
  const [, section] = `\n${markdown}`.split(`\n${heading}\n`);
  assert.ok(section, `the page has no heading "${heading}"`);
  const table = /(?:^\|.*\n)+/m.exec(section)?.[0];
  assert.ok(table, `there is no table below "${heading}"`);
  const [, , ...rows] = table.trimEnd().split('\n');
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}
