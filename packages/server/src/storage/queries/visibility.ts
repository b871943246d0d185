// docs/decisions/0010-privacy-nearest-record.md
import type { Viewer } from '@stoa/core';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Placeholders } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

/** A path in a query, with the workspace it belongs to: two columns of an outer row, or two parameters. */
export interface PathInQuery {
  readonly workspaceId: Expression<unknown>;
  readonly path: Expression<string>;
}

/**
 * The privacy record that decides over a path: the nearest at or above it (interface: privacy, Who sees a path). It looks up the
 * path and each folder above it by key, so its cost grows with the depth of the path and not with the number of
 * records. `columns` names what is wanted of it. Without `onlyIf` it is always looked for.
 */
export function decidingPrivacy<Value>(
  dialect: QueryDialect,
  subject: PathInQuery,
  columns: RawBuilder<unknown>,
  onlyIf: RawBuilder<boolean> = sql<boolean>`true`,
): RawBuilder<Value> {
  const { path, workspaceId } = subject;
  const position = sql.raw(dialect.positionFunction);
  // `slash` is where a folder's name ends: 0 stands for the whole path, then every slash from the left.
  const nextSlash = sql`${position}(substr(${path}, above.slash + 1), '/')`;
  const atOrAbove = sql<string>`case when above.slash = 0 then ${path} else substr(${path}, 1, above.slash - 1) end`;
  return sql<Value>`with recursive above(slash) as (
      select 0 where ${onlyIf} union all select above.slash + ${nextSlash} from above where ${nextSlash} > 0
    )
    select ${columns} from above join node_privacy on node_privacy.workspace_id = ${workspaceId}
      and ${dialect.paths.same(sql.ref('node_privacy.path'), atOrAbove)}
    order by length(node_privacy.path) desc limit 1`;
}

/** Whether the workspace has any privacy record: told by its counter, which the same transaction keeps. */
export function hasPrivacy(workspaceId: Expression<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(select privacy_records from workspace_counter where workspace_id = ${workspaceId}) > 0`;
}

/** To whom a path is private, or null, in a statement that has the workspace's counter among its tables. */
export function ownerIn(dialect: QueryDialect, subject: PathInQuery): RawBuilder<string | null> {
  const owner = decidingPrivacy(dialect, subject, sql`node_privacy.owner_id`);
  return sql<string | null>`case when workspace_counter.privacy_records > 0 then (${owner}) end`;
}

/** What a statement that asks `visibleTo` is told of who looks, and where. */
export interface Viewing {
  readonly workspaceId: string;
  /** Empty: nobody's. */
  readonly viewerId: string;
  /** The folder or file that the viewer's key is for; empty: the whole workspace. */
  readonly within: string;
  /** How paths below it begin, and how many characters that are. */
  readonly below: string;
  readonly belowCharacters: number;
}

export function viewing(workspaceId: string, { userId, within }: Viewer): Viewing {
  const below = `${within}/`;
  return { workspaceId, viewerId: userId ?? '', within, below, belowCharacters: [...below].length };
}

/** Whether the viewer's key reaches a path: `isInSight` of core. */
export function inSight(
  path: Expression<string>,
  { within, below, belowCharacters }: Placeholders<Viewing>,
): RawBuilder<boolean> {
  return sql<boolean>`(${within} = '' or ${path} = ${within} or substr(${path}, 1, ${belowCharacters}) = ${below})`;
}

/**
 * 1 when the viewer may see the path, else 0: the one place where SQL knows who sees what. A workspace without privacy
 * records is told by its counter, in the same statement and so in the same snapshot: asking first and leaving the filter
 * out would race with somebody making a file private.
 */
export function visibleTo(
  dialect: QueryDialect,
  subject: PathInQuery,
  given: Placeholders<Viewing>,
): RawBuilder<number> {
  const { workspaceId, viewerId } = given;
  const owner = decidingPrivacy(dialect, subject, sql`node_privacy.owner_id`);
  return sql<number>`case
    when not ${inSight(subject.path, given)} then 0
    when (select privacy_records from workspace_counter where workspace_id = ${workspaceId}) = 0 then 1
    when coalesce((${owner}), '') in ('', ${viewerId}) then 1
    else 0 end`;
}
