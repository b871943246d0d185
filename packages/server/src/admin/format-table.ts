import { shownText } from '@stoa/core';

/** Formats rows below their headings in aligned columns. A cell is one line, whatever its text contains. */
export function formatTable(headings: readonly string[], given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map(shownText));
  const widths = headings.map((heading, column) =>
    rows.reduce((width, row) => Math.max(width, (row[column] ?? '').length), heading.length),
  );
  return [headings, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
