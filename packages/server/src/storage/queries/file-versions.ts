import type { ContentHash, WorkspacePath } from '@stoa/core';
import { sql } from 'kysely';
import type { FileBeginning, FileReader, FileWriter, VersionRow } from '../../service/ports/files.ts';
import type { Executor } from './executor.ts';
import { columns, compileQuery, type Placeholders, type StoredOf, type TableOf } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import { type Viewing, viewing, visibleTo } from './visibility.ts';

type AtPath = Placeholders<{ workspaceId: string; path: WorkspacePath }>;

export interface FlatVersion extends Omit<VersionRow, 'movedFrom' | 'conflictBase'> {
  readonly movedFromPath: WorkspacePath | null;
  readonly movedFromIncarnation: number | null;
  readonly conflictOf: WorkspacePath | null;
  readonly conflictBase: number | null;
  readonly conflictBaseHash: ContentHash | null;
}

const fileVersion = columns<FlatVersion>()('file_version', {
  workspaceId: 'workspace_id',
  incarnation: 'incarnation',
  version: 'version',
  path: 'path',
  sizeBytes: 'size_bytes',
  contentType: 'content_type',
  contentHash: 'content_hash',
  op: 'op',
  principal: 'principal',
  actorId: 'actor_id',
  actorKeyId: 'actor_key_id',
  actorLabel: 'actor_label',
  createdAt: 'created_at',
  movedFromPath: 'moved_from_path',
  movedFromIncarnation: 'moved_from_incarnation',
  conflictOf: 'conflict_of',
  conflictBase: 'conflict_base',
  conflictBaseHash: 'conflict_base_hash',
});

export type FileVersionTable = TableOf<typeof fileVersion>;

/** A file that was at a path until it was deleted or moved away. A trigger writes the row. */
export interface FormerFileTable {
  workspace_id: string;
  path: WorkspacePath;
  incarnation: number;
}

/** The ids of all files that were ever at a path. The two tables are disjoint: a former file is no longer current. */
export function incarnationsAt({ db, paths }: QueryDialect, { workspaceId, path }: AtPath) {
  const within = (table: 'file' | 'former_incarnation') =>
    db
      .selectFrom(table)
      .select('incarnation')
      .where('workspace_id', '=', workspaceId)
      .where(paths.same(sql.ref<string>('path'), path));
  return within('file').unionAll(within('former_incarnation'));
}

export type VersionQueries = ReturnType<typeof versionQueries>;

export function versionQueries(dialect: QueryDialect) {
  const { db } = dialect;
  const versionPath = {
    workspaceId: sql.ref('file_version.workspace_id'),
    path: sql.ref<string>('file_version.path'),
  };
  return {
    // Cross joins here and below: SQLite keeps their order. Otherwise it would read every version of the workspace.
    findVersion: compileQuery((given: AtPath & Placeholders<{ version: number }>) =>
      db
        .with('stay', () => incarnationsAt(dialect, given))
        .selectFrom('stay')
        .crossJoin('file_version')
        .select(fileVersion.selection)
        .where('file_version.workspace_id', '=', given.workspaceId)
        .whereRef('file_version.incarnation', '=', 'stay.incarnation')
        .where('file_version.version', '=', given.version)
        .orderBy('file_version.incarnation', 'desc')
        .limit(sql.lit(1)),
    ),
    findListedVersion: compileQuery(
      (given: AtPath & Placeholders<Viewing & { version: number; contentHash: ContentHash }>) => {
        const former = {
          workspaceId: sql.ref('arrival.workspace_id'),
          path: sql.ref<string>('arrival.moved_from_path'),
        };
        return db
          .withRecursive('stay(incarnation)', (stays) =>
            incarnationsAt(dialect, given).union(
              stays
                .selectFrom('stay')
                .crossJoin('file_version as arrival')
                .select(sql<number>`arrival.moved_from_incarnation`.as('incarnation'))
                .where('arrival.workspace_id', '=', given.workspaceId)
                .whereRef('arrival.incarnation', '=', 'stay.incarnation')
                .where('arrival.version', '=', sql.lit(1))
                .where('arrival.moved_from_path', 'is not', null)
                .where(visibleTo(dialect, former, given), '=', sql.lit(1)),
            ),
          )
          .selectFrom('stay')
          .crossJoin('file_version')
          .select(fileVersion.selection)
          .where('file_version.workspace_id', '=', given.workspaceId)
          .whereRef('file_version.incarnation', '=', 'stay.incarnation')
          .where('file_version.version', '=', given.version)
          .where('file_version.content_hash', '=', given.contentHash)
          .orderBy('file_version.incarnation', 'desc')
          .limit(sql.lit(1));
      },
    ),
    beginning: compileQuery(
      ({ workspaceId, incarnation }: Placeholders<{ workspaceId: string; incarnation: number }>) =>
        db
          .selectFrom('file_version')
          .select(fileVersion.selection)
          .where('workspace_id', '=', workspaceId)
          .where('incarnation', '=', incarnation)
          .where('version', '=', sql.lit(1)),
    ),
    incarnationsAt: compileQuery((given: AtPath) =>
      incarnationsAt(dialect, given).orderBy('incarnation', 'desc'),
    ),
    versionsOf: compileQuery(
      ({
        workspaceId,
        incarnation,
        path,
        below,
        limit,
      }: AtPath & Placeholders<{ incarnation: number; below: number; limit: number }>) =>
        db
          .selectFrom('file_version')
          .select(fileVersion.selection)
          .where('workspace_id', '=', workspaceId)
          .where('incarnation', '=', incarnation)
          .where('path', '=', path)
          .where('version', '<', below)
          .orderBy('version', 'desc')
          .limit(limit),
    ),
    historyWithin: compileQuery((given: Placeholders<Viewing>) =>
      db
        .selectFrom('file_version')
        .leftJoin('file', (join) =>
          join
            .onRef('file.workspace_id', '=', 'file_version.workspace_id')
            .onRef('file.incarnation', '=', 'file_version.incarnation')
            .onRef('file.version', '=', 'file_version.version'),
        )
        .select(sql<number>`cast(coalesce(sum(file_version.size_bytes), 0) as bigint)`.as('historyBytes'))
        .where('file_version.workspace_id', '=', given.workspaceId)
        .where('file.version', 'is', null)
        .where(visibleTo(dialect, versionPath, given), '=', sql.lit(1)),
    ),
  };
}

