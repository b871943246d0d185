import type { PathPrefix, Viewer, WorkspacePath } from '@stoa/core';
import { sql } from 'kysely';
import type { NodeReader, NodeWriter, PrivacyRow } from '../../service/ports/nodes.ts';
import type { Executor } from './executor.ts';
import { rangeBelow } from './path-range.ts';
import { compileQuery, type Placeholders } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import type { NodePrivacyTable } from './tables.ts';
import { decidingPrivacy, hasPrivacy, type Viewing, viewing, visibleTo } from './visibility.ts';

export interface WithinPrefix extends Viewing {
  readonly prefix: string;
  readonly after: string;
  readonly before: string;
}

type PrivacyRecord = Omit<NodePrivacyTable, 'workspace_id'>;

export type NodeQueries = ReturnType<typeof nodeQueries>;

export function nodeQueries(dialect: QueryDialect) {
  const { db, paths } = dialect;
  const path = sql.ref<string>('path');
  // One range from the prefix to the end of what is below it; names that sort between `a` and `a/b` drop out.
  const within = ({ prefix, after, before }: Placeholders<WithinPrefix>) =>
    sql<boolean>`${paths.compare(path, '>=', prefix)} and ${paths.compare(path, '<', before)}
      and (path = ${prefix} or path > ${after})`;
  const visible = (table: string, given: Placeholders<WithinPrefix>) => {
    const subject = { workspaceId: sql.ref(`${table}.workspace_id`), path: sql.ref<string>(`${table}.path`) };
    return visibleTo(dialect, subject, given);
  };
  return {
    icons: compileQuery((given: Placeholders<WithinPrefix>) =>
      db
        .selectFrom('node_icon')
        .select(['path', 'icon'])
        .where('workspace_id', '=', given.workspaceId)
        .where(within(given))
        .where(visible('node_icon', given), '=', sql.lit(1))
        .orderBy(paths.order(path)),
    ),
    orders: compileQuery((given: Placeholders<WithinPrefix>) =>
      db
        .selectFrom('node_order')
        .select(['path', 'position'])
        .where('workspace_id', '=', given.workspaceId)
        .where(within(given))
        .where(visible('node_order', given), '=', sql.lit(1))
        .orderBy(paths.order(path)),
    ),
    privateTo: compileQuery((given: Placeholders<WithinPrefix>) =>
      db
        .selectFrom('node_privacy')
        .select(['path', 'kind', 'owner_id', 'implied'])
        .where('workspace_id', '=', given.workspaceId)
        .where('owner_id', '=', given.viewerId)
        .where(within(given))
        .orderBy(paths.order(path)),
    ),
    page: compileQuery(
      ({ workspaceId, after, limit }: Placeholders<{ workspaceId: string; after: string; limit: number }>) =>
        db
          .selectFrom('node_privacy')
          .select(['path', 'kind', 'owner_id', 'implied'])
          .where('workspace_id', '=', workspaceId)
          .where(paths.compare(path, '>', after))
          .orderBy(paths.order(path))
          .limit(limit),
    ),
    deciding: compileQuery((subject: Placeholders<{ workspaceId: string; path: WorkspacePath }>) => ({
      compile: () =>
        decidingPrivacy<PrivacyRecord>(
          dialect,
          subject,
          'node_privacy.path, node_privacy.kind, node_privacy.owner_id, node_privacy.implied',
          hasPrivacy(subject.workspaceId),
        ).compile(db),
    })),
  };
}

export function createNodeReader(executor: Executor, queries: NodeQueries): NodeReader {
  return {
    async icons(workspaceId, prefix, viewer) {
      const records = await queries.icons.all(executor, withinPrefix(workspaceId, prefix, viewer));
      return new Map(records.map(({ path, icon }) => [path, icon]));
    },
    async orders(workspaceId, prefix, viewer) {
      const records = await queries.orders.all(executor, withinPrefix(workspaceId, prefix, viewer));
      return new Map(records.map(({ path, position }) => [path, position]));
    },
    async privateTo(workspaceId, prefix, viewer) {
      const records = await queries.privateTo.all(executor, withinPrefix(workspaceId, prefix, viewer));
      return records.map(toPrivacyRow);
    },
    async privacyPage({ workspaceId, afterPath, limit }) {
      const records = await queries.page.all(executor, { workspaceId, after: afterPath ?? '', limit });
      return records.map(toPrivacyRow);
    },
    async decidingPrivacy(workspaceId, path) {
      const record = await queries.deciding.get(executor, { workspaceId, path });
      return record === undefined ? null : toPrivacyRow(record);
    },
  };
}

function withinPrefix(workspaceId: string, prefix: PathPrefix, viewer: Viewer): WithinPrefix {
  return { ...viewing(workspaceId, viewer), prefix, ...rangeBelow(prefix) };
}

