import type { Anchor, ContentHash, Principal, WorkspacePath } from '@stoa/core';
import { sql } from 'kysely';
import type { CommentReader, CommentWriter, EntryRow, ThreadWithFile } from '../../service/ports/comments.ts';
import type { Executor } from './executor.ts';
import { compileQuery, type Placeholders } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import { type Viewing, viewing, visibleTo } from './visibility.ts';

interface ActorColumns {
  principal: Principal;
  actor_id: string;
  actor_key_id: string | null;
  actor_label: string | null;
  created_at: number;
}

export interface CommentThreadTable extends ActorColumns {
  id: string;
  workspace_id: string;
  seq: number;
  path: WorkspacePath;
  resolved_at: number | null;
  resolved_at_version: number | null;
  resolved_by: string | null;
  pinned_version: number;
  pinned_content_hash: ContentHash;
  pinned_size_bytes: number;
  anchor_start: number;
  anchor_end: number;
  /** The `Anchor` as JSON: its texts come from files and may hold what a text column of some databases cannot. */
  anchor: string;
  body: string;
}

export interface CommentEntryTable extends ActorColumns {
  id: string;
  workspace_id: string;
  thread_id: string;
  seq: number;
  dedupe_key: string | null;
  body: string;
}

/** Empty texts ask for any. */
type Scan = Placeholders<Viewing & { path: WorkspacePath | ''; status: string; authorId: string }>;
type InSteps = Scan & Placeholders<{ afterSeq: number; rows: number }>;
type OneThread = Placeholders<Viewing & { seq: number }>;
type EntryPage = Placeholders<{ threadId: string; limit: number; offset: number }>;

interface HeadRecord extends Omit<CommentThreadTable, 'body'> {
  readonly file_version: number | null;
  readonly file_content_hash: ContentHash | null;
  readonly file_size_bytes: number | null;
}

const headColumns = [
  'comment_thread.id',
  'comment_thread.workspace_id',
  'comment_thread.seq',
  'comment_thread.path',
  'comment_thread.actor_id',
  'comment_thread.resolved_at',
  'comment_thread.resolved_at_version',
  'comment_thread.resolved_by',
  'comment_thread.principal',
  'comment_thread.actor_key_id',
  'comment_thread.actor_label',
  'comment_thread.created_at',
  'comment_thread.pinned_version',
  'comment_thread.pinned_content_hash',
  'comment_thread.pinned_size_bytes',
  'comment_thread.anchor_start',
  'comment_thread.anchor_end',
  'comment_thread.anchor',
  'file.version as file_version',
  'file.content_hash as file_content_hash',
  'file.size_bytes as file_size_bytes',
] as const;

/** Threads judged in one statement, and read in one go: then other work gets its turn. */
const scanStepRows = 1000;
const readStepRows = 50;

export type CommentQueries = ReturnType<typeof commentQueries>;

