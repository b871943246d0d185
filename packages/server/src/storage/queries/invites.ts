import type { InviteReader, InviteRow, InviteWithMaker, InviteWriter } from '../../service/ports/invites.ts';
import type { Executor } from './executor.ts';
import { compileQuery, type Placeholders } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import type { InviteTable } from './tables.ts';

type InviteRecord = Omit<InviteTable, 'token_hash'>;
type MakerRecord = InviteRecord & { readonly maker_name: string | null; readonly maker_image: string | null };

const inviteColumns = [
  'invite.id',
  'invite.workspace_id',
  'invite.created_by',
  'invite.created_at',
  'invite.expires_at',
  'invite.max_uses',
  'invite.uses_left',
] as const;

export type InviteQueries = ReturnType<typeof inviteQueries>;

export function inviteQueries({ db }: QueryDialect) {
  const invites = db.selectFrom('invite').select(inviteColumns);
  const withMaker = invites
    .leftJoin('user', 'user.id', 'invite.created_by')
    .select(['user.name as maker_name', 'user.image as maker_image']);
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
      return record === undefined ? null : toInviteRow(record);
    },
    async previewByHash(tokenHash) {
      const record = await queries.previewByHash.get(executor, { tokenHash });
      if (record === undefined) return null;
      const { workspace_id: id, name, icon, color } = record;
      return { invite: toInviteWithMaker(record), workspace: { id, name, icon, color } };
    },
    async listOf(workspaceId, limit) {
      return (await queries.listOf.all(executor, { workspaceId, limit })).map(toInviteWithMaker);
    },
    async countOf(workspaceId) {
      return (await queries.countOf.get(executor, { workspaceId }))?.invites ?? 0;
    },
  };
}

function toInviteWithMaker(record: MakerRecord): InviteWithMaker {
  return {
    ...toInviteRow(record),
    makerName: record.maker_name ?? '',
    makerImage: record.maker_image ?? '',
  };
}

function toInviteRow(record: InviteRecord): InviteRow {
  return {
    id: record.id,
    workspaceId: record.workspace_id,
    createdBy: record.created_by,
    createdAt: record.created_at,
    expiresAt: record.expires_at,
    maxUses: record.max_uses,
    usesLeft: record.uses_left,
  };
}

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