export function createVersionReader(
  executor: Executor,
  queries: VersionQueries,
): Pick<FileReader, 'findVersion' | 'findListedVersion' | 'beginningOf' | 'incarnationsAt' | 'versionsOf'> {
  return {
    async findVersion(workspaceId, path, version) {
      const record = await queries.findVersion.get(executor, { workspaceId, path, version });
      return record === undefined ? null : toVersionRow(record);
    },
    async findListedVersion({ workspaceId, path, version, contentHash, viewer }) {
      const given = { ...viewing(workspaceId, viewer), path, version, contentHash };
      const record = await queries.findListedVersion.get(executor, given);
      return record === undefined ? null : toVersionRow(record);
    },
    async beginningOf(workspaceId, incarnation) {
      const record = await queries.beginning.get(executor, { workspaceId, incarnation });
      return record === undefined ? null : toBeginning(record);
    },
    async incarnationsAt(workspaceId, path) {
      const rows = await queries.incarnationsAt.all(executor, { workspaceId, path });
      return rows.map(({ incarnation }) => incarnation);
    },
    async versionsOf({ workspaceId, incarnation, path, belowVersion, limit }) {
      const below = belowVersion ?? Number.MAX_SAFE_INTEGER;
      const records = await queries.versionsOf.all(executor, {
        workspaceId,
        incarnation,
        path,
        below,
        limit,
      });
      return records.map(toVersionRow);
    },
  };
}

function toVersionRow(stored: StoredOf<typeof fileVersion>): VersionRow {
  const {
    movedFromPath: path,
    movedFromIncarnation: incarnation,
    conflictOf: _of,
    conflictBase: version,
    conflictBaseHash: contentHash,
    ...row
  } = stored;
  return {
    ...row,
    movedFrom: path === null || incarnation === null ? null : { path, incarnation },
    conflictBase: version === null || contentHash === null ? null : { version, contentHash },
  };
}

function toBeginning(stored: StoredOf<typeof fileVersion>): FileBeginning {
  const { path, movedFrom, conflictBase } = toVersionRow(stored);
  return { path, movedFrom, conflictBase, conflictOf: stored.conflictOf };
}

export type VersionWrites = ReturnType<typeof versionWrites>;

export function versionWrites({ db }: QueryDialect) {
  return {
    insertVersion: compileQuery((row: Placeholders<StoredOf<typeof fileVersion>>) =>
      db.insertInto('file_version').values(fileVersion.values(row)),
    ),
  };
}

export function createVersionWriter(
  executor: Executor,
  writes: VersionWrites,
): Pick<FileWriter, 'insertVersion'> {
  return {
    async insertVersion({ movedFrom, conflictBase: base, ...row }) {
      const { path: movedFromPath = null, incarnation: movedFromIncarnation = null } = movedFrom ?? {};
      const { version: conflictBase = null, contentHash: conflictBaseHash = null } = base ?? {};
      await writes.insertVersion.run(executor, {
        ...row,
        movedFromPath,
        movedFromIncarnation,
        conflictBase,
        conflictBaseHash,
      });
    },
  };
}
