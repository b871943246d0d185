import { anonymous, foldersAbove, isVisible, type WorkspacePath } from '@stoa/core';
import { type RawBuilder, sql } from 'kysely';
import type {
  CurrentContent,
  DetailedFileRow,
  FilePage,
  FileReader,
  FileRow,
  FileWriter,
  FoundFile,
} from '../../service/ports/files.ts';
import type { FrontMatter } from '../../service/ports/front-matter.ts';
import { type FlatBlob, locationOf } from './blobs.ts';
import type { Executor } from './executor.ts';
import { createVersionReader, createVersionWriter, versionQueries, versionWrites } from './file-versions.ts';
import { laterOf, rangeBelow, seenWithin } from './path-keys.ts';
import {
  columns,
  compileQuery,
  type Placeholders,
  type Query,
  type StoredOf,
  type TableOf,
} from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import { ownerIn, seenRows, type Viewing, viewing, visibleTo } from './visibility.ts';
import {
  collectVisible,
  needsLookups,
  type PrivacyRecords,
  plainStepRows,
  privacyRecordsQuery,
} from './visible-steps.ts';

type AtPath = Placeholders<{ workspaceId: string; path: WorkspacePath }>;
type InRange = Viewing & { after: string; before: string; rows: number };
type BelowFolder = Placeholders<InRange & { folder: string }>;

type VisibleFile = StoredOf<typeof file> & { readonly visible: number };
type VisibleDetails = VisibleFile &
  Omit<DetailedFileRow, keyof FileRow | 'frontMatter'> &
  Nullable<FrontMatter>;
type Found = Nullable<StoredOf<typeof file>> & { readonly ownerId: string | null };
type FoundPathContext = Found & { readonly belowPath: number; readonly belowParent: number };
type FoundContent = Found & Nullable<Pick<FlatBlob, 'bytes' | 'generation'>>;
type Nullable<Fields> = { readonly [Name in keyof Fields]: Fields[Name] | null };

const file = columns<FileRow>()('file', {
  workspaceId: 'workspace_id',
  path: 'path',
  incarnation: 'incarnation',
  version: 'version',
  sizeBytes: 'size_bytes',
  contentType: 'content_type',
  contentHash: 'content_hash',
});

export type FileTable = TableOf<typeof file>;

/** Of a current file, joined with its version. */
const contentColumns = [
  'file.version as version',
  'file.content_hash as contentHash',
  'file.size_bytes as sizeBytes',
  'file.content_type as contentType',
  'current.created_at as changedAt',
  'current.principal as principal',
  'current.actor_id as actorId',
  'current.actor_label as actorLabel',
] as const;

export type FileQueries = ReturnType<typeof fileQueries>;

