// docs/decisions/0008-privacy-nearest-record.md
import type { Viewer } from '@stoa/core';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { CompareWith, OwnedRows, OwnedTable } from './path-keys.ts';
import type { Placeholders } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

/** A path in a query, with the workspace it belongs to: two columns of an outer row, or two parameters. */
export interface PathInQuery {
  readonly workspaceId: Expression<unknown>;
  readonly path: Expression<string>;
}

/**
 * Selects the privacy record that decides over a path: the nearest at or above it (interface: privacy, Visibility).
 * It looks up the path and each folder above it by key, so its cost grows with the depth of the path and not with the
 * number of records. `columns` names the columns to return. `onlyIf` can skip the lookup.
 */
export function decidingPrivacy<Value>(
  dialect: QueryDialect,
  subject: PathInQuery,
  columns: RawBuilder<unknown>,
  onlyIf: RawBuilder<boolean> = sql<boolean>`true`,
): RawBuilder<Value> {
  const { path, workspaceId } = subject;
  const position = sql.raw(dialect.positionFunction);
  // `slash` is the end of a folder's name: 0 represents the whole path, then every slash from the left. `rest` is the
  // text after it: searching each slash from the beginning takes twice as long for a deep path.
  const nextSlash = sql`${position}(above.rest, '/')`;
  const atOrAbove = sql<string>`case when above.slash = 0 then ${path} else substr(${path}, 1, above.slash - 1) end`;
  return sql<Value>`with recursive above(slash, rest) as (
      select 0, cast(${path} as text) where ${onlyIf} union all
      select above.slash + ${nextSlash}, substr(above.rest, ${nextSlash} + 1) from above where ${nextSlash} > 0
    )
    select ${columns} from above join node_privacy on node_privacy.workspace_id = ${workspaceId}
      and ${dialect.paths.same(sql.ref('node_privacy.path'), atOrAbove)}
    order by length(node_privacy.path) desc limit 1`;
}

/** Whether the workspace has any privacy record, by its counter, which the same transactions maintain. */
export function hasPrivacy(workspaceId: Expression<unknown>): RawBuilder<boolean> {
  return sql<boolean>`((select privacy_records from workspace_counter where workspace_id = ${workspaceId}) > 0)`;
}

/** The right value of a row's `record_owner` (`schema/m019-record-owner.ts`), as text for statements that are not built. */
export function recordOwnerOf({ db, paths }: QueryDialect, row: string): string {
  const isSame = paths.same(sql.ref<string>('own.path'), sql.ref<string>(`${row}.path`));
  return sql`coalesce((select own.owner_id from node_privacy as own
    where own.workspace_id = ${sql.ref(`${row}.workspace_id`)} and ${isSame}), '')`.compile(db).sql;
}

/** The owner of a private path, or null, in a statement that includes the workspace's counter. */
export function ownerIn(dialect: QueryDialect, subject: PathInQuery): RawBuilder<string | null> {
  const owner = decidingPrivacy(dialect, subject, sql`node_privacy.owner_id`);
  return sql<string | null>`case when workspace_counter.privacy_records > 0 then (${owner}) end`;
}

/** Parameters of a statement that uses `visibleTo`: the viewer and the workspace. */
export interface Viewing {
  readonly workspaceId: string;
  /** Empty: anonymous. */
  readonly viewerId: string;
  /** The folder or file that the viewer's key is for; empty: the whole workspace. */
  readonly within: string;
  /** Prefix of paths below it, and its number of characters. */
  readonly below: string;
  readonly belowCharacters: number;
}

export function viewing(workspaceId: string, { userId, within }: Viewer): Viewing {
  const below = `${within}/`;
  return { workspaceId, viewerId: userId ?? '', within, below, belowCharacters: [...below].length };
}

/** Whether the viewer's key reaches a path: `isVisible` of core. */
export function isVisiblePath(
  path: Expression<string>,
  { within, below, belowCharacters }: Placeholders<Viewing>,
): RawBuilder<boolean> {
  return sql<boolean>`(${within} = '' or ${path} = ${within} or substr(${path}, 1, ${belowCharacters}) = ${below})`;
}

