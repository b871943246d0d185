import type { VersionRecord } from '@stoa/contract';
import type { VersionRow } from './version-rows.ts';

type Named = Pick<VersionRecord, 'version' | 'contentHash'>;

/** A version in an address, `7-1f2e3d4c5b6a`: its number and the first 12 digits of its content hash. */
export function versionParameter({ version, contentHash }: Named): string {
  return `${version}-${contentHash.slice(0, 12)}`;
}

/**
 * Finds the version of an address among those of the path, newest first. A bare number means a version of the current
 * file; with digits it can also be of an earlier file at the path. Null if not found.
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

/** The two versions that an address compares, the older first; null if either is missing. */
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
