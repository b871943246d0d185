import { type Anchor, type ContentHash, isVisible, type WorkspacePath } from '@stoa/core';
import { sql } from 'kysely';
import type {
  CommentReader,
  CommentWriter,
  EntryRow,
  ThreadHead,
  ThreadWithFile,
} from '../../service/ports/comments.ts';
import type { Executor } from './executor.ts';
import { columns, compileQuery, type Placeholders, type StoredOf, type TableOf } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import { emptyIfHidden, type Viewing, viewing, visibleTo } from './visibility.ts';

/** The resolution's time and user are both set or both null. */
export interface FlatThread extends Omit<ThreadHead, 'anchor' | 'pinnedRange' | 'resolution'> {
  readonly resolvedAt: number | null;
  readonly resolvedAtVersion: number | null;
  readonly resolvedBy: string | null;
  readonly anchorStart: number;
  readonly anchorEnd: number;
  /**
   * The `Anchor` as JSON: its texts come from files and may contain characters that a text column of some databases
   * cannot store.
   */
  readonly anchor: string;
}

const thread = columns<FlatThread>()('comment_thread', {
  id: 'id',
  workspaceId: 'workspace_id',
  seq: 'seq',
  path: 'path',
  actorId: 'actor_id',
  resolvedAt: 'resolved_at',
  resolvedAtVersion: 'resolved_at_version',
  resolvedBy: 'resolved_by',
  principal: 'principal',
  actorKeyId: 'actor_key_id',
  actorLabel: 'actor_label',
  createdAt: 'created_at',
  pinnedVersion: 'pinned_version',
  pinnedContentHash: 'pinned_content_hash',
  pinnedSizeBytes: 'pinned_size_bytes',
  anchorStart: 'anchor_start',
  anchorEnd: 'anchor_end',
  anchor: 'anchor',
});

const entry = columns<EntryRow>()('comment_entry', {
  id: 'id',
  workspaceId: 'workspace_id',
  threadId: 'thread_id',
  seq: 'seq',
  principal: 'principal',
  actorId: 'actor_id',
  actorKeyId: 'actor_key_id',
  actorLabel: 'actor_label',
  createdAt: 'created_at',
  body: 'body',
});

/** The text is read separately from the head. */
export type CommentThreadTable = TableOf<typeof thread> & { body: string };
/** The key is only used in lookups. */
export type CommentEntryTable = TableOf<typeof entry> & { dedupe_key: string | null };

type StoredThread = StoredOf<typeof thread>;
type StoredEntry = StoredOf<typeof entry>;
type StoredWithFile = StoredThread & {
  readonly fileVersion: number | null;
  readonly fileContentHash: ContentHash | null;
  readonly fileSizeBytes: number | null;
};

/** Empty texts match everything. */
type Scan = Placeholders<
  Viewing & {
    path: WorkspacePath | '';
    /** Prefix of paths in the folder, and its number of characters. */
    folder: string;
    folderCharacters: number;
    status: string;
    authorId: string;
    authorName: string;
  }
>;
type InSteps = Scan & Placeholders<{ afterSeq: number; rows: number }>;
type OneThread = Placeholders<Viewing & { seq: number }>;
type EntryPage = Placeholders<{ threadId: string; limit: number; offset: number }>;

/** Threads in one step, after which other work runs. */
const readStepRows = 50;

export type CommentQueries = ReturnType<typeof commentQueries>;

