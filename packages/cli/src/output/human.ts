/** A date and time in local time: `2026-11-20 14:30:12`. */
export function shownTime(time: string | number | Date): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return 'unknown';
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** `1 file`, `3 files`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A duration in the largest unit that fits: `2 s`, `5 min`, `3 h`, `4 days`. */
export function shownDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return counted(Math.floor(seconds / 86_400), 'day');
}

/** Formats rows as a table. All columns but the last are padded to their widest cell. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [location, cell] of row.entries())
      widths[location] = Math.max(widths[location] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, location) => (location === row.length - 1 ? cell : cell.padEnd(widths[location] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
