import type { UsageGrowth } from '@stoa/core';
import type {
  WorkspaceCounters,
  WorkspaceReader,
  WorkspaceRow,
  WorkspaceWriter,
} from '../../service/ports/workspaces.ts';
import type { Executor } from './executor.ts';
import {
  columns,
  compileQuery,
  flag,
  type Placeholders,
  rejectUnstorable,
  type StoredOf,
  type TableOf,
} from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

const workspace = columns<Omit<WorkspaceRow, keyof WorkspaceCounters>>()('workspace', {
  id: 'id',
  name: 'name',
  icon: 'icon',
  color: 'color',
  theme: 'theme',
  themeCss: 'theme_css',
  planId: 'plan_id',
  lapsed: flag('lapsed'),
  createdAt: 'created_at',
});

const counter = columns<WorkspaceCounters>()('workspace_counter', {
  seq: 'seq',
  usedBytes: 'used_bytes',
  usedFiles: 'used_files',
  historyBytes: 'history_bytes',
  comments: 'comments',
  privacyRecords: 'privacy_records',
});

export type WorkspaceTable = TableOf<typeof workspace>;
export type WorkspaceCounterTable = TableOf<typeof counter> & { workspace_id: string };

type StoredWorkspace = StoredOf<typeof workspace>;
type StoredCounters = StoredOf<typeof counter>;

const noCounts: WorkspaceCounters = {
  seq: 0,
  usedBytes: 0,
  usedFiles: 0,
  historyBytes: 0,
  comments: 0,
  privacyRecords: 0,
};

export type WorkspaceQueries = ReturnType<typeof workspaceQueries>;

export function workspaceQueries({ db, locksRows }: QueryDialect) {
  const workspaces = db
    .selectFrom('workspace')
    .innerJoin('workspace_counter', 'workspace_counter.workspace_id', 'workspace.id')
    .select(workspace.selection)
    .select(counter.selection);
  return {
    find: compileQuery(({ workspaceId }: Placeholders<{ workspaceId: string }>) =>
      workspaces.where('workspace.id', '=', workspaceId),
    ),
    lock: compileQuery(({ workspaceId }: Placeholders<{ workspaceId: string }>) => {
      const found = workspaces.where('workspace.id', '=', workspaceId);
      return locksRows ? found.forUpdate(['workspace_counter']) : found;
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
    counters: compileQuery(({ workspaceId }: Placeholders<{ workspaceId: string }>) =>
      db.selectFrom('workspace_counter').select(counter.selection).where('workspace_id', '=', workspaceId),
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
      return record === undefined ? null : withRole(record);
    },
    async listOf(userId) {
      return (await queries.listOf.all(executor, { userId })).map(withRole);
    },
    async page(afterId, limit) {
      return (await queries.page.all(executor, { afterId, limit })).map(toWorkspaceRow);
    },
  };
}

function toWorkspaceRow(stored: StoredWorkspace & StoredCounters): WorkspaceRow {
  return workspace.toRow(stored);
}

function withRole<Role>({ role, ...stored }: StoredWorkspace & StoredCounters & { readonly role: Role }) {
  return { workspace: toWorkspaceRow(stored), role };
}

// docs/decisions/0004-seq-from-the-workspace-row.md

type Taken = UsageGrowth & { workspaceId: string; count: number; comments: number };
export type WorkspaceWrites = ReturnType<typeof workspaceWrites>;

export function workspaceWrites({ db }: QueryDialect) {
  return {
    insert: compileQuery((row: Placeholders<StoredWorkspace>) =>
      db.insertInto('workspace').values(workspace.values(row)),
    ),
    insertCounter: compileQuery((row: Placeholders<StoredCounters & { workspaceId: string }>) =>
      db.insertInto('workspace_counter').values({ ...counter.values(row), workspace_id: row.workspaceId }),
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
    /** Compiled when it runs: the set of fields varies, and settings change rarely. */
    update: (workspaceId: string, fields: Partial<WorkspaceTable>) =>
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
    async insertWorkspace(row) {
      const settings = { theme: null, themeCss: null, lapsed: false };
      await writes.insert.run(executor, workspace.toStored({ ...row, ...settings }));
      await writes.insertCounter.run(executor, { ...noCounts, workspaceId: row.id });
    },
    async updateWorkspace(workspaceId, changed) {
      const fields = workspace.changes(changed);
      const given = Object.values(fields);
      if (given.length === 0) return;
      rejectUnstorable(given);
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