export function fileQueries(dialect: QueryDialect) {
  const { db, paths } = dialect;
  const filePath = { workspaceId: sql.ref('file.workspace_id'), path: sql.ref<string>('file.path') };
  const fileAt = ({ workspaceId, path }: AtPath) =>
    db
      .selectFrom('file')
      .select(file.selection)
      .where('workspace_id', '=', workspaceId)
      .where(paths.same(filePath.path, path));
  // The counter's row exists even without a file, and shows whether an owner has to be looked up.
  const found = (given: AtPath) =>
    db
      .selectFrom('workspace_counter')
      .leftJoin('file', (join) =>
        join
          .onRef('file.workspace_id', '=', 'workspace_counter.workspace_id')
          .on(paths.same(filePath.path, given.path)),
      )
      .select(file.selection)
      .select(ownerIn(dialect, given).as('ownerId'))
      .where('workspace_counter.workspace_id', '=', given.workspaceId);
  /** 1 when a file is between both. */
  const anyBetween = (
    workspaceId: RawBuilder<string>,
    after: RawBuilder<string>,
    before: RawBuilder<string>,
  ) => {
    const path = sql.ref<string>('below.path');
    return sql<number>`case when exists (select 1 from file as below where below.workspace_id = ${workspaceId}
      and ${paths.compare(path, '>', after)} and ${paths.compare(path, '<', before)}) then 1 else 0 end`;
  };
  /**
   * `visible` is 1 for a file that the viewer sees and that another user than `userId` wrote last, at whatever path.
   */
  const writtenByOthers = (given: Placeholders<Viewing & { userId: string }>) => {
    const writer = sql<string>`with recursive lineage(op, actor_id, source) as (
        select op, actor_id, moved_from_incarnation from file_version where workspace_id = file.workspace_id
          and incarnation = file.incarnation and version = file.version
        union all
        select earlier.op, earlier.actor_id, earlier.moved_from_incarnation from lineage join file_version earlier
          on earlier.workspace_id = file.workspace_id and earlier.incarnation = lineage.source
          and earlier.version = (select max(version) from file_version
            where workspace_id = file.workspace_id and incarnation = lineage.source)
          where lineage.op = 'move'
      )
      select actor_id from lineage where op <> 'move' or source is null limit 1`;
    const visible = visibleTo(dialect, filePath, given);
    return db
      .selectFrom('file')
      .select('path')
      .select(sql<number>`case when (${writer}) = ${given.userId} then 0 else ${visible} end`.as('visible'))
      .where('workspace_id', '=', given.workspaceId);
  };
  const seenFiles = (given: BelowFolder) =>
    seenRows(
      dialect,
      'file',
      given,
      given.folder,
      (compare, before) => sql`${compare('>', given.after)} and ${compare('<', before)}`,
    ).$castTo<FileTable>();
  const detailedFiles = (given: Placeholders<Viewing>, from: RawBuilder<FileTable> = sql.table('file')) =>
    db
      .selectFrom(from.as('file'))
      .innerJoin('file_version', (join) =>
        join
          .onRef('file_version.workspace_id', '=', 'file.workspace_id')
          .onRef('file_version.incarnation', '=', 'file.incarnation')
          .onRef('file_version.version', '=', 'file.version'),
      )
      .leftJoin('front_matter', (join) =>
        join
          .onRef('front_matter.workspace_id', '=', 'file.workspace_id')
          .onRef('front_matter.content_hash', '=', 'file.content_hash'),
      )
      .select(file.selection)
      .select([
        'file_version.created_at as changedAt',
        'file_version.principal as principal',
        'file_version.actor_id as actorId',
        'file_version.actor_key_id as actorKeyId',
        'file_version.actor_label as actorLabel',
        'front_matter.date as date',
        'front_matter.title as title',
        'front_matter.view as view',
      ])
      .select(visibleTo(dialect, filePath, given).as('visible'))
      .where('file.workspace_id', '=', given.workspaceId);
  const flaggedFiles = (given: Placeholders<Viewing>, from: RawBuilder<FileTable> = sql.table('file')) =>
    db
      .selectFrom(from.as('file'))
      .select(file.selection)
      .select(visibleTo(dialect, filePath, given).as('visible'))
      .where('file.workspace_id', '=', given.workspaceId);
  const isInRange = ({ after, before }: BelowFolder) =>
    sql<boolean>`${paths.compare(filePath.path, '>', after)} and ${paths.compare(filePath.path, '<', before)}`;
  const byPath = paths.order(filePath.path);
  return {
    ...versionQueries(dialect),
    find: compileQuery(fileAt),
    findWithOwner: compileQuery<{ workspaceId: string; path: WorkspacePath }, Found>(found),
    findWithSurroundings: compileQuery<
      {
        workspaceId: string;
        path: WorkspacePath;
        afterPath: string;
        beforePath: string;
        afterParent: string;
        beforeParent: string;
      },
      FoundPathContext
    >((given) =>
      found(given)
        .select(anyBetween(given.workspaceId, given.afterPath, given.beforePath).as('belowPath'))
        .select(anyBetween(given.workspaceId, given.afterParent, given.beforeParent).as('belowParent')),
    ),
    findWithContent: compileQuery<{ workspaceId: string; path: WorkspacePath }, FoundContent>((given) =>
      found(given)
        .leftJoin('blob', (join) =>
          join
            .onRef('blob.workspace_id', '=', 'file.workspace_id')
            .onRef('blob.content_hash', '=', 'file.content_hash'),
        )
        .select(['blob.bytes', 'blob.generation']),
    ),
    findDetailed: compileQuery((given: AtPath & Placeholders<Viewing>) =>
      detailedFiles(given).where(paths.same(filePath.path, given.path)),
    ),
    pageDetailed: compileQuery((given: BelowFolder) =>
      detailedFiles(given, seenFiles(given)).orderBy(byPath).limit(given.rows),
    ),
    pageAllDetailed: compileQuery((given: BelowFolder) =>
      detailedFiles(given).where(isInRange(given)).orderBy(byPath).limit(given.rows),
    ),
    findFlagged: compileQuery((given: AtPath & Placeholders<Viewing>) =>
      fileAt(given).select(visibleTo(dialect, filePath, given).as('visible')),
    ),
    pageFlagged: compileQuery((given: BelowFolder) =>
      flaggedFiles(given, seenFiles(given)).orderBy(byPath).limit(given.rows),
    ),
    pageAllFlagged: compileQuery((given: BelowFolder) =>
      flaggedFiles(given).where(isInRange(given)).orderBy(byPath).limit(given.rows),
    ),
    privacyRecords: privacyRecordsQuery(dialect),
    othersAt: compileQuery((given: AtPath & Placeholders<Viewing & { userId: string }>) =>
      writtenByOthers(given).where(paths.same(filePath.path, given.path)),
    ),
    othersBelow: compileQuery((given: Placeholders<InRange & { userId: string }>) =>
      writtenByOthers(given)
        .where(paths.compare(filePath.path, '>', given.after))
        .where(paths.compare(filePath.path, '<', given.before))
        .orderBy(paths.order(filePath.path))
        .limit(given.rows),
    ),
    anyBelow: compileQuery(
      ({
        workspaceId,
        after,
        before,
      }: Placeholders<{ workspaceId: string; after: string; before: string }>) =>
        db
          .selectFrom('file')
          .select('version')
          .where('workspace_id', '=', workspaceId)
          .where(paths.compare(filePath.path, '>', after))
          .where(paths.compare(filePath.path, '<', before))
          .limit(sql.lit(1)),
    ),
    contentsPage: compileQuery((given: Placeholders<{ workspaceId: string; after: string; limit: number }>) =>
      db
        .selectFrom('file')
        .innerJoin('file_version as current', (join) =>
          join
            .onRef('current.workspace_id', '=', 'file.workspace_id')
            .onRef('current.incarnation', '=', 'file.incarnation')
            .onRef('current.version', '=', 'file.version'),
        )
        .select('file.path as path')
        .select(contentColumns)
        .where('file.workspace_id', '=', given.workspaceId)
        .where(paths.compare(filePath.path, '>', given.after))
        .orderBy(byPath)
        .limit(given.limit),
    ),
    changedContents: compileQuery(
      ({
        workspaceId,
        sinceSeq,
        rows,
      }: Placeholders<{ workspaceId: string; sinceSeq: number; rows: number }>) =>
        db
          .selectFrom('change')
          .leftJoin('file', (join) =>
            join
              .onRef('file.workspace_id', '=', 'change.workspace_id')
              .on(paths.same(filePath.path, sql.ref<string>('change.path'))),
          )
          .leftJoin('file_version as current', (join) =>
            join
              .onRef('current.workspace_id', '=', 'file.workspace_id')
              .onRef('current.incarnation', '=', 'file.incarnation')
              .onRef('current.version', '=', 'file.version'),
          )
          .select(['change.seq as seq', 'change.path as path', 'change.created_at as seqChangedAt'])
          .select(contentColumns)
          .where('change.workspace_id', '=', workspaceId)
          .where('change.seq', '>', sinceSeq)
          .orderBy('change.seq')
          .limit(rows),
    ),
    usageWithin: compileQuery((given: Placeholders<Viewing>) =>
      db
        .selectFrom('file')
        .select((of) => [
          of.fn.countAll<number>().as('usedFiles'),
          sql<number>`cast(coalesce(sum(size_bytes), 0) as bigint)`.as('usedBytes'),
        ])
        .where('workspace_id', '=', given.workspaceId)
        .where(visibleTo(dialect, filePath, given), '=', sql.lit(1)),
    ),
    newestCopyOf: compileQuery(({ workspaceId, path }: AtPath) =>
      db
        .selectFrom('file_version as copy')
        .innerJoin('file', (join) =>
          join
            .onRef('file.workspace_id', '=', 'copy.workspace_id')
            .on(paths.same(filePath.path, sql.ref<string>('copy.path')))
            .onRef('file.incarnation', '=', 'copy.incarnation'),
        )
        .select(file.selection)
        .where('copy.workspace_id', '=', workspaceId)
        .where(paths.same(sql.ref<string>('copy.conflict_of'), path))
        .orderBy('copy.incarnation', 'desc')
        .limit(sql.lit(1)),
    ),
  };
}

