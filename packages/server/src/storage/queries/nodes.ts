import type { PathPrefix, Viewer, WorkspacePath } from '@stoa/core';
import { type RawBuilder, sql } from 'kysely';
import type { NodePage, NodeReader, NodeWriter, PrivacyRow } from '../../service/ports/nodes.ts';
import type { Executor } from './executor.ts';
import { type CompareWith, laterOf, rangeBelow, seenWithin } from './path-keys.ts';
import {
  columns,
  compileQuery,
  flag,
  type Placeholders,
  type Query,
  type StoredOf,
  type TableOf,
} from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import {
  decidingPrivacy,
  hasPrivacy,
  isVisiblePath,
  seenRows,
  type Viewing,
  viewing,
  visibleTo,
} from './visibility.ts';
import { collectVisible } from './visible-steps.ts';

type AtPath = { readonly workspaceId: string; readonly path: WorkspacePath };

export interface WithinPrefix extends Viewing {
  readonly prefix: string;
  readonly after: string;
  readonly before: string;
}

/** One step of a read: at most `rows` rows after the last path. `from` is the last path, or the prefix at the start. */
export interface InSteps extends WithinPrefix {
  readonly last: string;
  readonly from: string;
  readonly rows: number;
}

type SeenIcon = { readonly path: WorkspacePath; readonly icon: string; readonly visible: number };
type SeenOrder = { readonly path: WorkspacePath; readonly position: number; readonly visible: number };

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
type SeenPrivacy = StoredPrivacy & { readonly visible: number };

export type NodeQueries = ReturnType<typeof nodeQueries>;

export function nodeQueries(dialect: QueryDialect) {
  const { db, paths } = dialect;
  const path = sql.ref<string>('path');
  // One range from the prefix to the end of its contents; names that sort between `a` and `a/b` are filtered out.
  // An index uses one lower bound: with two of them, a step could begin at the workspace's first row.
  const within = (
    { prefix, after, from, last }: Placeholders<InSteps>,
    before: RawBuilder<string>,
    compare: CompareWith = (by, other) => paths.compare(path, by, other),
  ) =>
    sql<boolean>`${compare('>=', from)} and ${compare('<', before)}
      and (path = ${prefix} or path > ${after}) and path <> ${last}`;
  const nextSeen = (table: 'node_icon' | 'node_order', given: Placeholders<InSteps>) =>
    seenRows(dialect, table, given, given.prefix, (compare, before) => within(given, before, compare));
  const visible = (table: string, given: Placeholders<WithinPrefix>) => {
    const subject = { workspaceId: sql.ref(`${table}.workspace_id`), path: sql.ref<string>(`${table}.path`) };
    return visibleTo(dialect, subject, given);
  };
  return {
    icons: compileQuery((given: Placeholders<InSteps>) =>
      db
        .selectFrom(nextSeen('node_icon', given).$castTo<NodeIconTable>().as('node_icon'))
        .select(['path', 'icon', visible('node_icon', given).as('visible')])
        .orderBy(paths.order(path))
        .limit(given.rows),
    ),
    orders: compileQuery((given: Placeholders<InSteps>) =>
      db
        .selectFrom(nextSeen('node_order', given).$castTo<NodeOrderTable>().as('node_order'))
        .select(['path', 'position', visible('node_order', given).as('visible')])
        .orderBy(paths.order(path))
        .limit(given.rows),
    ),
    privateTo: compileQuery((given: Placeholders<InSteps>) =>
      db
        .selectFrom('node_privacy')
        .select([...privacy.selection, sql.lit(1).as('visible')])
        .where('workspace_id', '=', given.workspaceId)
        .where('owner_id', '=', given.viewerId)
        .where(isVisiblePath(path, given))
        .where(within(given, given.before))
        .orderBy(paths.order(path))
        .limit(given.rows),
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
      ({ workspaceId, after, limit }: Placeholders<{ workspaceId: string; after: string; limit: number }>) =>
        db
          .selectFrom('node_privacy')
          .select(privacy.selection)
          .where('workspace_id', '=', workspaceId)
          .where(paths.compare(path, '>', after))
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
  const pageOf = <Row extends { readonly path: WorkspacePath; readonly visible: number }>(
    query: Query<InSteps, Row>,
    { workspaceId, prefix, viewer, afterPath, limit }: NodePage,
  ) => {
    const given = withinPrefix(workspaceId, prefix, viewer);
    return collectVisible<Row>(executor, limit, (last, rows) =>
      query.all(executor, { ...given, ...stepAfter(last?.path ?? afterPath ?? '', given), rows }),
    );
  };
  const iconPage: NodeReader['iconPage'] = async (page) =>
    (await pageOf<SeenIcon>(queries.icons, page)).map(({ path, icon }) => [path, icon] as const);
  const orderPage: NodeReader['orderPage'] = async (page) =>
    (await pageOf<SeenOrder>(queries.orders, page)).map(({ path, position }) => [path, position] as const);
  const privatePage: NodeReader['privatePage'] = async (page) =>
    (await pageOf<SeenPrivacy>(queries.privateTo, page)).map(({ visible: _, ...row }) => privacy.toRow(row));
  const all = { afterPath: null, limit: Infinity };
  return {
    async icons(workspaceId, prefix, viewer) {
      return new Map(await iconPage({ workspaceId, prefix, viewer, ...all }));
    },
    async orders(workspaceId, prefix, viewer) {
      return new Map(await orderPage({ workspaceId, prefix, viewer, ...all }));
    },
    iconPage,
    orderPage,
    privateTo: (workspaceId, prefix, viewer) => privatePage({ workspaceId, prefix, viewer, ...all }),
    privatePage,
    async privacyPage({ workspaceId, afterPath, limit }) {
      const records = await queries.page.all(executor, { workspaceId, after: afterPath ?? '', limit });
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

function stepAfter(last: string, { prefix }: WithinPrefix): Pick<InSteps, 'last' | 'from'> {
  return { last, from: laterOf(last, prefix) };
}

function withinPrefix(workspaceId: string, wanted: PathPrefix, viewer: Viewer): WithinPrefix {
  const prefix = seenWithin(wanted, viewer);
  const range = prefix === null ? { after: '', before: '' } : rangeBelow(prefix);
  return { ...viewing(workspaceId, viewer), prefix: prefix ?? '', ...range };
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
  /** Reads skip the lookup when the counter is 0: it must never be lower than the number of records. */
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
