import { numberText } from '@stoa/core';

const rules = new Intl.PluralRules('en');

/** `1 file`, `2 files`. */
export function counted(count: number, one: string, other: string): string {
  return `${numberText(count)} ${pluralOf(count, one, other)}`;
}

export function pluralOf(count: number, one: string, other: string): string {
  return rules.select(count) === 'one' ? one : other;
}
