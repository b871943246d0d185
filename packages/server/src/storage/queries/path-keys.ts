// docs/decisions/0033-paths-in-indexes.md

import { compareByCodePoint, type PathPrefix, type WorkspacePath } from '@stoa/core';
import { type Expression, type RawBuilder, sql } from 'kysely';

type PathExpression = Expression<string>;

/** How rows are found, and come in order, by an indexed path. All of them mean what they would mean of plain paths. */
export interface PathKeys {
  /** Whether both are the same path. The first is the indexed one. */
  same(indexed: PathExpression, path: PathExpression): RawBuilder<boolean>;
  /** Compares by code point. The first is the indexed one. */
  compare(indexed: PathExpression, by: '>' | '>=' | '<', path: PathExpression): RawBuilder<boolean>;
  /** The text after `order by` for the order by code point. */
  order(indexed: PathExpression): RawBuilder<string>;
  /** The columns of a table's key: one row for each path of a workspace. */
  readonly unique: RawBuilder<unknown>;
}

export const plainPathKeys: PathKeys = {
  same: (indexed, path) => sql`${indexed} = ${path}`,
  compare: (indexed, by, path) => sql`${indexed} ${sql.raw(by)} ${path}`,
  order: (indexed) => sql`${indexed}`,
  unique: sql`workspace_id, path`,
};

const head = (path: PathExpression) => sql`path_head(${path})`;
const rest = (path: PathExpression) => sql`path_rest(${path})`;

/**
 * An entry of a PostgreSQL index holds fewer bytes than a path may have: `schema/first-schema/path-functions.ts` has the two functions. Paths that
 * begin alike for as long as `path_head` goes are put in order when they are read.
 */
export const splitPathKeys: PathKeys = {
  same: (indexed, path) => sql`(${head(indexed)} = ${head(path)} and ${rest(indexed)} = ${rest(path)})`,
  compare: (indexed, by, path) => sql`(${head(indexed)}, ${indexed}) ${sql.raw(by)} (${head(path)}, ${path})`,
  order: (indexed) => sql`${head(indexed)}, ${indexed}`,
  unique: sql`workspace_id, path_head(path), path_rest(path)`,
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

/** The later of two places to continue after. */
export function laterOf(a: string, b: string): string {
  return compareByCodePoint(a, b) < 0 ? b : a;
}

// More of the last code point than a segment can hold.
const aboveEveryPath = '\u{10ffff}'.repeat(65);
