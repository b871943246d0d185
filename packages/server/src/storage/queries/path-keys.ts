// docs/decisions/0014-postgresql-queues.md

import { compareByCodePoint, isWithin, type PathPrefix, type Viewer, type WorkspacePath } from '@stoa/core';
import { type Expression, type RawBuilder, sql } from 'kysely';

type PathExpression = Expression<string>;

/** Finds and orders rows by an indexed path. Every operation means the same as on plain paths. */
export interface PathKeys {
  /** Whether both are the same path. The first is the indexed one. */
  same(indexed: PathExpression, path: PathExpression): RawBuilder<boolean>;
  /** Compares by code point. The first is the indexed one. */
  compare(indexed: PathExpression, by: '>' | '>=' | '<', path: PathExpression): RawBuilder<boolean>;
  /** The text after `order by` for the order by code point. */
  order(indexed: PathExpression): RawBuilder<string>;
  /** The columns of a unique key: one row for each path of a workspace. */
  readonly unique: RawBuilder<unknown>;
  /** Reads the rows with this owner of their record, empty for no record, by an index of `schema/m019-record-owner.ts`. */
  ofOwner(table: OwnedTable, owner: Expression<string>): OwnedRows;
}

/** Tables with the column `record_owner`. */
export const ownedTables = ['file', 'node_icon', 'node_order'] as const;
export type OwnedTable = (typeof ownedTables)[number];

/** One end of a range of paths. */
export type CompareWith = (by: '>' | '>=' | '<', path: PathExpression) => RawBuilder<boolean>;

export interface OwnedRows {
  readonly from: RawBuilder<unknown>;
  /** Compares the path, and requires the owner. */
  readonly compare: CompareWith;
  readonly order: RawBuilder<string>;
}

export const plainPathKeys: PathKeys = {
  same: (indexed, path) => sql`${indexed} = ${path}`,
  compare: (indexed, by, path) => sql`${indexed} ${sql.raw(by)} ${path}`,
  order: (indexed) => sql`${indexed}`,
  unique: sql`workspace_id, path`,
  // Without the name, the planner uses the primary key, which has the rows of all owners.
  ofOwner: (table, owner) => ({
    from: sql`${sql.table(table)} indexed by ${sql.id(`${table}_by_record_owner`)}`,
    compare: (by, path) => sql`(record_owner = ${owner} and path ${sql.raw(by)} ${path})`,
    order: sql`path`,
  }),
};

const head = (path: PathExpression) => sql`path_head(${path})`;
const rest = (path: PathExpression) => sql`path_rest(${path})`;

/**
 * An entry of a PostgreSQL index holds fewer bytes than a path may have, hence the two functions in
 * `schema/first-schema/path-functions.ts`. Paths that share their whole `path_head` are sorted when they are read.
 */
export const splitPathKeys: PathKeys = {
  same: (indexed, path) => sql`(${head(indexed)} = ${head(path)} and ${rest(indexed)} = ${rest(path)})`,
  compare: (indexed, by, path) => sql`(${head(indexed)}, ${indexed}) ${sql.raw(by)} (${head(path)}, ${path})`,
  order: (indexed) => sql`${head(indexed)}, ${indexed}`,
  unique: sql`workspace_id, path_head(path), path_rest(path)`,
  // No other index has this order. With `record_owner = …` the planner may scan the index of all paths and filter. The
  // subquery hides a constant owner from its statistics: it would expect few rows and sort them.
  ofOwner: (table, owner) => ({
    from: sql.table(table),
    compare: (by, path) =>
      sql`(record_owner, path_head(path), path) ${sql.raw(by)} ((select ${owner}), ${head(path)}, ${path})`,
    order: sql`record_owner, path_head(path), path`,
  }),
};

/** The paths below a folder: above `after` and before `before` by code point. `0` is the character after `/`. */
export function rangeBelow(folder: WorkspacePath | PathPrefix): {
  readonly after: string;
  readonly before: string;
} {
  return folder === ''
    ? { after: '', before: aboveEveryPath }
    : { after: `${folder}/`, before: `${folder}0` };
}

/** Intersects a folder with the viewer's key, so that the rest is not read; null: empty. */
export function seenWithin(prefix: PathPrefix, { within }: Viewer): PathPrefix | null {
  if (isWithin(prefix, within)) return prefix;
  return isWithin(within, prefix) ? within : null;
}

/** The later of two positions to continue after. */
export function laterOf(a: string, b: string): string {
  return compareByCodePoint(a, b) < 0 ? b : a;
}

// More of the last code point than a segment can hold.
const aboveEveryPath = '\u{10ffff}'.repeat(65);
