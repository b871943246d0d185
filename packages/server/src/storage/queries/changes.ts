import { commentOps, isInSight, type Viewer, type WorkspacePath } from '@stoa/core';
import { type RawBuilder, sql } from 'kysely';
import type { ChangeReader, ChangeRow, ChangeWriter } from '../../service/ports/changes.ts';
import type { Executor } from './executor.ts';
import { columns, compileQuery, type Placeholders, type StoredOf, type TableOf } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import { inSight, type Viewing, viewing, visibleTo } from './visibility.ts';
import { collectVisible } from './visible-steps.ts';

const change = columns<ChangeRow>()('change', {
  workspaceId: 'workspace_id',
  seq: 'seq',
  path: 'path',
  op: 'op',
  version: 'version',
  contentHash: 'content_hash',
  principal: 'principal',
  actorId: 'actor_id',
  actorKeyId: 'actor_key_id',
  actorLabel: 'actor_label',
  createdAt: 'created_at',
  movedFrom: 'moved_from',
  conflictOf: 'conflict_of',
  conflictBase: 'conflict_base',
  onlyUserId: 'only_user_id',
  exceptUserId: 'except_user_id',
});

export type ChangeTable = TableOf<typeof change>;

type StoredChange = StoredOf<typeof change>;
type SeenChange = StoredChange & { readonly visible: number };
type ViewedChanges = Placeholders<Viewing & { includeComments: number }>;
/** A place in the order by time, and the edge of the times asked for. */
type InTime = ViewedChanges & Placeholders<{ since: number; createdAt: number; seq: number; rows: number }>;

export type ChangeQueries = ReturnType<typeof changeQueries>;

export function changeQueries(dialect: QueryDialect) {
  const { db } = dialect;
  const changes = (given: ViewedChanges) =>
    db
      .selectFrom('change')
      .select(change.selection)
      .select(visibleChange(dialect, given).as('visible'))
      .where('workspace_id', '=', given.workspaceId);
  return {
    head: compileQuery(({ workspaceId }: Placeholders<{ workspaceId: string }>) =>
      db.selectFrom('workspace_counter').select('seq').where('workspace_id', '=', workspaceId),
    ),
    firstAfter: compileQuery(({ workspaceId, time }: Placeholders<{ workspaceId: string; time: number }>) =>
      db
        .selectFrom('change')
        .select('seq')
        .where('workspace_id', '=', workspaceId)
        .where('created_at', '>', time)
        .orderBy('created_at')
        .orderBy('seq')
        .limit(sql.lit(1)),
    ),
    beforeLast: compileQuery(({ workspaceId, count }: Placeholders<{ workspaceId: string; count: number }>) =>
      db
        .selectFrom('change')
        .select('seq')
        .where('workspace_id', '=', workspaceId)
        .orderBy('seq', 'desc')
        .limit(sql.lit(1))
        .offset(count),
    ),
    ofNext: compileQuery((given: Placeholders<{ workspaceId: string; afterSeq: number; before: number }>) =>
      db
        .selectFrom('change')
        .select('seq')
        .where('workspace_id', '=', given.workspaceId)
        .where('seq', '>', given.afterSeq)
        .orderBy('seq')
        .limit(sql.lit(1))
        .offset(given.before),
    ),
    departure: compileQuery(
      ({
        workspaceId,
        path,
        afterSeq,
        upToSeq,
      }: Placeholders<{ workspaceId: string; path: WorkspacePath; afterSeq: number; upToSeq: number }>) =>
        db
          .selectFrom('change')
          .select(['seq', 'only_user_id as onlyUserId'])
          .where('workspace_id', '=', workspaceId)
          .where('seq', '>', afterSeq)
          .where('seq', '<=', upToSeq)
          .where('path', '=', path)
          .where('op', '=', sql.lit('delete'))
          .orderBy('seq')
          .limit(sql.lit(1)),
    ),
    insert: compileQuery((row: Placeholders<StoredChange>) =>
      db.insertInto('change').values(change.values(row)),
    ),
    scan: compileQuery((given: ViewedChanges & Placeholders<{ sinceSeq: number; limit: number }>) =>
      changes(given).where('seq', '>', given.sinceSeq).orderBy('seq').limit(given.limit),
    ),
    oldestFirst: compileQuery((given: InTime) =>
      changes(given)
        .where(sql<boolean>`(created_at, seq) > (${given.createdAt}, ${given.seq})`)
        .where('created_at', '>', given.since)
        .orderBy('created_at')
        .orderBy('seq')
        .limit(given.rows),
    ),
    newestFirst: compileQuery((given: InTime) =>
      changes(given)
        .where(sql<boolean>`(created_at, seq) < (${given.createdAt}, ${given.seq})`)
        .where('created_at', '>', given.since)
        .orderBy('created_at', 'desc')
        .orderBy('seq', 'desc')
        .limit(given.rows),
    ),
  };
}