export function commentQueries(dialect: QueryDialect) {
  const { db, paths } = dialect;
  const subject = {
    workspaceId: sql.ref('comment_thread.workspace_id'),
    path: sql.ref<string>('comment_thread.path'),
  };
  const isCalled = ({
    authorName,
  }: Scan) => sql<boolean>`(lower(coalesce(actor_label, '')) = lower(${authorName})
    or (select lower("user".name) from "user" where "user".id = actor_id) = lower(${authorName}))`;
  const judged = (given: Scan) =>
    db
      .selectFrom('comment_thread')
      .select('seq')
      .select(
        sql<number>`case
          when ${given.path} <> '' and path <> ${given.path} then 0
          when ${given.folder} <> '' and substr(path, 1, ${given.folderCharacters}) <> ${given.folder} then 0
          when ${given.authorId} <> '' and actor_id <> ${given.authorId} then 0
          when ${given.authorName} <> '' and not ${isCalled(given)} then 0
          when ${given.status} = 'open' and resolved_at is not null then 0
          when ${given.status} = 'resolved' and resolved_at is null then 0
          else ${visibleTo(dialect, subject, given)} end`.as('matches'),
      )
      .where('workspace_id', '=', given.workspaceId);
  const heads = db
    .selectFrom('comment_thread')
    .leftJoin('file', (join) =>
      join
        .onRef('file.workspace_id', '=', 'comment_thread.workspace_id')
        .on(paths.same(sql.ref('file.path'), subject.path)),
    )
    .select(thread.selection)
    .select([
      'file.version as fileVersion',
      'file.content_hash as fileContentHash',
      'file.size_bytes as fileSizeBytes',
    ]);
  const entries = db.selectFrom('comment_entry').select(entry.selection);
  return {
    scanAll: compileQuery((given: InSteps) =>
      judged(given).where('seq', '>', given.afterSeq).orderBy('seq').limit(given.rows),
    ),
    scanPath: compileQuery((given: InSteps) =>
      judged(given)
        .where(
          paths.same(
            subject.path,
            emptyIfHidden(dialect, given, given.viewerId, given.path, sql<boolean>`1 = 0`),
          ),
        )
        .where('seq', '>', given.afterSeq)
        .orderBy('seq')
        .limit(given.rows),
    ),
    scanOne: compileQuery((given: Scan & Placeholders<{ threadId: string }>) =>
      judged(given).where('id', '=', given.threadId),
    ),
    head: compileQuery(({ workspaceId, seq }: Placeholders<{ workspaceId: string; seq: number }>) =>
      heads.where('comment_thread.workspace_id', '=', workspaceId).where('comment_thread.seq', '=', seq),
    ),
    find: compileQuery(({ workspaceId, threadId }: Placeholders<{ workspaceId: string; threadId: string }>) =>
      heads.where('comment_thread.id', '=', threadId).where('comment_thread.workspace_id', '=', workspaceId),
    ),
    text: compileQuery((given: OneThread) =>
      db
        .selectFrom('comment_thread')
        .select(['id', 'body'])
        .select(visibleTo(dialect, subject, given).as('visible'))
        .where('workspace_id', '=', given.workspaceId)
        .where('seq', '=', given.seq),
    ),
    countEntries: compileQuery(({ threadId }: Placeholders<{ threadId: string }>) =>
      db
        .selectFrom('comment_entry')
        .select((of) => of.fn.countAll<number>().as('entries'))
        .where('thread_id', '=', threadId),
    ),
    entries: compileQuery(({ threadId, limit, offset }: EntryPage) =>
      entries.where('thread_id', '=', threadId).orderBy('seq').limit(limit).offset(offset),
    ),
    findEntry: compileQuery(
      ({
        threadId,
        userId,
        dedupeKey,
      }: Placeholders<{ threadId: string; userId: string; dedupeKey: string }>) =>
        entries
          .where('thread_id', '=', threadId)
          .where('actor_id', '=', userId)
          .where('dedupe_key', '=', dedupeKey),
    ),
  };
}

export function createCommentReader(executor: Executor, queries: CommentQueries): CommentReader {
  const countEntries = async (threadId: string) =>
    (await queries.countEntries.get(executor, { threadId }))?.entries ?? 0;
  return {
    async scan({ offset, limit, ...filter }) {
      const { workspaceId, viewer, threadId } = filter;
      const given = {
        ...viewing(workspaceId, viewer),
        path: filter.path !== null && isVisible(filter.path, viewer) ? filter.path : '',
        status: filter.status ?? '',
        authorId: filter.authorId ?? '',
        authorName: filter.authorName ?? '',
        ...folderBeginning(filter.folder ?? null),
      } as const;
      const seqs: number[] = [];
      let total = 0;
      const count = (records: readonly { readonly seq: number; readonly matches: number }[]) => {
        for (const { seq, matches } of records) {
          if (matches === 0) continue;
          if (total >= offset && seqs.length < limit) seqs.push(seq);
          total += 1;
        }
      };
      if (threadId !== null) {
        count(await queries.scanOne.all(executor, { ...given, threadId }));
        return { total, seqs };
      }
      const step = filter.path === null ? queries.scanAll : queries.scanPath;
      let afterSeq = 0;
      for (;;) {
        const records = await step.all(executor, { ...given, afterSeq, rows: executor.stepRows });
        count(records);
        if (records.length < executor.stepRows) return { total, seqs };
        afterSeq = records.at(-1)?.seq ?? afterSeq;
        await executor.breathe();
      }
    },
    async heads(workspaceId, seqs) {
      const heads: ThreadWithFile[] = [];
      for (const [at, seq] of seqs.entries()) {
        if (at > 0 && at % readStepRows === 0) await executor.breathe();
        const record = await queries.head.get(executor, { workspaceId, seq });
        if (record !== undefined) heads.push(toThread(record));
      }
      return heads;
    },
    async find(workspaceId, threadId) {
      const record = await queries.find.get(executor, { workspaceId, threadId });
      return record === undefined ? null : toThread(record);
    },
    async texts({ workspaceId, seq, viewer, entriesLimit, entriesOffset }) {
      const found = await queries.text.get(executor, { ...viewing(workspaceId, viewer), seq });
      if (found === undefined || found.visible === 0) return null;
      const threadId = found.id;
      const page = { threadId, limit: entriesLimit, offset: entriesOffset };
      const records = await queries.entries.all(executor, page);
      return {
        body: found.body,
        entries: records.map(entry.toRow),
        entryCount: await countEntries(threadId),
      };
    },
    countEntries,
    async findEntry(threadId, userId, dedupeKey) {
      const record = await queries.findEntry.get(executor, { threadId, userId, dedupeKey });
      return record === undefined ? null : entry.toRow(record);
    },
  };
}

