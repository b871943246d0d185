import type { ContentHash, NodeKind, WorkspacePath } from '@stoa/core';
import { sql } from 'kysely';
import type { ShareReader, ShareRow, ShareWriter } from '../../service/ports/shares.ts';
import type { Executor } from './executor.ts';
import { incarnationsAt } from './file-versions.ts';
import { laterOf, rangeBelow } from './path-keys.ts';
import { columns, compileQuery, flag, type Placeholders, type StoredOf, type TableOf } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import { type Viewing, viewing, visibleTo } from './visibility.ts';
import { collectVisible } from './visible-steps.ts';

/** The pinned columns are all set or all null. */
export interface FlatShare extends Omit<ShareRow, 'pinned'> {
  readonly pinnedVersion: number | null;
  readonly pinnedHash: ContentHash | null;
  readonly pinnedBytes: number | null;
  readonly pinnedType: string | null;
}

const share = columns<FlatShare>()('share', {
  id: 'id',
  workspaceId: 'workspace_id',
  path: 'path',
  kind: 'kind',
  access: 'access',
  tokenHash: 'token_hash',
  passwordHash: 'password_hash',
  pinnedVersion: 'pinned_version',
  pinnedHash: 'pinned_hash',
  pinnedBytes: 'pinned_bytes',
  pinnedType: 'pinned_type',
  allowScripts: flag('allow_scripts'),
  createdBy: 'created_by',
  createdAt: 'created_at',
  viewCount: 'views',
});

const viewDay = columns<{ workspaceId: string; day: number; views: number }>()('share_view_day', {
  workspaceId: 'workspace_id',
  day: 'day',
  views: 'views',
});

export type ShareTable = TableOf<typeof share>;
export type ShareViewDayTable = TableOf<typeof viewDay>;

type StoredShare = StoredOf<typeof share>;
type SeenShare = StoredShare & { readonly visible: number };
type AtPath = { workspaceId: string; path: WorkspacePath };

export type ShareQueries = ReturnType<typeof shareQueries>;

