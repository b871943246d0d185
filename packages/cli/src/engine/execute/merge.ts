// docs/decisions/0023-sync-planner.md
import {
  applyTextEdits,
  type ContentHash,
  frontMatterBlock,
  type Merge,
  mergeTexts,
  utf8Text,
} from '@stoa/core';
import { baseRow, diskPathOf, type Engine } from '../engine.ts';
import type { StateChange } from '../ports/state-store.ts';
import { unread } from '../stamps.ts';
import { withRetryBudget } from '../with-retry-budget.ts';
import { inSyncChanges } from './base-changes.ts';
import { conflict } from './conflict.ts';
import { inspectReplaced } from './fetch.ts';
import { findKeptCopy } from './kept-copies.ts';
import { type Done, type PassTally, skipRejected } from './pass-tally.ts';
import { logEntry } from './send.ts';

const mergedBytesMax = 1024 * 1024;
const mergedNames = /\.(md|markdown|txt)$/i;

/**
 * If the folder's configuration allows it, merges the server's changes into the local file, unless changes overlap. The
 * old local text goes to the trash, and the server's text is a version. The next plan sends the merged text as an edit.
 * Everything else becomes a conflict.
 */
export async function merge(engine: Engine, operation: Merge, tally: PassTally): Promise<Done> {
  const { path, local, remote } = operation;
  // A losing upload has already left a copy. Both texts are kept.
  const kept = await findKeptCopy(engine, path, local.hash);
  if (kept === 'not_found') return 'again';
  const isKept = kept !== null;
  const texts = isKept ? null : await readTexts(engine, operation);
  const merged = texts === null ? null : mergedText(texts);
  if (texts === null || merged === null) return conflict(engine, { ...operation, kind: 'conflict' }, tally);
  const { sizeBytes, contentType } = remote;
  const there = {
    version: remote.version,
    hash: remote.hash,
    sizeBytes: sizeBytes ?? new TextEncoder().encode(texts.theirs).length,
    contentType: contentType ?? engine.memory.state.base.get(path)?.contentType ?? '',
  };
  if (merged === texts.mine) {
    const row = baseRow(engine, path, there, { ...local, stamp: unread(local.stamp) }, true);
    await engine.memory.commit(inSyncChanges(path, row), 'grouped');
    return 'done';
  }
  const staged = await engine.folder.stageBytes(engine.pace.newId(), new TextEncoder().encode(merged));
  if (staged.kind !== 'staged') return skipRejected(engine, path, staged);
  await engine.onStep('merge: replace');
  const replaced = await engine.folder.replace(diskPathOf(engine, path), staged.id, local, null);
  if (replaced.kind !== 'replaced') {
    await engine.folder.discardStaged(staged.id);
    return replaced.kind === 'changed' ? 'again' : skipRejected(engine, path, replaced);
  }
  const row = baseRow(engine, path, there, { ...replaced, stamp: unread(replaced.stamp) }, true);
  const changes: StateChange[] = [
    ...inSyncChanges(path, row),
    logEntry(engine, 'merged', path, there.version, there.sizeBytes),
  ];
  const { replaced: old } = replaced;
  const id = engine.pace.newId();
  if (old !== null) {
    const { file, sizeBytes: trashedBytes } = old.trashed;
    const at = engine.pace.wallNow();
    const trashed = { id, path, hash: local.hash, sizeBytes: trashedBytes, why: 'merged', at, file } as const;
    changes.push({ table: 'trash', id, row: trashed });
  }
  await engine.memory.commit(changes, 'grouped');
  if (old !== null) await inspectReplaced(engine, path, { replaced: old, trashId: id }, tally);
  tally.down += 1;
  tally.bytesDown += there.sizeBytes;
  engine.onEvent({ event: 'down', path, version: there.version, bytes: there.sizeBytes });
  return 'done';
}

interface Texts {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

/** Null if they are not text or cannot be read in full. */
async function readTexts(engine: Engine, { path, local, remote, base }: Merge): Promise<Texts | null> {
  if (!mergedNames.test(path) || local.sizeBytes > mergedBytesMax) return null;
  const here = await engine.folder.readBytes(
    local.localName ?? diskPathOf(engine, path),
    local,
    mergedBytesMax,
  );
  const mine = here.kind === 'bytes' ? utf8Text(here.bytes) : null;
  if (mine === null) return null;
  const read = async (wanted: { readonly version: number; readonly hash: ContentHash }) => {
    const bytes = await withRetryBudget(engine, () =>
      engine.remote.readContent(path, wanted, mergedBytesMax, engine.transfers),
    );
    return bytes === null ? null : utf8Text(bytes);
  };
  const began = await read(base);
  const theirs = began === null ? null : await read(remote);
  return began === null || theirs === null ? null : { base: began, mine, theirs };
}

/**
 * Null if a user must choose. Front matter changed on both sides is never merged, because its fields depend on each
 * other.
 */
function mergedText({ base, mine, theirs }: Texts): string | null {
  const [began, here, there] = [base, mine, theirs].map(frontMatterOf);
  if (here !== began && there !== began && here !== there) return null;
  const { edits, overlaps } = mergeTexts(base, mine, theirs, { within: 'lines' });
  return overlaps.length > 0 ? null : applyTextEdits(mine, edits);
}

function frontMatterOf(text: string): string {
  const block = frontMatterBlock(text);
  return block === null ? '' : text.slice(0, block.end);
}
