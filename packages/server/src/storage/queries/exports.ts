import { sql } from 'kysely';
import type {
  Existing,
  ExportedKind,
  ExportedRow,
  ExportReader,
  ImportWriter,
} from '../../service/ports/exports.ts';
import type { Executor, SqlRow, SqlValue } from './executor.ts';
import { rejectUnstorable } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

interface KindTable {
  readonly table: string;
  /** Column names in camel case. */
  readonly fields: readonly string[];
  /** The fields that order the rows. */
  readonly key: readonly string[];
}

const actor = ['principal', 'actorId', 'actorKeyId', 'actorLabel', 'createdAt'];
const content = ['sizeBytes', 'contentType', 'contentHash'];

/** Each row is one record of an export. */
export const exportedTables: Readonly<Record<ExportedKind, KindTable>> = {
  contents: { table: 'blob', fields: ['contentHash', 'sizeBytes'], key: ['contentHash'] },
  changes: {
    table: 'change',
    fields: [
      ...['seq', 'path', 'op', 'version', 'contentHash', ...actor, 'movedFrom'],
      ...['conflictOf', 'conflictBase', 'onlyUserId', 'exceptUserId'],
    ],
    key: ['seq'],
  },
  versions: {
    table: 'file_version',
    fields: [
      ...['incarnation', 'version', 'path', ...content, 'op', ...actor],
      ...['movedFromPath', 'movedFromIncarnation', 'conflictOf', 'conflictBase', 'conflictBaseHash'],
    ],
    key: ['incarnation', 'version'],
  },
  files: { table: 'file', fields: ['path', 'incarnation', 'version', ...content], key: ['path'] },
  threads: {
    table: 'comment_thread',
    fields: [
      ...['id', 'seq', 'path', ...actor, 'pinnedVersion', 'pinnedContentHash', 'pinnedSizeBytes'],
      ...['anchorStart', 'anchorEnd', 'anchor', 'body', 'resolvedAt', 'resolvedAtVersion', 'resolvedBy'],
    ],
    key: ['seq'],
  },
  replies: {
    table: 'comment_entry',
    fields: ['id', 'threadId', 'seq', 'dedupeKey', ...actor, 'body'],
    key: ['threadSeq', 'seq'],
  },
  icons: { table: 'node_icon', fields: ['path', 'icon'], key: ['path'] },
  orders: { table: 'node_order', fields: ['path', 'position'], key: ['path'] },
  privacy: { table: 'node_privacy', fields: ['path', 'kind', 'ownerId', 'implied'], key: ['path'] },
};

export const columnOf = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export type ExportQueries = ReturnType<typeof exportQueries>;

/** Compiled when they run: an export is rare, and reads page by page. */
export function exportQueries({ db, paths }: QueryDialect) {
  return {
    page(kind: ExportedKind, after: ExportedRow | null) {
      const { table, fields, key } = exportedTables[kind];
      const selected = fields.map(
        (field) => sql`${sql.ref(`${table}.${columnOf(field)}`)} as ${sql.id(field)}`,
      );
      const isReplies = kind === 'replies';
      const keyColumns = key.map((field) =>
        field === 'threadSeq' ? sql.ref('comment_thread.seq') : sql.ref(`${table}.${columnOf(field)}`),
      );
      const isByPath = key[0] === 'path';
      const from = isReplies
        ? sql`comment_thread join comment_entry on comment_entry.thread_id = comment_thread.id`
        : sql.table(table);
      const path = sql.ref<string>(`${table}.path`);
      const given = (field: string) => sql<string>`${after?.[field] ?? null}`;
      const later =
        after === null
          ? sql`true`
          : isByPath
            ? paths.compare(path, '>', given('path'))
            : sql`(${sql.join(keyColumns)}) > (${sql.join(key.map(given))})`;
      const inOrder = isByPath ? paths.order(path) : sql.join(keyColumns);
      return (workspaceId: string, limit: number) =>
        sql`select ${sql.join(selected)}${isReplies ? sql`, comment_thread.seq as "threadSeq"` : sql``}
          from ${from} where ${sql.ref(`${isReplies ? 'comment_thread' : table}.workspace_id`)} = ${workspaceId}
            and ${later} order by ${inOrder} limit ${limit}`.compile(db);
    },
  };
}

export function createExportReader(executor: Executor, queries: ExportQueries): ExportReader {
  return {
    async rows(kind, { workspaceId, after, limit }) {
      const { sql: text, parameters } = queries.page(kind, after)(workspaceId, limit);
      // As a prepared statement, since there may be many pages: each kind has two texts.
      return (await executor.all(text, parameters as readonly SqlValue[])) as readonly ExportedRow[];
    },
    async standings(workspaceId) {
      const { rows } = await executor.once(
        `select member.user_id, member.role, member.created_at, member.joined_seq, removed_member.removed_at
          from member left join removed_member on removed_member.workspace_id = member.workspace_id
            and removed_member.user_id = member.user_id where member.workspace_id = ?
        union all select removed_member.user_id, null, null, null, removed_member.removed_at
          from removed_member left join member on removed_member.workspace_id = member.workspace_id
            and removed_member.user_id = member.user_id
          where removed_member.workspace_id = ? and member.user_id is null`,
        [workspaceId, workspaceId],
      );
      return rows.map(existingOf).toSorted(byArrival);
    },
    async hasPrivateOfOthers(workspaceId, userId) {
      const { rows } = await executor.once(
        `select 1 as found where exists (select 1 from node_privacy where workspace_id = ? and owner_id <> ?)
          or exists (select 1 from change where workspace_id = ? and only_user_id <> ?)`,
        [workspaceId, userId, workspaceId, userId],
      );
      return rows.length > 0;
    },
    async versionWithoutBytes(workspaceId) {
      const { rows } = await executor.once(
        `select version.path || ' version ' || version.version as subject from file_version version
          left join blob on blob.workspace_id = version.workspace_id and blob.content_hash = version.content_hash
          where version.workspace_id = ? and blob.content_hash is null limit 1`,
        [workspaceId],
      );
      const [first] = rows;
      return first === undefined ? null : String(first.subject);
    },
  };
}

