import type { MemberRole, UsageGrowth } from '@stoa/core';
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { WorkspaceReader, WorkspaceRow, WorkspaceWriter } from '../../service/ports/workspaces.ts';
import type { Executor } from './executor.ts';
import { compileQuery, type Placeholders } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import { refuseUnstorable } from './refuse-unstorable.ts';
import type { WorkspaceCounterTable, WorkspaceTable } from './tables.ts';

type WorkspaceRecord = Selectable<WorkspaceTable> & Omit<WorkspaceCounterTable, 'workspace_id'>;

const workspaceColumns = [
  'workspace.id',
  'workspace.name',
  'workspace.icon',
  'workspace.color',
  'workspace.theme',
  'workspace.theme_css',
  'workspace.plan_id',
  'workspace.lapsed',
  'workspace.created_at',
  'counter.seq',
  'counter.used_bytes',
  'counter.used_files',
  'counter.history_bytes',
  'counter.comments',
  'counter.privacy_records',
] as const;

export type WorkspaceQueries = ReturnType<typeof workspaceQueries>;

export function workspaceQueries({ db, locksRows }: QueryDialect) {
  const workspaces = db
    .selectFrom('workspace')
    .innerJoin('workspace_counter as counter', 'counter.workspace_id', 'workspace.id')
    .select(workspaceColumns);
  return {
    find: compileQuery(({ workspaceId }: Placeholders<{ workspaceId: string }>) =>
      workspaces.where('workspace.id', '=', workspaceId),
    ),
    lock: compileQuery(({ workspaceId }: Placeholders<{ workspaceId: string }>) => {
      const found = workspaces.where('workspace.id', '=', workspaceId);
      return locksRows ? found.forUpdate(['counter']) : found;
    }),
    findWithRole: compileQuery(
      ({ workspaceId, userId }: Placeholders<{ workspaceId: string; userId: string }>) =>
        workspaces
          .leftJoin('member', (join) =>
            join.onRef('member.workspace_id', '=', 'workspace.id').on('member.user_id', '=', userId),
          )
          .select('member.role')
          .where('workspace.id', '=', workspaceId),
    ),
    listOf: compileQuery(({ userId }: Placeholders<{ userId: string }>) =>
      workspaces
        .innerJoin('member', 'member.workspace_id', 'workspace.id')
        .select('member.role')
        .where('member.user_id', '=', userId)
        .orderBy('workspace.created_at')
        .orderBy('workspace.id'),
    ),
    page: compileQuery(({ afterId, limit }: Placeholders<{ afterId: string; limit: number }>) =>
      workspaces.where('workspace.id', '>', afterId).orderBy('workspace.id').limit(limit),
    ),
  };
}

export function createWorkspaceReader(executor: Executor, queries: WorkspaceQueries): WorkspaceReader {
  return {
    async find(workspaceId) {
      const record = await queries.find.get(executor, { workspaceId });
      return record === undefined ? null : toWorkspaceRow(record);
    },
    async findWithRole(workspaceId, userId) {
      const record = await queries.findWithRole.get(executor, { workspaceId, userId });
      return record === undefined ? null : { workspace: toWorkspaceRow(record), role: record.role };
    },
    async listOf(userId) {
      const records = await queries.listOf.all(executor, { userId });
      return records.map((record) => ({
        workspace: toWorkspaceRow(record),
        role: record.role satisfies MemberRole,
      }));
    },
    async page(afterId, limit) {
      return (await queries.page.all(executor, { afterId, limit })).map(toWorkspaceRow);
    },
  };
}

export function toWorkspaceRow(record: WorkspaceRecord): WorkspaceRow {
  return {
    id: record.id,
    name: record.name,
    icon: record.icon,
    color: record.color,
    theme: record.theme,
    themeCss: record.theme_css,
    planId: record.plan_id,
    lapsed: record.lapsed === 1,
    seq: record.seq,
    usedBytes: record.used_bytes,
    usedFiles: record.used_files,
    historyBytes: record.history_bytes,
    comments: record.comments,
    privacyRecords: record.privacy_records,
    createdAt: record.created_at,
  };
}

