import type { MemberRole } from '@stoa/core';
import { sql } from 'kysely';
import type { MemberReader, MemberRow, MemberWriter, NewMember } from '../../service/ports/members.ts';
import type { Executor } from './executor.ts';
import { columns, compileQuery, type Placeholders, type StoredOf, type TableOf } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

const member = columns<NewMember>()('member', {
  workspaceId: 'workspace_id',
  userId: 'user_id',
  role: 'role',
  createdAt: 'created_at',
});

const removedMember = columns<{ workspaceId: string; userId: string; removedAt: number }>()(
  'removed_member',
  { workspaceId: 'workspace_id', userId: 'user_id', removedAt: 'removed_at' },
);

/** `joined_seq` is the head of the feed when the member joined. The statement reads it itself. */
export type MemberTable = TableOf<typeof member> & { joined_seq: number };
export type RemovedMemberTable = TableOf<typeof removedMember>;

type MemberKey = { workspaceId: string; userId: string };

export type MemberQueries = ReturnType<typeof memberQueries>;

export function memberQueries({ db }: QueryDialect) {
  const members = db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select(['member.user_id as userId', 'user.name', 'user.image', 'member.role']);
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
            'api_key.id as keyId',
            'api_key.disabled',
            'api_key.expires_at as expiresAt',
            'api_key.deleted_at as deletedAt',
            'api_key.access',
            'api_key.path',
            'session.expiresAt as sessionExpiresAt',
            'user.disabledAt as disabledAt',
          ])
          .where('user.id', '=', userId),
    ),
    find: compileQuery(({ workspaceId, userId }: Placeholders<MemberKey>) =>
      members.where('member.workspace_id', '=', workspaceId).where('member.user_id', '=', userId),
    ),
    listOf: compileQuery(({ workspaceId }: Placeholders<{ workspaceId: string }>) =>
      members
        .where('member.workspace_id', '=', workspaceId)
        .orderBy(sql`case member.role when 'owner' then 0 when 'admin' then 1 else 2 end`)
        .orderBy('user.name')
        .orderBy('user.id'),
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
    noteRemoval: compileQuery((row: Placeholders<StoredOf<typeof removedMember>>) =>
      db
        .insertInto('removed_member')
        .values(removedMember.values(row))
        .onConflict((conflict) =>
          conflict
            .columns(['workspace_id', 'user_id'])
            .doUpdateSet((of) => ({ removed_at: of.ref('excluded.removed_at') })),
        ),
    ),
    insert: compileQuery((row: Placeholders<StoredOf<typeof member>>) =>
      db.insertInto('member').values({
        ...member.values(row),
        // Items that were hidden before a member joined must stay unknown to them, even their paths: see the queries of
        // changes.
        joined_seq: (of) =>
          of.selectFrom('workspace_counter').select('seq').where('workspace_id', '=', row.workspaceId),
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
      const {
        role,
        keyId: foundKey,
        access,
        path,
        disabled,
        expiresAt,
        deletedAt,
        sessionExpiresAt,
        disabledAt,
      } = record;
      const isDisabled = disabledAt !== null;
      return {
        role,
        key:
          foundKey === null || access === null || path === null
            ? null
            : { disabled: isDisabled || disabled === 1, expiresAt, deletedAt, access, path },
        sessionExpiresAt: isDisabled || sessionExpiresAt === null ? null : Date.parse(sessionExpiresAt),
      };
    },
    async find(workspaceId, userId) {
      const record = await queries.find.get(executor, { workspaceId, userId });
      return record === undefined ? null : toMemberRow(record);
    },
    async listOf(workspaceId) {
      return (await queries.listOf.all(executor, { workspaceId })).map(toMemberRow);
    },
    async countOwners(workspaceId) {
      return (await queries.countOwners.get(executor, { workspaceId }))?.owners ?? 0;
    },
    async removedAt(workspaceId, userId) {
      return (await queries.removedAt.get(executor, { workspaceId, userId }))?.removed_at ?? null;
    },
  };
}

function toMemberRow({ image, ...row }: Omit<MemberRow, 'image'> & { image: string | null }): MemberRow {
  return { ...row, image: image ?? '' };
}

export function createMemberWriter(executor: Executor, queries: MemberQueries): MemberWriter {
  return {
    async insertMember(row) {
      await queries.insert.run(executor, row);
    },
    async setMemberRole(workspaceId, userId, role) {
      await queries.setRole.run(executor, { workspaceId, userId, role });
    },
    async removeMember(workspaceId, userId) {
      await queries.remove.run(executor, { workspaceId, userId });
    },
    async noteRemoval(workspaceId, userId, removedAt) {
      await queries.noteRemoval.run(executor, { workspaceId, userId, removedAt });
    },
  };
}
