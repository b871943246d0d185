import type { StoaClient } from '@stoa/client';
import { isContentHash } from '@stoa/core';
import type { FeedPage, FeedRecord, RejectedPath } from '../engine/ports/remote-workspace.ts';
import { notStoa } from './remote-failures.ts';
import { readRemotePath } from './remote-paths.ts';

type SentPage = Awaited<ReturnType<StoaClient['readChanges']>>;
type SentChange = SentPage['changes'][number];

const followedOps = [
  'write',
  'move',
  'delete',
  'conflict',
  'restore',
  'access_revoked',
  'access_granted',
] as const satisfies readonly FeedRecord['op'][];

/** @throws RemoteFailure `not_stoa` for a page whose cursor would skip changes or go back */
export function readFeedPage(page: SentPage, cursor: number): FeedPage {
  const { changes, head, nextSeq } = page;
  const isSound =
    Array.isArray(changes) &&
    Number.isSafeInteger(head) &&
    Number.isSafeInteger(nextSeq) &&
    nextSeq >= cursor &&
    changes.every(({ seq }) => Number.isSafeInteger(seq) && seq > cursor && seq <= nextSeq);
  if (!isSound) throw notStoa('The response is not a page of changes');
  const records: FeedRecord[] = [];
  const rejected: RejectedPath[] = [];
  for (const change of changes) {
    const record = readRecord(change);
    if (record === null) continue;
    if ('detail' in record) rejected.push(record);
    else records.push(record);
  }
  return { records, rejected, head, nextSeq };
}

/** Null for operations that sync ignores, such as comments. */
function readRecord(change: SentChange): FeedRecord | RejectedPath | null {
  const op = followedOps.find((each) => each === change.op);
  if (op === undefined) return null;
  const path = readRemotePath(change.path);
  if (typeof path !== 'string') return path;
  const movedFrom = optionalPath(change.movedFrom);
  const conflictOf = optionalPath(change.conflictOf);
  return {
    seq: change.seq,
    id: change.id,
    path,
    op,
    version: change.version,
    hash: change.contentHash !== null && isContentHash(change.contentHash) ? change.contentHash : null,
    keyId: change.actorKeyId,
    keyName: change.actorLabel,
    movedFrom,
    conflictOf,
  };
}

/** The origin is a hint. An invalid path counts as none. */
function optionalPath(text: string | undefined) {
  const path = text === undefined ? null : readRemotePath(text);
  return typeof path === 'string' ? path : null;
}
