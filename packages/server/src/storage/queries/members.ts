import type { MemberRole } from '@stoa/core';
import type { MemberReader, MemberWriter } from '../../service/ports/members.ts';
import type { Executor } from './executor.ts';
import { compileQuery, type Placeholders } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import type { MemberTable, Tables } from './tables.ts';

type MemberKey = { workspaceId: string; userId: string };

export type MemberQueries = ReturnType<typeof memberQueries>;

export function memberQueries({ db }: QueryDialect) {
  return {
    standing: compileQuery(
      ({
        workspaceId,
        userId,
        keyId,
        sessionId,
      }: Placeholders<MemberKey & { keyId: string; sessionId: string }>) =>
        db
          .selectFrom('user')
          .leftJoin('member', (join) =>
            join.on('member.workspace_id', '=', workspaceId).on('member.user_id', '=', userId),
          )
          .leftJoin('api_key', (join) => join.on('api_key.id', '=', keyId).on('api_key.user_id', '=', userId))
          .leftJoin('session', (join) =>
            join.on('session.id', '=', sessionId).on('session.userId', '=', userId),
          )
          .select([
            'member.role',
            'api_key.id as key_id',
            'api_key.disabled',
            'api_key.expires_at',
            'api_key.deleted_at',
            'session.expiresAt as session_expires_at',
          ])
          .where('user.id', '=', userId),
    ),
    find: compileQuery(({ workspaceId, userId }: Placeholders<MemberKey>) =>
      db
        .selectFrom('member')
        .innerJoin('user', 'user.id', 'member.user_id')
        .select(['member.user_id', 'user.name', 'user.image', 'member.role'])
        .where('member.workspace_id', '=', workspaceId)
        .where('member.user_id', '=', userId),
    ),
    countOwners: compileQuery(({ workspaceId }: Placeholders<{ workspaceId: string }>) =>
      db
        .selectFrom('member')
        .select((of) => of.fn.countAll<number>().as('owners'))
        .where('workspace_id', '=', workspaceId)
        .where('role', '=', 'owner'),
    ),
    removedAt: compileQuery(({ workspaceId, userId }: Placeholders<MemberKey>) =>
      db
        .selectFrom('removed_member')
        .select('removed_at')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId),
    ),
    setRole: compileQuery(({ workspaceId, userId, role }: Placeholders<MemberKey & { role: MemberRole }>) =>
      db
        .updateTable('member')
        .set({ role })
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId),
    ),
    remove: compileQuery(({ workspaceId, userId }: Placeholders<MemberKey>) =>
      db.deleteFrom('member').where('workspace_id', '=', workspaceId).where('user_id', '=', userId),
    ),
    noteRemoval: compileQuery((row: Placeholders<Tables['removed_member']>) =>
      db
        .insertInto('removed_member')
        .values({ workspace_id: row.workspace_id, user_id: row.user_id, removed_at: row.removed_at })
        .onConflict((conflict) =>
          conflict
            .columns(['workspace_id', 'user_id'])
            .doUpdateSet((of) => ({ removed_at: of.ref('excluded.removed_at') })),
        ),
    ),
    insert: compileQuery((row: Placeholders<Omit<MemberTable, 'joined_seq'>>) =>
      db.insertInto('member').values({
        workspace_id: row.workspace_id,
        user_id: row.user_id,
        role: row.role,
        created_at: row.created_at,
        // Items hidden before somebody joined were never shown to them, not even their paths: see the queries of changes.
        joined_seq: (of) =>
          of.selectFrom('workspace_counter').select('seq').where('workspace_id', '=', row.workspace_id),
      }),
    ),
  };
}

export function createMemberReader(executor: Executor, queries: MemberQueries): MemberReader {
  return {
    async standing({ userId, workspaceId, keyId, sessionId }) {
      const record = await queries.standing.get(executor, {
        userId,
        workspaceId: workspaceId ?? '',
        keyId: keyId ?? '',
        sessionId: sessionId ?? '',
      });
      if (record === undefined) return { role: null, key: null, sessionExpiresAt: null };
      const { key_id, disabled, expires_at, deleted_at, session_expires_at } = record;
      return {
        role: record.role,
        key:
          key_id === null ? null : { disabled: disabled === 1, expiresAt: expires_at, deletedAt: deleted_at },
        sessionExpiresAt: session_expires_at === null ? null : Date.parse(session_expires_at),
      };
    },
    async find(workspaceId, userId) {
      const record = await queries.find.get(executor, { workspaceId, userId });
      if (record === undefined) return null;
      const { name, image, role } = record;
      return { userId: record.user_id, name, image: image ?? '', role };
    },
    async countOwners(workspaceId) {
      return (await queries.countOwners.get(executor, { workspaceId }))?.owners ?? 0;
    },
    async removedAt(workspaceId, userId) {
      return (await queries.removedAt.get(executor, { workspaceId, userId }))?.removed_at ?? null;
    },
  };
}

export function createMemberWriter(executor: Executor, queries: MemberQueries): MemberWriter {
  return {
    async insertMember({ workspaceId, userId, role, createdAt }) {
      await queries.insert.run(executor, {
        workspace_id: workspaceId,
        user_id: userId,
        role,
        created_at: createdAt,
      });
    },
    async setMemberRole(workspaceId, userId, role) {
      await queries.setRole.run(executor, { workspaceId, userId, role });
    },
    async removeMember(workspaceId, userId) {
      await queries.remove.run(executor, { workspaceId, userId });
    },
    async noteRemoval(workspaceId, userId, removedAt) {
      const row = { workspace_id: workspaceId, user_id: userId, removed_at: removedAt };
      await queries.noteRemoval.run(executor, row);
    },
  };
}
