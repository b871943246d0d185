import type { InviteReader, InviteRow, InviteWithMaker, InviteWriter } from '../../service/ports/invites.ts';
import type { Executor } from './executor.ts';
import { columns, compileQuery, type Placeholders, type StoredOf, type TableOf } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

const invite = columns<InviteRow>()('invite', {
  id: 'id',
  workspaceId: 'workspace_id',
  createdBy: 'created_by',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  maxUses: 'max_uses',
  usesLeft: 'uses_left',
});

/** The hash of the token is only used in lookups. */
export type InviteTable = TableOf<typeof invite> & { token_hash: string };

type StoredInvite = StoredOf<typeof invite>;
type StoredWithMaker = StoredInvite & {
  readonly makerName: string | null;
  readonly makerImage: string | null;
};

export type InviteQueries = ReturnType<typeof inviteQueries>;

export function inviteQueries({ db }: QueryDialect) {
  const invites = db.selectFrom('invite').select(invite.selection);
  const withMaker = invites
    .leftJoin('user', 'user.id', 'invite.created_by')
    .select(['user.name as makerName', 'user.image as makerImage']);
  return {
    findByHash: compileQuery(({ tokenHash }: Placeholders<{ tokenHash: string }>) =>
      invites.where('invite.token_hash', '=', tokenHash),
    ),
    previewByHash: compileQuery(({ tokenHash }: Placeholders<{ tokenHash: string }>) =>
      withMaker
        .innerJoin('workspace', 'workspace.id', 'invite.workspace_id')
        .select(['workspace.name', 'workspace.icon', 'workspace.color'])
        .where('invite.token_hash', '=', tokenHash),
    ),
    listOf: compileQuery(({ workspaceId, limit }: Placeholders<{ workspaceId: string; limit: number }>) =>
      withMaker
        .where('invite.workspace_id', '=', workspaceId)
        .orderBy('invite.created_at', 'desc')
        .orderBy('invite.id', 'desc')
        .limit(limit),
    ),
    countOf: compileQuery(({ workspaceId }: Placeholders<{ workspaceId: string }>) =>
      db
        .selectFrom('invite')
        .select((of) => of.fn.countAll<number>().as('invites'))
        .where('workspace_id', '=', workspaceId),
    ),
  };
}

export function createInviteReader(executor: Executor, queries: InviteQueries): InviteReader {
  return {
    async findByHash(tokenHash) {
      const record = await queries.findByHash.get(executor, { tokenHash });
      return record === undefined ? null : invite.toRow(record);
    },
    async previewByHash(tokenHash) {
      const record = await queries.previewByHash.get(executor, { tokenHash });
      if (record === undefined) return null;
      const { name, icon, color, ...stored } = record;
      return {
        invite: toInviteWithMaker(stored),
        workspace: { id: stored.workspaceId, name, icon, color },
      };
    },
    async listOf(workspaceId, limit) {
      return (await queries.listOf.all(executor, { workspaceId, limit })).map(toInviteWithMaker);
    },
    async countOf(workspaceId) {
      return (await queries.countOf.get(executor, { workspaceId }))?.invites ?? 0;
    },
  };
}

function toInviteWithMaker(stored: StoredWithMaker): InviteWithMaker {
  const { makerName, makerImage, ...row } = invite.toRow(stored);
  return { ...row, makerName: makerName ?? '', makerImage: makerImage ?? '' };
}

type InviteKey = { workspaceId: string; inviteId: string };

export type InviteWrites = ReturnType<typeof inviteWrites>;

export function inviteWrites({ db }: QueryDialect) {
  return {
    insert: compileQuery((row: Placeholders<StoredInvite & { tokenHash: string }>) =>
      db.insertInto('invite').values({ ...invite.values(row), token_hash: row.tokenHash }),
    ),
    /** Unlimited (null) minus one stays unlimited. */
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
    removeAllBy: compileQuery(({ userId }: Placeholders<{ userId: string }>) =>
      db.deleteFrom('invite').where('created_by', '=', userId),
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
      await writes.insert.run(executor, row);
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
    async deleteAllInvitesBy(userId) {
      return await writes.removeAllBy.run(executor, { userId });
    },
    async clearExpiredInvites(workspaceId, expiredBefore) {
      await writes.clearExpired.run(executor, { workspaceId, expiredBefore });
    },
  };
}
