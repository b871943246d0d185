import type { VersionRecord } from '@stoa/contract';
import type { VersionRow } from './version-rows.ts';

type Named = Pick<VersionRecord, 'version' | 'contentHash'>;

/** How an address names a version: `7-1f2e3d4c5b6a`, its number and the first twelve digits of its content's hash. */
export function versionParameter({ version, contentHash }: Named): string {
  return `${version}-${contentHash.slice(0, 12)}`;
}

/**
 * The version that an address names, among those of the path, newest first. A bare number is one of the present stay;
 * with digits it may lie in an earlier one. Null when there is no such version.
 */
export function findVersion(rows: readonly VersionRow[], parameter: string): VersionRow | null {
  const [, number = '', digits] = /^(\d{1,15})(?:-([0-9a-f]{1,64}))?$/.exec(parameter) ?? [];
  const version = Number(number);
  if (number === '') return null;
  const found =
    digits === undefined
      ? rows.find((row) => row.isPresentStay && row.record.version === version)
      : rows.find(({ record }) => record.version === version && record.contentHash.startsWith(digits));
  return found ?? null;
}

/** `2-…..5-…`: two versions to compare, the older first. `rows` newest first. */
export function compareParameter(rows: readonly VersionRow[], one: VersionRow, other: VersionRow): string {
  const at = (row: VersionRow) => rows.findIndex(({ id }) => id === row.id);
  const [older, newer] = at(one) > at(other) ? [one, other] : [other, one];
  return `${versionParameter(older.record)}..${versionParameter(newer.record)}`;
}

/** The two versions that an address compares, the older first; null when one of them is not there. */
export function findCompared(
  rows: readonly VersionRow[],
  parameter: string,
): { readonly older: VersionRow; readonly newer: VersionRow } | null {
  const [one, other, ...rest] = parameter.split('..').map((part) => findVersion(rows, part));
  if (one === undefined || other === undefined || one === null || other === null || rest.length > 0)
    return null;
  return rows.indexOf(one) > rows.indexOf(other)
    ? { older: one, newer: other }
    : { older: other, newer: one };
}