export function commentQueries(dialect: QueryDialect) {
  const { db, paths } = dialect;
  const subject = {
    workspaceId: sql.ref('comment_thread.workspace_id'),
    path: sql.ref<string>('comment_thread.path'),
  };
  const judged = (given: Scan) =>
    db
      .selectFrom('comment_thread')
      .select('seq')
      .select(
        sql<number>`case
          when ${given.path} <> '' and path <> ${given.path} then 0
          when ${given.authorId} <> '' and actor_id <> ${given.authorId} then 0
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
    .select(headColumns);
  return {
    scanAll: compileQuery((given: InSteps) =>
      judged(given).where('seq', '>', given.afterSeq).orderBy('seq').limit(given.rows),
    ),
    scanPath: compileQuery((given: InSteps) =>
      judged(given)
        .where(paths.same(subject.path, given.path))
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
      db
        .selectFrom('comment_entry')
        .selectAll()
        .where('thread_id', '=', threadId)
        .orderBy('seq')
        .limit(limit)
        .offset(offset),
    ),
    findEntry: compileQuery(
      ({
        threadId,
        userId,
        dedupeKey,
      }: Placeholders<{ threadId: string; userId: string; dedupeKey: string }>) =>
        db
          .selectFrom('comment_entry')
          .selectAll()
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
        path: filter.path ?? '',
        status: filter.status ?? '',
        authorId: filter.authorId ?? '',
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
        const records = await step.all(executor, { ...given, afterSeq, rows: scanStepRows });
        count(records);
        if (records.length < scanStepRows) return { total, seqs };
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
        entries: records.map(toEntryRow),
        entryCount: await countEntries(threadId),
      };
    },
    countEntries,
    async findEntry(threadId, userId, dedupeKey) {
      const record = await queries.findEntry.get(executor, { threadId, userId, dedupeKey });
      return record === undefined ? null : toEntryRow(record);
    },
  };
}

function toThread(record: HeadRecord): ThreadWithFile {
  const { file_version: version, file_content_hash: contentHash, file_size_bytes: sizeBytes } = record;
  return {
    id: record.id,
    workspaceId: record.workspace_id,
    seq: record.seq,
    path: record.path,
    // Written by `insertThread`, from this very type.
    anchor: JSON.parse(record.anchor) as Anchor,
    pinnedRange: { start: record.anchor_start, end: record.anchor_end },
    pinnedVersion: record.pinned_version,
    pinnedContentHash: record.pinned_content_hash,
    pinnedSizeBytes: record.pinned_size_bytes,
    createdAt: record.created_at,
    principal: record.principal,
    actorId: record.actor_id,
    actorKeyId: record.actor_key_id,
    actorLabel: record.actor_label,
    resolution:
      record.resolved_at === null || record.resolved_by === null
        ? null
        : { at: record.resolved_at, atVersion: record.resolved_at_version, userId: record.resolved_by },
    file:
      version === null || contentHash === null || sizeBytes === null
        ? null
        : { version, contentHash, sizeBytes },
  };
}

function toEntryRow(record: CommentEntryTable): EntryRow {
  return {
    id: record.id,
    workspaceId: record.workspace_id,
    threadId: record.thread_id,
    seq: record.seq,
    body: record.body,
    principal: record.principal,
    actorId: record.actor_id,
    actorKeyId: record.actor_key_id,
    actorLabel: record.actor_label,
    createdAt: record.created_at,
  };
}

type NewThread = Omit<CommentThreadTable, 'resolved_at' | 'resolved_at_version' | 'resolved_by'>;
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
    insertThread: compileQuery((row: Placeholders<NewThread>) =>
      db.insertInto('comment_thread').values({
        id: row.id,
        workspace_id: row.workspace_id,
        seq: row.seq,
        path: row.path,
        actor_id: row.actor_id,
        resolved_at: null,
        resolved_at_version: null,
        resolved_by: null,
        principal: row.principal,
        actor_key_id: row.actor_key_id,
        actor_label: row.actor_label,
        created_at: row.created_at,
        pinned_version: row.pinned_version,
        pinned_content_hash: row.pinned_content_hash,
        pinned_size_bytes: row.pinned_size_bytes,
        anchor_start: row.anchor_start,
        anchor_end: row.anchor_end,
        anchor: row.anchor,
        body: row.body,
      }),
    ),
    insertEntry: compileQuery((row: Placeholders<CommentEntryTable>) =>
      db.insertInto('comment_entry').values({
        id: row.id,
        workspace_id: row.workspace_id,
        thread_id: row.thread_id,
        seq: row.seq,
        dedupe_key: row.dedupe_key,
        principal: row.principal,
        actor_id: row.actor_id,
        actor_key_id: row.actor_key_id,
        actor_label: row.actor_label,
        created_at: row.created_at,
        body: row.body,
      }),
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
    async insertThread(row) {
      await writes.insertThread.run(executor, {
        id: row.id,
        workspace_id: row.workspaceId,
        seq: row.seq,
        path: row.path,
        actor_id: row.actorId,
        principal: row.principal,
        actor_key_id: row.actorKeyId,
        actor_label: row.actorLabel,
        created_at: row.createdAt,
        pinned_version: row.pinnedVersion,
        pinned_content_hash: row.pinnedContentHash,
        pinned_size_bytes: row.pinnedSizeBytes,
        anchor_start: row.pinnedRange.start,
        anchor_end: row.pinnedRange.end,
        anchor: JSON.stringify(row.anchor),
        body: row.body,
      });
    },
    async insertEntry(row) {
      await writes.insertEntry.run(executor, {
        id: row.id,
        workspace_id: row.workspaceId,
        thread_id: row.threadId,
        seq: row.seq,
        dedupe_key: row.dedupeKey,
        principal: row.principal,
        actor_id: row.actorId,
        actor_key_id: row.actorKeyId,
        actor_label: row.actorLabel,
        created_at: row.createdAt,
        body: row.body,
      });
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