function folderBeginning(folder: WorkspacePath | null) {
  const below = folder === null ? '' : `${folder}/`;
  return { folder: below, folderCharacters: [...below].length };
}

function toThread(stored: StoredWithFile): ThreadWithFile {
  const { anchor, anchorStart, anchorEnd, resolvedAt, resolvedAtVersion, resolvedBy, ...others } = stored;
  const { fileVersion, fileContentHash, fileSizeBytes, ...head } = others;
  return {
    ...head,
    // Written by `insertThread`, from this type.
    anchor: JSON.parse(anchor) as Anchor,
    pinnedRange: { start: anchorStart, end: anchorEnd },
    resolution:
      resolvedAt === null || resolvedBy === null
        ? null
        : { at: resolvedAt, atVersion: resolvedAtVersion, userId: resolvedBy },
    file:
      fileVersion === null || fileContentHash === null || fileSizeBytes === null
        ? null
        : { version: fileVersion, contentHash: fileContentHash, sizeBytes: fileSizeBytes },
  };
}

type NewResolution = {
  threadId: string;
  at: number | null;
  atVersion: number | null;
  userId: string | null;
};
type Move = { workspaceId: string; from: WorkspacePath; to: WorkspacePath };

export type CommentWrites = ReturnType<typeof commentWrites>;

export function commentWrites({ db, paths }: QueryDialect) {
  return {
    insertThread: compileQuery((row: Placeholders<StoredThread & { body: string }>) =>
      db.insertInto('comment_thread').values({ ...thread.values(row), body: row.body }),
    ),
    insertEntry: compileQuery((row: Placeholders<StoredEntry & { dedupeKey: string | null }>) =>
      db.insertInto('comment_entry').values({ ...entry.values(row), dedupe_key: row.dedupeKey }),
    ),
    setResolution: compileQuery(({ threadId, at, atVersion, userId }: Placeholders<NewResolution>) =>
      db
        .updateTable('comment_thread')
        .set({ resolved_at: at, resolved_at_version: atVersion, resolved_by: userId })
        .where('id', '=', threadId),
    ),
    move: compileQuery(({ workspaceId, from, to }: Placeholders<Move>) =>
      db
        .updateTable('comment_thread')
        .set({ path: to })
        .where('workspace_id', '=', workspaceId)
        .where(paths.same(sql.ref('path'), from)),
    ),
  };
}

export function createCommentWriter(executor: Executor, writes: CommentWrites): CommentWriter {
  return {
    async insertThread({ anchor, pinnedRange, ...row }) {
      await writes.insertThread.run(executor, {
        ...row,
        anchor: JSON.stringify(anchor),
        anchorStart: pinnedRange.start,
        anchorEnd: pinnedRange.end,
        resolvedAt: null,
        resolvedAtVersion: null,
        resolvedBy: null,
      });
    },
    async insertEntry(row) {
      await writes.insertEntry.run(executor, row);
    },
    async setResolution(threadId, resolution) {
      await writes.setResolution.run(executor, {
        threadId,
        at: resolution?.at ?? null,
        atVersion: resolution?.atVersion ?? null,
        userId: resolution?.userId ?? null,
      });
    },
    async moveThreads(workspaceId, from, to) {
      await writes.move.run(executor, { workspaceId, from, to });
    },
  };
}
