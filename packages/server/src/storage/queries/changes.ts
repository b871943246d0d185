import { commentOps, isVisible, type Viewer, type WorkspacePath } from '@stoa/core';
import { type RawBuilder, sql } from 'kysely';
import type { ChangeReader, ChangeRow, ChangeWriter } from '../../service/ports/changes.ts';
import type { Executor } from './executor.ts';
import { rangeBelow } from './path-keys.ts';
import { columns, compileQuery, type Placeholders, type StoredOf, type TableOf } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import { isVisiblePath, type Viewing, viewing, visibleTo } from './visibility.ts';
import { collectVisible, needsLookups, plainStepRows, privacyRecordsQuery } from './visible-steps.ts';

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
/** A position in the order by time, and the requested range of times. */
type InTime = ViewedChanges & Placeholders<{ since: number; createdAt: number; seq: number; rows: number }>;

export type ChangeQueries = ReturnType<typeof changeQueries>;

export function changeQueries(dialect: QueryDialect) {
  const { db, paths } = dialect;
  const changes = (given: ViewedChanges) =>
    db
      .selectFrom('change')
      .select(change.selection)
      .select(visibleChange(dialect, given).as('visible'))
      .where('workspace_id', '=', given.workspaceId);
  // The index covers this. With other columns, SQLite would read every change of the workspace instead.
  const departures = (workspaceId: RawBuilder<string>, path: RawBuilder<WorkspacePath>) =>
    db
      .selectFrom('change as left')
      .select('left.seq')
      .where('left.workspace_id', '=', workspaceId)
      .where(paths.same(sql.ref<string>('left.path'), path))
      .where('left.op', '=', sql.lit('delete'));
  return {
    privacyRecords: privacyRecordsQuery(dialect),
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
    departure: compileQuery(
      ({
        workspaceId,
        path,
        afterSeq,
      }: Placeholders<{ workspaceId: string; path: WorkspacePath; afterSeq: number }>) =>
        db
          .selectFrom('change')
          .select(['seq', 'only_user_id as onlyUserId'])
          .where('workspace_id', '=', workspaceId)
          .where(
            'seq',
            'in',
            departures(workspaceId, path)
              .where('left.seq', '>', afterSeq)
              .orderBy('left.seq')
              .limit(sql.lit(1)),
          ),
    ),
    lastDepartures: compileQuery(
      (given: ViewedChanges & Placeholders<{ path: WorkspacePath; beforeSeq: number; rows: number }>) =>
        changes(given)
          .where(
            'seq',
            'in',
            departures(given.workspaceId, given.path)
              .where('left.seq', '<', given.beforeSeq)
              .orderBy('left.seq', 'desc')
              .limit(given.rows),
          )
          .orderBy('seq', 'desc'),
    ),
    departuresBelow: compileQuery(
      (given: ViewedChanges & Placeholders<{ after: string; before: string; rows: number }>) =>
        changes(given)
          .where(paths.compare(sql.ref<string>('path'), '>', given.after))
          .where(paths.compare(sql.ref<string>('path'), '<', given.before))
          .where('op', '=', sql.lit('delete'))
          .orderBy(paths.order(sql.ref<string>('path')))
          .limit(given.rows),
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
 * 1 when the viewer may see the change: by its stored audience and by current privacy. The audience alone decides about
 * `access_revoked`, which informs members who no longer see the path. Members who joined later must not learn from it
 * what is hidden from them. Both access changes also reach a key for a path below the changed one.
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
    when not ${isVisiblePath(subject.path, given)}
      and (change.op not in ('access_revoked', 'access_granted') or not ${isAbove}) then 0
    when change.op = 'access_revoked' then case when exists (
        select 1 from member where member.workspace_id = ${workspaceId} and member.user_id = ${viewerId}
          and member.joined_seq < change.seq
      ) then 1 else 0 end
    when ${isVisiblePath(subject.path, given)} then ${visibleTo(dialect, subject, given)}
    else ${visibleTo(dialect, atWithin, given)} end`;
}

export function createChangeReader(executor: Executor, queries: ChangeQueries): ChangeReader {
  /** Rows of the steps of a long read. A short one has a single step anyway. */
  async function stepRowsFor(workspaceId: string, limit: number): Promise<number> {
    if (limit <= executor.stepRows) return executor.stepRows;
    return (await needsLookups(executor, queries, workspaceId)) ? executor.stepRows : plainStepRows;
  }

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
    async findDeparture(query) {
      return (await queries.departure.get(executor, query)) ?? null;
    },
    async findLastDeparture({ workspaceId, path, viewer }) {
      const [last] = await collectVisible<SeenChange>(executor, 1, (after, rows) =>
        queries.lastDepartures.all(executor, {
          ...viewing(workspaceId, viewer),
          path,
          rows,
          includeComments: 0,
          beforeSeq: after?.seq ?? Number.MAX_SAFE_INTEGER,
        }),
      );
      return last === undefined ? null : toChangeRow(last, viewer);
    },
    async findDepartureBelow({ workspaceId, folder, viewer }) {
      const { after, before } = rangeBelow(folder);
      const [first] = await collectVisible<SeenChange>(executor, 1, (last, rows) =>
        queries.departuresBelow.all(executor, {
          ...viewing(workspaceId, viewer),
          after: last?.path ?? after,
          before,
          rows,
          includeComments: 0,
        }),
      );
      return first?.path ?? null;
    },
    async scan({ workspaceId, viewer, sinceSeq, limit, includeComments }) {
      const changes: ChangeRow[] = [];
      const scannedSeqs: number[] = [];
      const stepRows = await stepRowsFor(workspaceId, limit);
      while (scannedSeqs.length < limit) {
        const rows = Math.min(stepRows, limit - scannedSeqs.length);
        const records = await queries.scan.all(executor, {
          ...viewing(workspaceId, viewer),
          sinceSeq: scannedSeqs.at(-1) ?? sinceSeq,
          limit: rows,
          includeComments: includeComments ? 1 : 0,
        });
        for (const record of records) {
          scannedSeqs.push(record.seq);
          if (record.visible === 1) changes.push(toChangeRow(record, viewer));
        }
        if (records.length < rows) break;
        if (scannedSeqs.length < limit) await executor.breathe();
      }
      return { changes, scannedSeqs };
    },
    async since({ workspaceId, viewer, since, limit, newestFirst, includeComments }) {
      const query = newestFirst ? queries.newestFirst : queries.oldestFirst;
      const start = newestFirst ? Number.MAX_SAFE_INTEGER : since;
      const records = await collectVisible<SeenChange>(
        executor,
        limit,
        (last, rows) =>
          query.all(executor, {
            ...viewing(workspaceId, viewer),
            since,
            rows,
            includeComments: includeComments ? 1 : 0,
            createdAt: last?.createdAt ?? start,
            seq: last?.seq ?? Number.MAX_SAFE_INTEGER,
          }),
        await stepRowsFor(workspaceId, limit),
      );
      return records.map((record) => toChangeRow(record, viewer));
    },
  };
}

/** Removes paths from a visible change that the viewer's key does not reach. */
function toChangeRow({ visible: _, ...row }: SeenChange, viewer: Viewer): ChangeRow {
  if (viewer.within === '') return row;
  const { path, movedFrom, conflictOf } = row;
  return {
    ...row,
    path: isVisible(path, viewer) ? path : viewer.within,
    movedFrom: movedFrom !== null && isVisible(movedFrom, viewer) ? movedFrom : null,
    conflictOf: conflictOf !== null && isVisible(conflictOf, viewer) ? conflictOf : null,
  };
}

export function createChangeWriter(executor: Executor, queries: ChangeQueries): ChangeWriter {
  return {
    async insertChange(row) {
      await queries.insert.run(executor, row);
    },
  };
}
