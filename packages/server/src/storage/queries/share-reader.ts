import type { ContentHash, WorkspacePath } from '@stoa/core';
import { sql } from 'kysely';
import type { PinnedContent, ShareReader, ShareRow } from '../../service/ports/share-store.ts';
import type { Executor } from './executor.ts';
import { rangeBelow } from './path-range.ts';
import { compileQuery, type Slots } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import type { ShareTable } from './share-tables.ts';

type AtPath = { workspaceId: string; path: WorkspacePath };

export type ShareQueries = ReturnType<typeof shareQueries>;

export function shareQueries({ db, paths }: QueryDialect) {
  const keyed = sql.ref<string>('path');
  const shares = db.selectFrom('share').selectAll();
  const at = ({ workspaceId, path }: Slots<AtPath>) =>
    shares.where('workspace_id', '=', workspaceId).where(paths.same(keyed, path));
  return {
    find: compileQuery(({ workspaceId, shareId }: Slots<{ workspaceId: string; shareId: string }>) =>
      shares.where('workspace_id', '=', workspaceId).where('id', '=', shareId),
    ),
    findByTokenHash: compileQuery(({ tokenHash }: Slots<{ tokenHash: string }>) =>
      shares.where('token_hash', '=', tokenHash),
    ),
    listAt: compileQuery((slots: Slots<AtPath>) => at(slots).orderBy('created_at').orderBy('id')),
    foldersAt: compileQuery((slots: Slots<AtPath>) => at(slots).where('kind', '=', sql.lit('folder'))),
    foldersBelow: compileQuery(
      ({ workspaceId, after, before }: Slots<{ workspaceId: string; after: string; before: string }>) =>
        shares
          .where('workspace_id', '=', workspaceId)
          .where(paths.compare(keyed, '>', after))
          .where(paths.compare(keyed, '<', before))
          .where('kind', '=', sql.lit('folder'))
          .orderBy(paths.order(keyed))
          .orderBy('id'),
    ),
    countAt: compileQuery(({ workspaceId, path }: Slots<AtPath>) =>
      db
        .selectFrom('share')
        .select((of) => of.fn.countAll<number>().as('shares'))
        .where('workspace_id', '=', workspaceId)
        .where(paths.same(keyed, path)),
    ),
    versionWithHash: compileQuery(
      ({ workspaceId, path, contentHash }: Slots<AtPath & { contentHash: ContentHash }>) =>
        db
          .selectFrom('file_version as first_version')
          .innerJoin('file_version', (join) =>
            join
              .onRef('file_version.workspace_id', '=', 'first_version.workspace_id')
              .onRef('file_version.incarnation', '=', 'first_version.incarnation'),
          )
          .select([
            'file_version.version',
            'file_version.content_hash',
            'file_version.size_bytes',
            'file_version.content_type',
          ])
          .where('first_version.workspace_id', '=', workspaceId)
          .where(paths.same(sql.ref<string>('first_version.path'), path))
          .where('first_version.version', '=', sql.lit(1))
          .where('file_version.content_hash', '=', contentHash)
          .orderBy('file_version.incarnation', 'desc')
          .orderBy('file_version.version', 'desc')
          .limit(sql.lit(1)),
    ),
    views: compileQuery(({ workspaceId, sinceDay }: Slots<{ workspaceId: string; sinceDay: number }>) =>
      db
        .selectFrom('share_view_day')
        .select([
          sql<number>`cast(coalesce(sum(views), 0) as bigint)`.as('total'),
          sql<number>`cast(coalesce(sum(case when day >= ${sinceDay} then views else 0 end), 0) as bigint)`.as(
            'recent',
          ),
        ])
        .where('workspace_id', '=', workspaceId),
    ),
  };
}

export function createShareReader(executor: Executor, queries: ShareQueries): ShareReader {
  return {
    async find(workspaceId, shareId) {
      const record = await queries.find.get(executor, { workspaceId, shareId });
      return record === undefined ? null : toShareRow(record);
    },
    async findByTokenHash(tokenHash) {
      const record = await queries.findByTokenHash.get(executor, { tokenHash });
      return record === undefined ? null : toShareRow(record);
    },
    async listAt(workspaceId, path) {
      return (await queries.listAt.all(executor, { workspaceId, path })).map(toShareRow);
    },
    async listFoldersWithin(workspaceId, folder) {
      const at = await queries.foldersAt.all(executor, { workspaceId, path: folder });
      const below = await queries.foldersBelow.all(executor, { workspaceId, ...rangeBelow(folder) });
      return [...at, ...below].map(toShareRow);
    },
    async countAt(workspaceId, path) {
      return (await queries.countAt.get(executor, { workspaceId, path }))?.shares ?? 0;
    },
    async findVersionWithHash(workspaceId, path, contentHash) {
      const record = await queries.versionWithHash.get(executor, { workspaceId, path, contentHash });
      if (record === undefined) return null;
      return {
        version: record.version,
        contentHash: record.content_hash,
        sizeBytes: record.size_bytes,
        contentType: record.content_type,
      };
    },
    async views(workspaceId, sinceDay) {
      const found = await queries.views.get(executor, { workspaceId, sinceDay });
      return { total: found?.total ?? 0, recent: found?.recent ?? 0 };
    },
  };
}

function toShareRow(record: ShareTable): ShareRow {
  return {
    id: record.id,
    workspaceId: record.workspace_id,
    path: record.path,
    kind: record.kind,
    access: record.access,
    tokenHash: record.token_hash,
    passwordHash: record.password_hash,
    pinned: pinnedOf(record),
    allowScripts: record.allow_scripts === 1,
    createdBy: record.created_by,
    createdAt: record.created_at,
    viewCount: record.views,
  };
}

function pinnedOf(record: ShareTable): PinnedContent | null {
  const { pinned_version: version, pinned_hash: contentHash } = record;
  const { pinned_bytes: sizeBytes, pinned_type: contentType } = record;
  if (version === null || contentHash === null || sizeBytes === null || contentType === null) return null;
  return { version, contentHash, sizeBytes, contentType };
}
