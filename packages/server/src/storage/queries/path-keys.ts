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
 * An entry of a PostgreSQL index holds fewer bytes than a path may have, hence the two functions in
 * `schema/first-schema/path-functions.ts`. Paths that share their whole `path_head` are sorted when they are read.
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
