import type { Row, Target } from '../bench-case.ts';
import type { Ratio } from '../measure/ratio.ts';

const heading = ['Figure', 'Against', 'Ratio', 'Range', 'Target', 'Met'];

/** Formats the rows as a Markdown table with aligned columns. */
export function formatTable(rows: readonly Row[]): string {
  const lines = [heading, ...rows.map(cellsOf)];
  const widths = heading.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const format = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = lines;
  return [format(head), format(widths.map((width) => '-'.repeat(width))), ...body.map(format)].join('\n');
}

function cellsOf({ figure, against, result, target }: Row): readonly string[] {
  const wanted = target === null ? '' : `${target.bound === 'at_least' ? '≥' : '≤'} ${target.ratio}`;
  switch (result.kind) {
    case 'ratio': {
      const { median, least, most } = result.ratio;
      const met = target === null ? '' : isMet(result.ratio, target) ? 'yes' : 'NO';
      return [figure, against, roundRatio(median), `${roundRatio(least)}–${roundRatio(most)}`, wanted, met];
    }
    case 'not_measured':
      return [figure, against, result.reason, '', wanted, 'not measured'];
  }
}

export function isMet({ median }: Ratio, target: Target): boolean {
  return target.bound === 'at_least' ? median >= target.ratio : median <= target.ratio;
}

export function roundRatio(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