function existingOf({ user_id, role, created_at, joined_seq, removed_at }: SqlRow): Existing {
  // The columns of the statement above.
  return {
    userId: user_id,
    role,
    joinedAt: created_at,
    joinedSeq: joined_seq,
    removedAt: removed_at,
  } as Existing;
}

function byArrival(one: Existing, other: Existing): number {
  return (
    (one.joinedSeq ?? Number.MAX_SAFE_INTEGER) - (other.joinedSeq ?? Number.MAX_SAFE_INTEGER) ||
    (one.joinedAt ?? 0) - (other.joinedAt ?? 0) ||
    (one.removedAt ?? 0) - (other.removedAt ?? 0)
  );
}

/** Tables to clear after an abandoned import. Replies refer to their threads, so they go first. */
const filledTables = [
  ...['comment_entry', 'comment_thread', 'change', 'file', 'former_incarnation', 'file_version', 'node_icon'],
  ...['node_order', 'node_privacy', 'front_matter', 'front_matter_unread', 'blob', 'quarantined_content'],
  ...['workspace_image', 'removed_member'],
];
const isHalf = `exists (select 1 from workspace where id = ? and not exists
  (select 1 from workspace_counter where workspace_counter.workspace_id = workspace.id))`;

export function createImportWriter(executor: Executor): ImportWriter {
  const isImporting = async (workspaceId: string) => {
    const { rows } = await executor.once(`select 1 as found where ${isHalf}`, [workspaceId]);
    return rows.length > 0;
  };
  return {
    async beginImport({ id, name, icon, color, theme, themeCss, planId, createdAt }) {
      const values = [id, name, icon, color, theme, themeCss, planId, createdAt];
      rejectUnstorable(values);
      await executor.once(
        `insert into workspace (id, name, icon, color, theme, theme_css, plan_id, created_at, lapsed)
          values (?, ?, ?, ?, ?, ?, ?, ?, 0)`,
        values,
      );
    },
    isImporting,
    async insertImported(kind, workspaceId, rows) {
      if (rows.length === 0) return;
      const { table, fields } = exportedTables[kind];
      const values = rows.flatMap((row) => [workspaceId, ...fields.map((field) => row[field] ?? null)]);
      rejectUnstorable(values);
      const marks = `(${Array.from({ length: fields.length + 1 }, () => '?').join(', ')})`;
      await executor.once(
        `insert into ${table} (workspace_id, ${fields.map(columnOf).join(', ')})
          values ${rows.map(() => marks).join(', ')}`,
        values,
      );
    },
    async insertFormerPerson({ id, name, email, createdAt }) {
      const at = new Date(createdAt).toISOString();
      const values = [id, name, email, at, at];
      rejectUnstorable(values);
      await executor.once(
        `insert into "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt")
          values (?, ?, ?, 0, ?, ?)`,
        values,
      );
    },
    async insertStanding(workspaceId, { userId, role, joinedAt, joinedSeq, removedAt }) {
      if (role !== null) {
        await executor.once(
          'insert into member (workspace_id, user_id, role, created_at, joined_seq) values (?, ?, ?, ?, ?)',
          [workspaceId, userId, role, joinedAt ?? 0, joinedSeq ?? 0],
        );
      }
      if (removedAt !== null) {
        await executor.once(
          'insert into removed_member (workspace_id, user_id, removed_at) values (?, ?, ?)',
          [workspaceId, userId, removedAt],
        );
      }
    },
    async openImported(workspaceId, seq) {
      // Not part of an export, because it follows from other rows. A migration may have run on a half-finished import.
      await executor.once('delete from former_incarnation where workspace_id = ?', [workspaceId]);
      await executor.once(
        `insert into former_incarnation (workspace_id, path, incarnation)
          select workspace_id, path, incarnation from file_version first_version
          where workspace_id = ? and version = 1 and not exists (select 1 from file
            where file.workspace_id = first_version.workspace_id and file.path = first_version.path
              and file.incarnation = first_version.incarnation)`,
        [workspaceId],
      );
      await executor.once(
        `insert into workspace_counter
          (workspace_id, seq, used_bytes, used_files, history_bytes, comments, privacy_records)
          values (?, ?, 0, 0, 0, 0, 0)`,
        [workspaceId, seq],
      );
    },
    async discardImported(workspaceId) {
      if (!(await isImporting(workspaceId))) return;
      for (const table of filledTables) {
        await executor.once(`delete from ${table} where workspace_id = ?`, [workspaceId]);
      }
      await executor.once('delete from workspace where id = ?', [workspaceId]);
    },
  };
}