export function shareQueries(dialect: QueryDialect) {
  const { db, paths } = dialect;
  const keyed = sql.ref<string>('path');
  const shares = db.selectFrom('share').select(share.selection);
  const at = ({ workspaceId, path }: Placeholders<AtPath>) =>
    shares.where('workspace_id', '=', workspaceId).where(paths.same(keyed, path));
  return {
    find: compileQuery(({ workspaceId, shareId }: Placeholders<{ workspaceId: string; shareId: string }>) =>
      shares.where('workspace_id', '=', workspaceId).where('id', '=', shareId),
    ),
    findByTokenHash: compileQuery(({ tokenHash }: Placeholders<{ tokenHash: string }>) =>
      shares.where('token_hash', '=', tokenHash),
    ),
    listAt: compileQuery((given: Placeholders<AtPath>) => at(given).orderBy('created_at').orderBy('id')),
    pageFlagged: compileQuery(
      (given: Placeholders<Viewing & { createdAt: number; id: string; rows: number }>) => {
        const subject = { workspaceId: sql.ref('share.workspace_id'), path: sql.ref<string>('share.path') };
        return shares
          .select(visibleTo(dialect, subject, given).as('visible'))
          .where('workspace_id', '=', given.workspaceId)
          .where(sql<boolean>`(created_at, id) < (${given.createdAt}, ${given.id})`)
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .limit(given.rows);
      },
    ),
    hasFolderAt: compileQuery((given: Placeholders<AtPath>) =>
      at(given).where('kind', '=', sql.lit('folder')).limit(sql.lit(1)),
    ),
    foldersBelow: compileQuery(
      ({
        workspaceId,
        after,
        before,
        limit,
      }: Placeholders<{ workspaceId: string; after: string; before: string; limit: number }>) =>
        db
          .selectFrom('share')
          .select('path')
          .where('workspace_id', '=', workspaceId)
          .where(paths.compare(keyed, '>', after))
          .where(paths.compare(keyed, '<', before))
          .where('kind', '=', sql.lit('folder'))
          .groupBy('path')
          .orderBy(paths.order(keyed))
          .limit(limit),
    ),
    countAt: compileQuery(({ workspaceId, path }: Placeholders<AtPath>) =>
      db
        .selectFrom('share')
        .select((of) => of.fn.countAll<number>().as('shares'))
        .where('workspace_id', '=', workspaceId)
        .where(paths.same(keyed, path)),
    ),
    versionWithHash: compileQuery((given: Placeholders<AtPath & { contentHash: ContentHash }>) =>
      db
        .with('stay', () => incarnationsAt(dialect, given))
        .selectFrom('stay')
        .crossJoin('file_version')
        .select([
          'file_version.version',
          'file_version.content_hash',
          'file_version.size_bytes',
          'file_version.content_type',
        ])
        .where('file_version.workspace_id', '=', given.workspaceId)
        .whereRef('file_version.incarnation', '=', 'stay.incarnation')
        .where('file_version.content_hash', '=', given.contentHash)
        .orderBy('file_version.incarnation', 'desc')
        .orderBy('file_version.version', 'desc')
        .limit(sql.lit(1)),
    ),
    views: compileQuery(
      ({ workspaceId, sinceDay }: Placeholders<{ workspaceId: string; sinceDay: number }>) =>
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
    insert: compileQuery((row: Placeholders<StoredShare>) =>
      db.insertInto('share').values(share.values(row)),
    ),
    setScripts: compileQuery(({ id, allowScripts }: Placeholders<Pick<StoredShare, 'id' | 'allowScripts'>>) =>
      db.updateTable('share').set({ allow_scripts: allowScripts }).where('id', '=', id),
    ),
    remove: compileQuery(({ id }: Placeholders<{ id: string }>) =>
      db.deleteFrom('share').where('id', '=', id),
    ),
    removeAllBy: compileQuery(({ userId }: Placeholders<{ userId: string }>) =>
      db.deleteFrom('share').where('created_by', '=', userId),
    ),
    removeAt: compileQuery(
      ({ workspaceId, path }: Placeholders<{ workspaceId: string; path: WorkspacePath }>) =>
        db.deleteFrom('share').where('workspace_id', '=', workspaceId).where(paths.same(keyed, path)),
    ),
    removeBelow: compileQuery(
      ({
        workspaceId,
        after,
        before,
      }: Placeholders<{ workspaceId: string; after: string; before: string }>) =>
        db
          .deleteFrom('share')
          .where('workspace_id', '=', workspaceId)
          .where(paths.compare(keyed, '>', after))
          .where(paths.compare(keyed, '<', before)),
    ),
    move: compileQuery(
      ({
        workspaceId,
        kind,
        from,
        to,
      }: Placeholders<{ workspaceId: string; kind: NodeKind; from: WorkspacePath; to: WorkspacePath }>) =>
        db
          .updateTable('share')
          .set({ path: to })
          .where('workspace_id', '=', workspaceId)
          .where(paths.same(keyed, from))
          .where('kind', '=', kind),
    ),
    countViews: compileQuery(({ id, views }: Placeholders<{ id: string; views: number }>) =>
      db
        .updateTable('share')
        .set((of) => ({ views: of('views', '+', views) }))
        .where('id', '=', id),
    ),
    countDay: compileQuery((row: Placeholders<StoredOf<typeof viewDay>>) =>
      db
        .insertInto('share_view_day')
        .values(viewDay.values(row))
        .onConflict((conflict) =>
          conflict.columns(['workspace_id', 'day']).doUpdateSet((of) => ({
            views: of('share_view_day.views', '+', of.ref('excluded.views')),
          })),
        ),
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
    async page({ workspaceId, viewer, before, limit }) {
      const looking = viewing(workspaceId, viewer);
      const records = await collectVisible<SeenShare>(executor, limit, (last, rows) =>
        queries.pageFlagged.all(executor, {
          ...looking,
          createdAt: last?.createdAt ?? before?.createdAt ?? Number.MAX_SAFE_INTEGER,
          id: last?.id ?? before?.id ?? '',
          rows,
        }),
      );
      return records.map(({ visible: _, ...record }) => toShareRow(record));
    },
    async sharedFolderPage({ workspaceId, folder, afterPath, limit }) {
      const atFolder = { workspaceId, path: folder };
      const hasOwn = afterPath === null && (await queries.hasFolderAt.get(executor, atFolder)) !== undefined;
      const own = hasOwn ? [folder] : [];
      const { after, before } = rangeBelow(folder);
      const from = laterOf(afterPath ?? '', after);
      const below = { workspaceId, after: from, before, limit: limit - own.length };
      return [...own, ...(await queries.foldersBelow.all(executor, below)).map(({ path }) => path)];
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

export function createShareWriter(executor: Executor, queries: ShareQueries): ShareWriter {
  return {
    async insertShare(row) {
      const { version = null, contentHash = null, sizeBytes = null, contentType = null } = row.pinned ?? {};
      const flat = {
        pinnedVersion: version,
        pinnedHash: contentHash,
        pinnedBytes: sizeBytes,
        pinnedType: contentType,
      };
      await queries.insert.run(executor, share.toStored({ ...row, ...flat }));
    },
    async setShareScripts(id, allowScripts) {
      await queries.setScripts.run(executor, { id, allowScripts: allowScripts ? 1 : 0 });
    },
    async deleteShare(id) {
      await queries.remove.run(executor, { id });
    },
    async deleteSharesBy(userId) {
      return await queries.removeAllBy.run(executor, { userId });
    },
    async deleteSharesAt(workspaceId, path) {
      await queries.removeAt.run(executor, { workspaceId, path });
    },
    async deleteSharesBelow(workspaceId, folder) {
      await queries.removeBelow.run(executor, { workspaceId, ...rangeBelow(folder) });
    },
    async moveSharesAt(workspaceId, kind, from, to) {
      await queries.move.run(executor, { workspaceId, kind, from, to });
    },
    async countShareViews({ shareId, workspaceId, day, count }) {
      await queries.countViews.run(executor, { id: shareId, views: count });
      await queries.countDay.run(executor, { workspaceId, day, views: count });
    },
  };
}

function toShareRow(stored: StoredShare): ShareRow {
  const { pinnedVersion, pinnedHash, pinnedBytes, pinnedType, ...row } = share.toRow(stored);
  const isPinned =
    pinnedVersion !== null && pinnedHash !== null && pinnedBytes !== null && pinnedType !== null;
  const pinned = isPinned
    ? { version: pinnedVersion, contentHash: pinnedHash, sizeBytes: pinnedBytes, contentType: pinnedType }
    : null;
  return { ...row, pinned };
}
