// docs/decisions/0004-seq-from-the-workspace-row.md
import type { UsageGrowth } from '@stoa/core';
import type { Insertable, Updateable } from 'kysely';
import type { Writer } from '../../service/ports/transaction.ts';
import type { Executor } from './executor.ts';
import { compileQuery, type Placeholders } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import { refuseUnstorable } from './refuse-unstorable.ts';
import type { MemberTable, WorkspaceTable } from './tables.ts';
import { toWorkspaceRow, type WorkspaceQueries } from './workspace-reader.ts';

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
    insertMember: compileQuery((row: Placeholders<Omit<MemberTable, 'joined_seq'>>) =>
      db.insertInto('member').values({
        workspace_id: row.workspace_id,
        user_id: row.user_id,
        role: row.role,
        created_at: row.created_at,
        // Items hidden before somebody joined were never shown to them, not even their paths: see the change reader.
        joined_seq: (of) =>
          of.selectFrom('workspace_counter').select('seq').where('workspace_id', '=', row.workspace_id),
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
): Pick<Writer, 'lockWorkspace' | 'insertWorkspace' | 'updateWorkspace' | 'insertMember' | 'takeSeqs'> {
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
    async insertMember({ workspaceId, userId, role, createdAt }) {
      await writes.insertMember.run(executor, {
        workspace_id: workspaceId,
        user_id: userId,
        role,
        created_at: createdAt,
      });
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
