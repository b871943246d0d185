import type { MemberRole } from '@stoa/core';
import { type Selectable, sql } from 'kysely';
import type { WorkspaceReader } from '../../service/ports/reader.ts';
import type { WorkspaceRow } from '../../service/ports/rows.ts';
import type { Executor } from './executor.ts';
import { compileQuery, type Placeholders } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
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
    countOwnedBy: compileQuery(({ userId }: Placeholders<{ userId: string }>) =>
      db
        .selectFrom('member')
        .select((of) => of.fn.countAll<number>().as('owned'))
        .where('user_id', '=', userId)
        .where('role', '=', 'owner'),
    ),
    members: compileQuery(({ workspaceId }: Placeholders<{ workspaceId: string }>) =>
      db
        .selectFrom('member')
        .innerJoin('user', 'user.id', 'member.user_id')
        .select(['member.user_id', 'user.name', 'user.image', 'member.role'])
        .where('member.workspace_id', '=', workspaceId)
        .orderBy(sql`case member.role when 'owner' then 0 when 'admin' then 1 else 2 end`)
        .orderBy('user.name')
        .orderBy('user.id'),
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
    async countOwnedBy(userId) {
      return (await queries.countOwnedBy.get(executor, { userId }))?.owned ?? 0;
    },
    async members(workspaceId) {
      const records = await queries.members.all(executor, { workspaceId });
      return records.map(({ user_id, name, image, role }) => ({
        userId: user_id,
        name,
        image: image ?? '',
        role,
      }));
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