/**
 * 1 when the viewer may see the change: by the audience that was kept with it and by privacy now. `access_revoked` goes
 * by its audience alone, since it tells those who no longer see the path: the members of that time, not who joined later
 * and would learn from it what is hidden from them. Either also reaches a key with a path inside of what it is about.
 */
function visibleChange(dialect: QueryDialect, given: ViewedChanges): RawBuilder<number> {
  const { viewerId, includeComments, workspaceId, within, below } = given;
  const atWithin = { workspaceId: sql.ref('change.workspace_id'), path: within };
  const isAbove = sql`substr(${below}, 1, length(change.path) + 1) = change.path || '/'`;
  const subject = { workspaceId: sql.ref('change.workspace_id'), path: sql.ref<string>('change.path') };
  const comments = sql.join(commentOps.map((op) => sql.lit(op)));
  return sql<number>`case
    when change.only_user_id <> ${viewerId} or change.except_user_id = ${viewerId} then 0
    when ${includeComments} = 0 and change.op in (${comments}) then 0
    when not ${inSight(subject.path, given)}
      and (change.op not in ('access_revoked', 'access_granted') or not ${isAbove}) then 0
    when change.op = 'access_revoked' then case when exists (
        select 1 from member where member.workspace_id = ${workspaceId} and member.user_id = ${viewerId}
          and member.joined_seq < change.seq
      ) then 1 else 0 end
    when ${inSight(subject.path, given)} then ${visibleTo(dialect, subject, given)}
    else ${visibleTo(dialect, atWithin, given)} end`;
}

export function createChangeReader(executor: Executor, queries: ChangeQueries): ChangeReader {
  return {
    async head(workspaceId) {
      return (await queries.head.get(executor, { workspaceId }))?.seq ?? 0;
    },
    async seqBeforeLast(workspaceId, count) {
      return (await queries.beforeLast.get(executor, { workspaceId, count }))?.seq ?? 0;
    },
    async firstSeqAfter(workspaceId, time) {
      return (await queries.firstAfter.get(executor, { workspaceId, time }))?.seq ?? null;
    },
    async seqOfNext({ workspaceId, afterSeq, count }) {
      const found = await queries.ofNext.get(executor, { workspaceId, afterSeq, before: count - 1 });
      return found?.seq ?? null;
    },
    async findDeparture(query) {
      return (await queries.departure.get(executor, query)) ?? null;
    },
    async scan({ workspaceId, viewer, sinceSeq, limit, includeComments }) {
      const records = await queries.scan.all(executor, {
        ...viewing(workspaceId, viewer),
        sinceSeq,
        limit,
        includeComments: includeComments ? 1 : 0,
      });
      const changes: ChangeRow[] = [];
      for (const record of records) if (record.visible === 1) changes.push(toChangeRow(record, viewer));
      return { changes, scannedSeqs: records.map(({ seq }) => seq) };
    },
    async since({ workspaceId, viewer, since, limit, newestFirst, includeComments }) {
      const query = newestFirst ? queries.newestFirst : queries.oldestFirst;
      const start = newestFirst ? Number.MAX_SAFE_INTEGER : since;
      const records = await collectVisible<SeenChange>(executor, limit, (last, rows) =>
        query.all(executor, {
          ...viewing(workspaceId, viewer),
          since,
          rows,
          includeComments: includeComments ? 1 : 0,
          createdAt: last?.createdAt ?? start,
          seq: last?.seq ?? Number.MAX_SAFE_INTEGER,
        }),
      );
      return records.map((record) => toChangeRow(record, viewer));
    },
  };
}

/** Of a change that somebody sees: nothing in it names what their key does not reach. */
function toChangeRow({ visible: _, ...row }: SeenChange, viewer: Viewer): ChangeRow {
  if (viewer.within === '') return row;
  const { path, movedFrom, conflictOf } = row;
  return {
    ...row,
    path: isInSight(path, viewer) ? path : viewer.within,
    movedFrom: movedFrom !== null && isInSight(movedFrom, viewer) ? movedFrom : null,
    conflictOf: conflictOf !== null && isInSight(conflictOf, viewer) ? conflictOf : null,
  };
}

export function createChangeWriter(executor: Executor, queries: ChangeQueries): ChangeWriter {
  return {
    async insertChange(row) {
      await queries.insert.run(executor, row);
    },
  };
}
