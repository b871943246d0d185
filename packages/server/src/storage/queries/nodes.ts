import type { PathPrefix, Viewer, WorkspacePath } from '@stoa/core';
import { sql } from 'kysely';
import type { NodeReader, NodeWriter, PrivacyRow } from '../../service/ports/nodes.ts';
import type { Executor } from './executor.ts';
import { laterOf, rangeBelow } from './path-keys.ts';
import { columns, compileQuery, flag, type Placeholders, type StoredOf, type TableOf } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import { decidingPrivacy, hasPrivacy, inSight, type Viewing, viewing, visibleTo } from './visibility.ts';

type AtPath = { readonly workspaceId: string; readonly path: WorkspacePath };

export interface WithinPrefix extends Viewing {
  readonly prefix: string;
  readonly after: string;
  readonly before: string;
}

const privacy = columns<PrivacyRow>()('node_privacy', {
  path: 'path',
  kind: 'kind',
  ownerId: 'owner_id',
  implied: flag('implied'),
});

const nodeIcon = columns<AtPath & { readonly icon: string }>()('node_icon', {
  workspaceId: 'workspace_id',
  path: 'path',
  icon: 'icon',
});

const nodeOrder = columns<AtPath & { readonly position: number }>()('node_order', {
  workspaceId: 'workspace_id',
  path: 'path',
  position: 'position',
});

export type NodePrivacyTable = TableOf<typeof privacy> & { workspace_id: string };
export type NodeIconTable = TableOf<typeof nodeIcon>;
export type NodeOrderTable = TableOf<typeof nodeOrder>;

type StoredPrivacy = StoredOf<typeof privacy>;

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
        .select(privacy.selection)
        .where('workspace_id', '=', given.workspaceId)
        .where('owner_id', '=', given.viewerId)
        .where(inSight(path, given))
        .where(within(given))
        .orderBy(paths.order(path)),
    ),
    ownedIn: compileQuery(
      ({
        workspaceId,
        ownerId,
        limit,
      }: Placeholders<{ workspaceId: string; ownerId: string; limit: number }>) =>
        db
          .selectFrom('node_privacy')
          .select(privacy.selection)
          .where('workspace_id', '=', workspaceId)
          .where('owner_id', '=', ownerId)
          .orderBy(paths.order(path))
          .limit(limit),
    ),
    countOwned: compileQuery(({ ownerId }: Placeholders<{ ownerId: string }>) =>
      db
        .selectFrom('node_privacy')
        .select((of) => ['workspace_id as workspaceId', of.fn.countAll<number>().as('items')])
        .where('owner_id', '=', ownerId)
        .groupBy('workspace_id')
        .orderBy('workspace_id'),
    ),
    page: compileQuery(
      ({
        workspaceId,
        after,
        before,
        limit,
      }: Placeholders<{ workspaceId: string; after: string; before: string; limit: number }>) =>
        db
          .selectFrom('node_privacy')
          .select(privacy.selection)
          .where('workspace_id', '=', workspaceId)
          .where(paths.compare(path, '>', after))
          .where(paths.compare(path, '<', before))
          .orderBy(paths.order(path))
          .limit(limit),
    ),
    deciding: compileQuery((subject: Placeholders<{ workspaceId: string; path: WorkspacePath }>) => ({
      compile: () =>
        decidingPrivacy<StoredPrivacy>(
          dialect,
          subject,
          privacy.written,
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
      return records.map(privacy.toRow);
    },
    async privacyPage({ workspaceId, folder, afterPath, limit }) {
      const { after, before } = rangeBelow(folder);
      const records = await queries.page.all(executor, {
        workspaceId,
        after: laterOf(afterPath ?? '', after),
        before,
        limit,
      });
      return records.map(privacy.toRow);
    },
    async privacyOwnedIn(workspaceId, ownerId, limit) {
      const records = await queries.ownedIn.all(executor, { workspaceId, ownerId, limit });
      return records.map(privacy.toRow);
    },
    countPrivacyOwned: (ownerId) => queries.countOwned.all(executor, { ownerId }),
    async decidingPrivacy(workspaceId, path) {
      const record = await queries.deciding.get(executor, { workspaceId, path });
      return record === undefined ? null : privacy.toRow(record);
    },
  };
}

function withinPrefix(workspaceId: string, prefix: PathPrefix, viewer: Viewer): WithinPrefix {
  return { ...viewing(workspaceId, viewer), prefix, ...rangeBelow(prefix) };
}

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
    setIcon: compileQuery((row: Placeholders<StoredOf<typeof nodeIcon>>) =>
      db
        .insertInto('node_icon')
        .values(nodeIcon.values(row))
        .onConflict((conflict) =>
          conflict.expression(paths.unique).doUpdateSet(nodeIcon.replacement('workspaceId', 'path')),
        ),
    ),
    setOrder: compileQuery((row: Placeholders<StoredOf<typeof nodeOrder>>) =>
      db
        .insertInto('node_order')
        .values(nodeOrder.values(row))
        .onConflict((conflict) =>
          conflict.expression(paths.unique).doUpdateSet(nodeOrder.replacement('workspaceId', 'path')),
        ),
    ),
    replacePrivacy: compileQuery((row: Placeholders<StoredPrivacy & AtPath>) => {
      const { path: _, ...others } = privacy.values(row);
      return db
        .updateTable('node_privacy')
        .set(others)
        .where('workspace_id', '=', row.workspaceId)
        .where(paths.same(keyed, row.path));
    }),
    insertPrivacy: compileQuery((row: Placeholders<StoredPrivacy & AtPath>) =>
      db.insertInto('node_privacy').values({ ...privacy.values(row), workspace_id: row.workspaceId }),
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
    async setPrivacy(workspaceId, given) {
      const row = { ...privacy.toStored(given), workspaceId };
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
