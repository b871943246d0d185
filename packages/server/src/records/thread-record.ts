import type { CommentEntry, CommentThread } from '@stoa/contract';
import type { ListedThread } from '../service/comments/list-threads.ts';
import type { ActorStamp } from '../service/ports/changes.ts';
import type { EntryRow } from '../service/ports/comments.ts';
import { resolutionRecord } from './resolution-record.ts';

/** Returns a thread as it is sent (interface: comments, Thread). */
export function threadRecord({ thread, resolved, texts }: ListedThread): CommentThread {
  const { anchor, resolution } = thread;
  return {
    id: thread.id,
    path: thread.path,
    status: resolution === null ? 'open' : 'resolved',
    body: texts.body,
    ...madeBy(thread),
    anchorKind: anchor.kind,
    quote: anchor.kind === 'range' ? anchor.quote : null,
    contextBefore: anchor.contextBefore,
    contextAfter: anchor.contextAfter,
    anchorStatus: resolved.status,
    currentText: resolved.currentText,
    currentRange: resolved.range === null ? null : { start: resolved.range.start, end: resolved.range.end },
    pinnedVersion: thread.pinnedVersion,
    pinnedContentHash: thread.pinnedContentHash,
    entries: texts.entries.map(entryRecord),
    entryCount: texts.entryCount,
    ...resolutionRecord(resolution),
  };
}

export function entryRecord(entry: EntryRow): CommentEntry {
  return { id: entry.id, threadId: entry.threadId, body: entry.body, ...madeBy(entry) };
}

function madeBy(row: ActorStamp & { readonly createdAt: number }) {
  return {
    createdBy: row.actorId,
    principal: row.principal,
    actorKeyId: row.actorKeyId,
    actorLabel: row.actorLabel,
    createdAt: new Date(row.createdAt).toISOString(),
  };
}