function toPrivacyRow({ path, kind, owner_id, implied }: PrivacyRecord): PrivacyRow {
  return { path, kind, ownerId: owner_id, implied: implied === 1 };
}

type AtPath = { workspaceId: string; path: WorkspacePath };
type ImpliedBelow = { workspaceId: string; ownerId: string; after: string; before: string };

export type NodeWrites = ReturnType<typeof nodeWrites>;

export function nodeWrites({ db, paths }: QueryDialect) {
  const keyed = sql.ref<string>('path');
  const removeFrom = (table: 'node_icon' | 'node_order' | 'node_privacy') =>
    compileQuery(({ workspaceId, path }: Placeholders<AtPath>) =>
      db.deleteFrom(table).where('workspace_id', '=', workspaceId).where(paths.same(keyed, path)),
    );
  return {
    clearIcon: removeFrom('node_icon'),
    clearOrder: removeFrom('node_order'),
    clearPrivacy: removeFrom('node_privacy'),
    setIcon: compileQuery(({ workspaceId, path, icon }: Placeholders<AtPath & { icon: string }>) =>
      db
        .insertInto('node_icon')
        .values({ workspace_id: workspaceId, path, icon })
        .onConflict((conflict) =>
          conflict.expression(paths.unique).doUpdateSet((of) => ({ icon: of.ref('excluded.icon') })),
        ),
    ),
    setOrder: compileQuery(({ workspaceId, path, position }: Placeholders<AtPath & { position: number }>) =>
      db
        .insertInto('node_order')
        .values({ workspace_id: workspaceId, path, position })
        .onConflict((conflict) =>
          conflict.expression(paths.unique).doUpdateSet((of) => ({ position: of.ref('excluded.position') })),
        ),
    ),
    replacePrivacy: compileQuery((row: Placeholders<NodePrivacyTable>) =>
      db
        .updateTable('node_privacy')
        .set({ kind: row.kind, owner_id: row.owner_id, implied: row.implied })
        .where('workspace_id', '=', row.workspace_id)
        .where(paths.same(keyed, row.path)),
    ),
    insertPrivacy: compileQuery((row: Placeholders<NodePrivacyTable>) =>
      db.insertInto('node_privacy').values({
        workspace_id: row.workspace_id,
        path: row.path,
        kind: row.kind,
        owner_id: row.owner_id,
        implied: row.implied,
      }),
    ),
    clearImpliedBelow: compileQuery(({ workspaceId, ownerId, after, before }: Placeholders<ImpliedBelow>) =>
      db
        .deleteFrom('node_privacy')
        .where('workspace_id', '=', workspaceId)
        .where(paths.compare(keyed, '>', after))
        .where(paths.compare(keyed, '<', before))
        .where('owner_id', '=', ownerId)
        .where('implied', '=', sql.lit(1)),
    ),
    countPrivacy: compileQuery(
      ({ workspaceId, records }: Placeholders<{ workspaceId: string; records: number }>) =>
        db
          .updateTable('workspace_counter')
          .set((of) => ({ privacy_records: of('privacy_records', '+', records) }))
          .where('workspace_id', '=', workspaceId),
    ),
  };
}

export function createNodeWriter(executor: Executor, writes: NodeWrites): NodeWriter {
  /** The counter lets reads skip looking for records: it must never be lower than their number. */
  const countPrivacy = async (workspaceId: string, records: number) => {
    if (records !== 0) await writes.countPrivacy.run(executor, { workspaceId, records });
  };
  return {
    async setIcon(workspaceId, path, icon) {
      if (icon === null) await writes.clearIcon.run(executor, { workspaceId, path });
      else await writes.setIcon.run(executor, { workspaceId, path, icon });
    },
    async setOrder(workspaceId, path, order) {
      if (order === null) await writes.clearOrder.run(executor, { workspaceId, path });
      else await writes.setOrder.run(executor, { workspaceId, path, position: order });
    },
    async setPrivacy(workspaceId, { path, kind, ownerId, implied }) {
      const row = {
        workspace_id: workspaceId,
        path,
        kind,
        owner_id: ownerId,
        implied: implied ? 1 : 0,
      };
      if ((await writes.replacePrivacy.run(executor, row)) === 1) return;
      await writes.insertPrivacy.run(executor, row);
      await countPrivacy(workspaceId, 1);
    },
    async clearPrivacy(workspaceId, path) {
      await countPrivacy(workspaceId, -(await writes.clearPrivacy.run(executor, { workspaceId, path })));
    },
    async clearImpliedPrivacyBelow(workspaceId, folder, ownerId) {
      const range = rangeBelow(folder);
      const cleared = await writes.clearImpliedBelow.run(executor, { workspaceId, ownerId, ...range });
      await countPrivacy(workspaceId, -cleared);
    },
  };
}
