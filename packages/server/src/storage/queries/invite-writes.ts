import type { InviteWriter } from '../../service/ports/invite-store.ts';
import type { Executor } from './executor.ts';
import { compileQuery, type Placeholders } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import type { InviteTable } from './tables.ts';

type InviteKey = { workspaceId: string; inviteId: string };

export type InviteWrites = ReturnType<typeof inviteWrites>;

export function inviteWrites({ db }: QueryDialect) {
  return {
    insert: compileQuery((row: Placeholders<InviteTable>) =>
      db.insertInto('invite').values({
        id: row.id,
        token_hash: row.token_hash,
        workspace_id: row.workspace_id,
        created_by: row.created_by,
        created_at: row.created_at,
        expires_at: row.expires_at,
        max_uses: row.max_uses,
        uses_left: row.uses_left,
      }),
    ),
    /** One less than unlimited (null) is unlimited. */
    takeUse: compileQuery(({ inviteId }: Placeholders<{ inviteId: string }>) =>
      db
        .updateTable('invite')
        .set((of) => ({ uses_left: of('uses_left', '-', 1) }))
        .where('id', '=', inviteId)
        .where((of) => of.or([of('uses_left', 'is', null), of('uses_left', '>', 0)])),
    ),
    remove: compileQuery(({ workspaceId, inviteId }: Placeholders<InviteKey>) =>
      db.deleteFrom('invite').where('id', '=', inviteId).where('workspace_id', '=', workspaceId),
    ),
    removeBy: compileQuery(({ workspaceId, userId }: Placeholders<{ workspaceId: string; userId: string }>) =>
      db.deleteFrom('invite').where('workspace_id', '=', workspaceId).where('created_by', '=', userId),
    ),
    clearExpired: compileQuery(
      ({ workspaceId, expiredBefore }: Placeholders<{ workspaceId: string; expiredBefore: number }>) =>
        db
          .deleteFrom('invite')
          .where('workspace_id', '=', workspaceId)
          .where('expires_at', '<', expiredBefore),
    ),
  };
}

export function createInviteWriter(executor: Executor, writes: InviteWrites): InviteWriter {
  return {
    async insertInvite(row) {
      await writes.insert.run(executor, {
        id: row.id,
        token_hash: row.tokenHash,
        workspace_id: row.workspaceId,
        created_by: row.createdBy,
        created_at: row.createdAt,
        expires_at: row.expiresAt,
        max_uses: row.maxUses,
        uses_left: row.usesLeft,
      });
    },
    async takeInviteUse(inviteId) {
      return (await writes.takeUse.run(executor, { inviteId })) === 1;
    },
    async deleteInvite(workspaceId, inviteId) {
      return (await writes.remove.run(executor, { workspaceId, inviteId })) === 1;
    },
    async deleteInvitesBy(workspaceId, userId) {
      await writes.removeBy.run(executor, { workspaceId, userId });
    },
    async clearExpiredInvites(workspaceId, expiredBefore) {
      await writes.clearExpired.run(executor, { workspaceId, expiredBefore });
    },
  };
}