export function createFileReader(executor: Executor, queries: FileQueries): FileReader {
  return {
    ...createVersionReader(executor, queries),
    async find(workspaceId, path) {
      const record = await queries.find.get(executor, { workspaceId, path });
      return record === undefined ? null : file.toRow(record);
    },
    async findWithOwner(workspaceId, path) {
      return foundFile(await queries.findWithOwner.get(executor, { workspaceId, path }));
    },
    async findWithSurroundings(workspaceId, path) {
      const parent = foldersAbove(path).at(-1);
      const { after: afterPath, before: beforePath } = rangeBelow(path);
      const { after: afterParent, before: beforeParent } = rangeBelow(parent ?? path);
      const ranges = { afterPath, beforePath, afterParent, beforeParent };
      const record = await queries.findWithSurroundings.get(executor, { workspaceId, path, ...ranges });
      return {
        ...foundFile(record),
        isFolder: record?.belowPath === 1,
        isParentFolder: parent === undefined || record?.belowParent === 1,
      };
    },
    async findWithContent(workspaceId, path) {
      const record = await queries.findWithContent.get(executor, { workspaceId, path });
      const { file, ownerId } = foundFile(record);
      if (record === undefined || file === null) return { file, ownerId, location: null };
      const { bytes, generation } = record;
      const isKept = bytes !== null || generation !== null;
      return { file, ownerId, location: isKept ? locationOf(file.contentHash, { bytes, generation }) : null };
    },
    async hasBelow(workspaceId, folder) {
      return (await queries.anyBelow.get(executor, { workspaceId, ...rangeBelow(folder) })) !== undefined;
    },
    async hasVisibleAtOrBelow(workspaceId, path, viewer) {
      if (!isVisible(path, viewer)) return false;
      const looking = viewing(workspaceId, viewer);
      const at = await queries.findFlagged.get(executor, { ...looking, path });
      if (at?.visible === 1) return true;
      const { after, before } = rangeBelow(path);
      const below = await collectVisible<VisibleFile>(executor, 1, (last, rows) =>
        queries.pageFlagged.all(executor, {
          ...looking,
          folder: path,
          after: last?.path ?? after,
          before,
          rows,
        }),
      );
      return below.length > 0;
    },
    async countOthers({ workspaceId, path, userId, limit }) {
      const looking = { ...viewing(workspaceId, anonymous), userId };
      const at = await queries.othersAt.get(executor, { ...looking, path });
      if (at !== undefined) return at.visible;
      const { after, before } = rangeBelow(path);
      const below = await collectVisible<{ readonly path: string; readonly visible: number }>(
        executor,
        limit,
        (last, rows) =>
          queries.othersBelow.all(executor, { ...looking, after: last?.path ?? after, before, rows }),
      );
      return below.length;
    },
    async page(query) {
      const found = await visiblePage(executor, queries, query, {
        find: queries.findFlagged,
        seen: queries.pageFlagged,
        all: queries.pageAllFlagged,
      });
      return found.map(toFileRow);
    },
    async detailedPage(query) {
      const found = await visiblePage(executor, queries, query, {
        find: queries.findDetailed,
        seen: queries.pageDetailed,
        all: queries.pageAllDetailed,
      });
      return found.map(toDetailedRow);
    },
    async contentsPage({ workspaceId, afterPath, limit }) {
      const records = await queries.contentsPage.all(executor, {
        workspaceId,
        after: afterPath ?? '',
        limit,
      });
      return records.map(toCurrentContent);
    },
    async contentsChangedSince({ workspaceId, sinceSeq, limit }) {
      const changed = await queries.changedContents.all(executor, { workspaceId, sinceSeq, rows: limit });
      return changed.map(({ seq, path, seqChangedAt, ...now }) => ({
        seq,
        path,
        changedAt: seqChangedAt,
        file: isCurrent(now) ? toContent(now) : null,
      }));
    },
    async usageWithin(workspaceId, viewer) {
      const looking = viewing(workspaceId, viewer);
      const used = await queries.usageWithin.get(executor, looking);
      const earlier = await queries.historyWithin.get(executor, looking);
      return {
        usedBytes: used?.usedBytes ?? 0,
        usedFiles: used?.usedFiles ?? 0,
        historyBytes: earlier?.historyBytes ?? 0,
      };
    },
    async newestConflictedCopyOf(workspaceId, path) {
      const record = await queries.newestCopyOf.get(executor, { workspaceId, path });
      return record === undefined ? null : file.toRow(record);
    },
  };
}

