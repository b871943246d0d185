const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/**
 * A size as people read it: `812 B`, `1.4 MB`. Powers of 1000, as the limits of plans are told.
 *
 * @param isFixed with its decimal where that is 0, too: what changes while somebody looks at it keeps its width.
 */
export function sizeText(bytes: number, { isFixed = false }: { readonly isFixed?: boolean } = {}): string {
  let value = bytes;
  let unit = 0;
  // 999.95 would be shown as 1000.0.
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const isWhole = unit === 0 || value >= 99.95;
  const shown = isWhole ? Math.round(value) : Math.round(value * 10) / 10;
  return `${isFixed && !isWhole ? shown.toFixed(1) : numberText(shown)} ${units[unit]}`;
}

/** Made when the first number is written: most programs that load this file write none. */
let numbers: Intl.NumberFormat | undefined;

/** `1,000`. */
export function numberText(value: number): string {
  numbers ??= new Intl.NumberFormat('en');
  return numbers.format(value);
}
