import type { VersionRecord } from '@stoa/contract';
import { foldsInto } from '../api/credential.ts';

/** A version as the history shows it. */
export interface VersionRow {
  /** Identifies the version permanently: numbers restart after a move or a delete, hashes do not. */
  readonly id: string;
  readonly record: VersionRecord;
  /** The path of the file at that time, if it differs from the current one; else null. */
  readonly earlierPath: string | null;
  /** Whether the row belongs to the file that is at the path now. Then its number alone identifies it. */
  readonly isPresentStay: boolean;
  readonly label: 'created' | 'saved' | 'moved' | 'restored' | 'conflict';
  /** For `moved`: the previous path. */
  readonly movedFrom: string | null;
}

/** Rows, newest first. Consecutive saves under one credential within ten minutes are grouped under the newest. */
export interface VersionGroup {
  readonly newest: VersionRow;
  readonly earlierSaves: readonly VersionRow[];
}

/**
 * `versions` of `path`, newest first as the server lists them: each file that was at the path, from its newest version
 * down to 1.
 */
export function versionRows(path: string, versions: readonly VersionRecord[]): VersionRow[] {
  const rows: VersionRow[] = [];
  let stay = 0;
  versions.forEach((record, i) => {
    const newer = versions[i - 1];
    const older = versions[i + 1];
    if (newer !== undefined && record.version >= newer.version) stay += 1;
    rows.push({
      id: `${stay}-${record.version}-${record.contentHash.slice(0, 12)}`,
      record,
      earlierPath: record.movedFrom ?? null,
      isPresentStay: stay === 0,
      label: labelOf(record),
      // A record has a path only if it differs from the requested one: the file may have returned to that one.
      movedFrom: record.op === 'move' && older !== undefined ? (older.movedFrom ?? path) : null,
    });
  });
  return rows;
}

export function versionGroups(rows: readonly VersionRow[]): VersionGroup[] {
  const groups: { newest: VersionRow; earlierSaves: VersionRow[] }[] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    if (group !== undefined && isEarlierSave(group.newest, row)) group.earlierSaves.push(row);
    else groups.push({ newest: row, earlierSaves: [] });
  }
  return groups;
}

function isEarlierSave(newest: VersionRow, row: VersionRow): boolean {
  if (newest.label !== 'saved' || row.label !== 'saved') return false;
  const sameStay = newest.id.split('-')[0] === row.id.split('-')[0];
  return sameStay && foldsInto(newest.record, row.record);
}

function labelOf({ op, version }: VersionRecord): VersionRow['label'] {
  if (op === 'move') return 'moved';
  if (op === 'restore') return 'restored';
  if (op === 'conflict') return 'conflict';
  return version === 1 ? 'created' : 'saved';
}