interface PageQueries<Row> {
  readonly find: Query<Viewing & { path: WorkspacePath }, Row>;
  /** Skips rows with another member's privacy record. */
  readonly seen: Query<InRange & { folder: string }, Row>;
  readonly all: Query<InRange & { folder: string }, Row>;
}

/** Reads a page of visible files, with the selected columns of the given queries. */
async function visiblePage<Row extends VisibleFile>(
  executor: Executor,
  queries: PrivacyRecords,
  { workspaceId, viewer, prefix: wanted, afterPath, limit }: FilePage,
  { find, seen, all }: PageQueries<Row>,
): Promise<readonly Row[]> {
  const prefix = seenWithin(wanted, viewer);
  if (prefix === null) return [];
  const looking = viewing(workspaceId, viewer);
  const files: Row[] = [];
  const { after, before } = rangeBelow(prefix);
  if (prefix !== '' && limit > 0 && (afterPath === null || laterOf(afterPath, prefix) !== afterPath)) {
    // A prefix may name a file. It is read separately, because other names sort between `a` and `a/b`.
    const at = await find.get(executor, { ...looking, path: prefix as string as WorkspacePath });
    if (at?.visible === 1) files.push(at);
  }
  const start = afterPath === null ? after : laterOf(afterPath, after);
  // Both queries find the same rows. Without private items, no row needs a lookup: reading all is several times faster.
  const isAnyPrivate = await needsLookups(executor, queries, workspaceId);
  const page = isAnyPrivate ? seen : all;
  const below = await collectVisible<Row>(
    executor,
    limit - files.length,
    (last, rows) =>
      page.all(executor, { ...looking, folder: prefix, after: last?.path ?? start, before, rows }),
    isAnyPrivate ? executor.stepRows : plainStepRows,
  );
  return [...files, ...below];
}