// docs/decisions/0004-seq-from-the-workspace-row.md

type Taken = UsageGrowth & { workspaceId: string; count: number; comments: number };
type NewWorkspace = Pick<
  Insertable<WorkspaceTable>,
  'id' | 'name' | 'icon' | 'color' | 'plan_id' | 'created_at'
>;

export type WorkspaceWrites = ReturnType<typeof workspaceWrites>;

export function workspaceWrites({ db }: QueryDialect) {
  return {
    insert: compileQuery((row: Placeholders<NewWorkspace>) =>
      db.insertInto('workspace').values({
        id: row.id,
        name: row.name,
        icon: row.icon,
        color: row.color,
        theme: null,
        theme_css: null,
        plan_id: row.plan_id,
        lapsed: 0,
        created_at: row.created_at,
      }),
    ),
    insertCounter: compileQuery(({ workspaceId }: Placeholders<{ workspaceId: string }>) =>
      db.insertInto('workspace_counter').values({
        workspace_id: workspaceId,
        seq: 0,
        used_bytes: 0,
        used_files: 0,
        history_bytes: 0,
        comments: 0,
        privacy_records: 0,
      }),
    ),
    takeSeqs: compileQuery(
      ({ workspaceId, count, bytes, files, historyBytes, comments }: Placeholders<Taken>) =>
        db
          .updateTable('workspace_counter')
          .set((of) => ({
            seq: of('seq', '+', count),
            used_bytes: of('used_bytes', '+', bytes),
            used_files: of('used_files', '+', files),
            history_bytes: of('history_bytes', '+', historyBytes),
            comments: of('comments', '+', comments),
          }))
          .where('workspace_id', '=', workspaceId)
          .returning('seq'),
    ),
    /** Compiled when it runs: which fields are set is not known before, and settings change rarely. */
    update: (workspaceId: string, fields: Updateable<WorkspaceTable>) =>
      db.updateTable('workspace').set(fields).where('id', '=', workspaceId).compile(),
  };
}

export function createWorkspaceWriter(
  executor: Executor,
  reads: WorkspaceQueries,
  writes: WorkspaceWrites,
  onSeqTaken: (workspaceId: string) => void,
): WorkspaceWriter {
  return {
    async lockWorkspace(workspaceId) {
      const record = await reads.lock.get(executor, { workspaceId });
      return record === undefined ? null : toWorkspaceRow(record);
    },
    async insertWorkspace({ id, name, icon, color, planId, createdAt }) {
      await writes.insert.run(executor, { id, name, icon, color, plan_id: planId, created_at: createdAt });
      await writes.insertCounter.run(executor, { workspaceId: id });
    },
    async updateWorkspace(workspaceId, { themeCss, planId, lapsed, ...others }) {
      const fields = {
        ...others,
        ...(themeCss === undefined ? {} : { theme_css: themeCss }),
        ...(planId === undefined ? {} : { plan_id: planId }),
        ...(lapsed === undefined ? {} : { lapsed: lapsed ? 1 : 0 }),
      };
      const given = Object.values(fields).filter((value) => value !== undefined);
      if (given.length === 0) return;
      refuseUnstorable(given);
      await executor.once(writes.update(workspaceId, fields).sql, [...given, workspaceId]);
    },
    async takeSeqs(workspaceId, count, { bytes = 0, files = 0, historyBytes = 0, comments = 0 }) {
      const taken = { workspaceId, count, bytes, files, historyBytes, comments };
      const counter = await writes.takeSeqs.get(executor, taken);
      if (counter === undefined) throw new Error(`workspace ${workspaceId} has no counters`);
      if (count > 0) onSeqTaken(workspaceId);
      return counter.seq - count + 1;
    },
  };
}