/**
 * Returns the text, or an empty one when another member owns the path and `exists` is false: the viewer may see nothing
 * there. Used as a path or the end of a range, it keeps a statement from reading hidden rows. So the statement takes as
 * long for a hidden path as for an absent one.
 */
export function emptyIfHidden(
  dialect: QueryDialect,
  subject: { readonly workspaceId: RawBuilder<string>; readonly path: RawBuilder<string> },
  viewerId: RawBuilder<string>,
  text: RawBuilder<string>,
  exists: RawBuilder<boolean>,
): RawBuilder<string> {
  const owner = decidingPrivacy(
    dialect,
    subject,
    sql`node_privacy.owner_id`,
    hasPrivacy(subject.workspaceId),
  );
  return sql<string>`(select case when coalesce((${owner}), ${viewerId}) <> ${viewerId} and not ${exists}
    then '' else ${text} end)`;
}

/**
 * Returns `before` of a range of paths below a folder, or an empty text when the viewer can see none of them. That is
 * the case when another member owns the folder, and the viewer has no item of their own in the range.
 */
export function endOfSeen(
  dialect: QueryDialect,
  { workspaceId, viewerId, before }: Placeholders<Viewing & { before: string }>,
  folder: RawBuilder<string>,
): RawBuilder<string> {
  const path = sql.ref<string>('own.path');
  const hasOwn = sql<boolean>`exists (select 1 from node_privacy as own where own.workspace_id = ${workspaceId}
    and own.owner_id = ${viewerId} and ${dialect.paths.compare(path, '>', folder)}
    and ${dialect.paths.compare(path, '<', before)})`;
  return emptyIfHidden(dialect, { workspaceId, path: folder }, viewerId, before, hasOwn);
}

/**
 * Selects the first `rows` rows of a range of paths, as a table, without those that have a privacy record of another
 * member themselves: these take no time. `visibleTo` still decides on each row, by the records of the folders above it.
 * In a workspace without privacy records it reads by primary key, which is faster.
 *
 * @param folder the viewer may see nothing in it: then the range is empty
 * @param range the range that ends before the given path
 */
export function seenRows(
  dialect: QueryDialect,
  table: OwnedTable,
  given: Placeholders<Viewing & { before: string; rows: number }>,
  folder: RawBuilder<string>,
  range: (compare: CompareWith, before: RawBuilder<string>) => RawBuilder<boolean>,
): RawBuilder<unknown> {
  const { paths } = dialect;
  const { workspaceId, viewerId, before, rows } = given;
  const part = ({ from, compare, order }: OwnedRows, isRead: RawBuilder<boolean>, end: RawBuilder<string>) =>
    sql`select * from (select * from ${from} where workspace_id = ${workspaceId}
      and ${range(compare, sql`(select case when ${isRead} then ${end} else '' end)`)}
      order by ${order} limit ${rows}) as part`;
  const path = sql.ref<string>('path');
  const all: OwnedRows = {
    from: sql.table(table),
    compare: (by, other) => paths.compare(path, by, other),
    order: paths.order(path),
  };
  const isPrivate = hasPrivacy(workspaceId);
  const end = endOfSeen(dialect, given, folder);
  return sql`(${part(all, sql`not ${isPrivate}`, before)}
    union all ${part(paths.ofOwner(table, sql`''`), isPrivate, end)}
    union all ${part(paths.ofOwner(table, viewerId), sql`${isPrivate} and ${viewerId} <> ''`, end)})`;
}

/**
 * 1 when the viewer may see the path and 0 otherwise: the only visibility rule in SQL. The counter of a workspace
 * without privacy records is read in the same statement and so in the same snapshot. Checking it before and omitting
 * the filter would race with a member who makes a file private.
 */
export function visibleTo(
  dialect: QueryDialect,
  subject: PathInQuery,
  given: Placeholders<Viewing>,
): RawBuilder<number> {
  const { workspaceId, viewerId } = given;
  const owner = decidingPrivacy(dialect, subject, sql`node_privacy.owner_id`);
  return sql<number>`case
    when not ${isVisiblePath(subject.path, given)} then 0
    when (select privacy_records from workspace_counter where workspace_id = ${workspaceId}) = 0 then 1
    when coalesce((${owner}), '') in ('', ${viewerId}) then 1
    else 0 end`;
}