function foundFile(record: Found | undefined): FoundFile {
  if (record === undefined) return { file: null, ownerId: null };
  return { file: isFile(record) ? toFileRow(record) : null, ownerId: record.ownerId };
}

/** Either all columns of a row are set or none. */
function isFile(record: Nullable<StoredOf<typeof file>>): record is StoredOf<typeof file> {
  return record.path !== null;
}

function toCurrentContent(row: CurrentContent): CurrentContent {
  return { path: row.path, ...toContent(row) };
}

type Content = Omit<CurrentContent, 'path'>;

function toContent(row: Content): Content {
  const { version, contentHash, sizeBytes, contentType, changedAt, principal, actorId, actorLabel } = row;
  return { version, contentHash, sizeBytes, contentType, changedAt, principal, actorId, actorLabel };
}

/** Either all columns of a file are set or none; a label is also null for a change without a key. */
function isCurrent(row: Nullable<Content>): row is Content {
  return row.version !== null;
}

/** Written out field by field: removing fields from a database row costs as much as reading it. */
function toFileRow(stored: StoredOf<typeof file>): FileRow {
  const { workspaceId, path, incarnation, version, sizeBytes, contentType, contentHash } = stored;
  return { workspaceId, path, incarnation, version, sizeBytes, contentType, contentHash };
}

function toDetailedRow(stored: VisibleDetails): DetailedFileRow {
  const { changedAt, principal, actorId, actorKeyId, actorLabel, date, title, view } = stored;
  const hasFrontMatter = date !== null || title !== null || view !== null;
  const frontMatter = hasFrontMatter ? { date, title, view } : null;
  return { ...toFileRow(stored), changedAt, principal, actorId, actorKeyId, actorLabel, frontMatter };
}

export type FileWrites = ReturnType<typeof fileWrites>;

export function fileWrites(dialect: QueryDialect) {
  const { db, paths } = dialect;
  return {
    ...versionWrites(dialect),
    put: compileQuery((row: Placeholders<StoredOf<typeof file>>) =>
      db
        .insertInto('file')
        .values(file.values(row))
        .onConflict((conflict) =>
          conflict.expression(paths.unique).doUpdateSet(file.replacement('workspaceId', 'path')),
        ),
    ),
    remove: compileQuery(
      ({ workspaceId, path }: Placeholders<{ workspaceId: string; path: WorkspacePath }>) =>
        db
          .deleteFrom('file')
          .where('workspace_id', '=', workspaceId)
          .where(paths.same(sql.ref('path'), path)),
    ),
  };
}

export function createFileWriter(executor: Executor, writes: FileWrites): FileWriter {
  return {
    ...createVersionWriter(executor, writes),
    async putFile(row) {
      await writes.put.run(executor, row);
    },
    async removeFile(workspaceId, path) {
      await writes.remove.run(executor, { workspaceId, path });
    },
  };
}
