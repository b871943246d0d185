import type { NodeKind, WorkspacePath } from '@stoa/core';
import { sql } from 'kysely';
import type { ShareWriter } from '../../service/ports/share-store.ts';
import type { Executor } from './executor.ts';
import { rangeBelow } from './path-range.ts';
import { compileQuery, type Slots } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import type { ShareTable, ShareViewDayTable } from './share-tables.ts';

export type ShareWrites = ReturnType<typeof shareWrites>;

export function shareWrites({ db, paths }: QueryDialect) {
  const keyed = sql.ref<string>('path');
  return {
    insert: compileQuery((row: Slots<ShareTable>) =>
      db.insertInto('share').values({
        id: row.id,
        workspace_id: row.workspace_id,
        path: row.path,
        kind: row.kind,
        access: row.access,
        token_hash: row.token_hash,
        password_hash: row.password_hash,
        pinned_version: row.pinned_version,
        pinned_hash: row.pinned_hash,
        pinned_bytes: row.pinned_bytes,
        pinned_type: row.pinned_type,
        allow_scripts: row.allow_scripts,
        created_by: row.created_by,
        created_at: row.created_at,
        views: row.views,
      }),
    ),
    setScripts: compileQuery(({ id, allow_scripts }: Slots<Pick<ShareTable, 'id' | 'allow_scripts'>>) =>
      db.updateTable('share').set({ allow_scripts }).where('id', '=', id),
    ),
    remove: compileQuery(({ id }: Slots<{ id: string }>) => db.deleteFrom('share').where('id', '=', id)),
    removeAt: compileQuery(({ workspaceId, path }: Slots<{ workspaceId: string; path: WorkspacePath }>) =>
      db.deleteFrom('share').where('workspace_id', '=', workspaceId).where(paths.same(keyed, path)),
    ),
    removeBelow: compileQuery(
      ({ workspaceId, after, before }: Slots<{ workspaceId: string; after: string; before: string }>) =>
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
      }: Slots<{ workspaceId: string; kind: NodeKind; from: WorkspacePath; to: WorkspacePath }>) =>
        db
          .updateTable('share')
          .set({ path: to })
          .where('workspace_id', '=', workspaceId)
          .where(paths.same(keyed, from))
          .where('kind', '=', kind),
    ),
    countViews: compileQuery(({ id, views }: Slots<{ id: string; views: number }>) =>
      db
        .updateTable('share')
        .set((of) => ({ views: of('views', '+', views) }))
        .where('id', '=', id),
    ),
    countDay: compileQuery((row: Slots<ShareViewDayTable>) =>
      db
        .insertInto('share_view_day')
        .values({ workspace_id: row.workspace_id, day: row.day, views: row.views })
        .onConflict((conflict) =>
          conflict.columns(['workspace_id', 'day']).doUpdateSet((of) => ({
            views: of('share_view_day.views', '+', of.ref('excluded.views')),
          })),
        ),
    ),
  };
}

export function createShareWriter(executor: Executor, writes: ShareWrites): ShareWriter {
  return {
    async insertShare(row) {
      await writes.insert.run(executor, {
        id: row.id,
        workspace_id: row.workspaceId,
        path: row.path,
        kind: row.kind,
        access: row.access,
        token_hash: row.tokenHash,
        password_hash: row.passwordHash,
        pinned_version: row.pinned?.version ?? null,
        pinned_hash: row.pinned?.contentHash ?? null,
        pinned_bytes: row.pinned?.sizeBytes ?? null,
        pinned_type: row.pinned?.contentType ?? null,
        allow_scripts: row.allowScripts ? 1 : 0,
        created_by: row.createdBy,
        created_at: row.createdAt,
        views: row.viewCount,
      });
    },
    async setShareScripts(id, allowScripts) {
      await writes.setScripts.run(executor, { id, allow_scripts: allowScripts ? 1 : 0 });
    },
    async deleteShare(id) {
      await writes.remove.run(executor, { id });
    },
    async deleteSharesAt(workspaceId, path) {
      await writes.removeAt.run(executor, { workspaceId, path });
    },
    async deleteSharesBelow(workspaceId, folder) {
      await writes.removeBelow.run(executor, { workspaceId, ...rangeBelow(folder) });
    },
    async moveSharesAt(workspaceId, kind, from, to) {
      await writes.move.run(executor, { workspaceId, kind, from, to });
    },
    async countShareViews({ shareId, workspaceId, day, count }) {
      await writes.countViews.run(executor, { id: shareId, views: count });
      await writes.countDay.run(executor, { workspace_id: workspaceId, day, views: count });
    },
  };
}
