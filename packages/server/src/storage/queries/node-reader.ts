import type { PathPrefix, Viewer, WorkspacePath } from '@stoa/core';
import { sql } from 'kysely';
import type { NodeReader } from '../../service/ports/reader.ts';
import type { PrivacyRow } from '../../service/ports/rows.ts';
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
