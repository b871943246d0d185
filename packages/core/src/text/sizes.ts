const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/**
 * Formats a size for people: `812 B`, `1.4 MB`. Uses powers of 1000, like the limits of plans.
 *
 * @param isFixed keeps a decimal of 0, so that the width of a changing size does not jump.
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

/** Created with the first number: most programs that load this file format none. */
let numbers: Intl.NumberFormat | undefined;

/** `1,000`. */
export function numberText(value: number): string {
  numbers ??= new Intl.NumberFormat('en');
  return numbers.format(value);
}
