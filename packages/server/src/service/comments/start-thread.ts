// docs/decisions/0013-comment-threads.md
import {
  type Anchor,
  isMarkdown,
  type MatchOutcome,
  type MatchQuestion,
  type PlacedAnchor,
  type Viewer,
  WorkspaceError,
  type WorkspacePath,
} from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { readWhole, readWholeIfKept } from '../contents/read-whole.ts';
import type { FileRow, VersionRow } from '../ports/files.ts';
import { rejectHidden } from '../privacy/find-owner.ts';
import { hasLeftInPrivate } from '../privacy/left-in-private.ts';
import { authorOf, rejectReadOnly } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { anchoredFileMaxBytes } from './anchors.ts';
import { insertThreadScript } from './insert-thread.ts';
import type { ListedThread } from './list-threads.ts';

/** The text of a new thread and its anchor: `quote` for a range, both contexts for a point. */
export interface NewThread extends Omit<MatchQuestion, 'content'> {
  readonly path: WorkspacePath;
  readonly body: string;
  /** The version from which quote and contexts were copied; null: the current one. */
  readonly baseVersion: number | null;
}

export type StartThreadOutcome =
  | { readonly kind: 'created'; readonly thread: ListedThread }
  | Exclude<MatchOutcome, PlacedAnchor>
  /** The file has changed too much since `baseVersion`, or that version is not available. */
  | {
      readonly kind: 'base_version_conflict';
      readonly baseVersion: number;
      readonly currentVersion: number;
      readonly reason: 'quote_changed' | 'base_unavailable';
    };

type Deps = Pick<ServiceDeps, 'store' | 'blobs' | 'clock' | 'ids' | 'anchors'>;

const triesMax = 5;

/**
 * Starts a comment thread on a passage of a markdown file (interface: comments, Start a thread). The anchor is located
 * outside the transaction. The transaction stores the thread only if the file still has the same bytes; otherwise this
 * locates it again.
 * @throws WorkspaceError `file_not_found`, `workspace_read_only`, `not_markdown`, `file_too_large`,
 * `stored_bytes_missing`, `overloaded`
 */
export async function startThread(
  deps: Deps,
  access: WorkspaceAccess,
  wanted: NewThread,
): Promise<StartThreadOutcome> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const file = await requireCommentable(deps, access, wanted.path);
    const location = await findLocation(deps, access.viewer, file, wanted);
    if (location.kind !== 'placed') return location;
    const outcome = await deps.store.transact(insertThreadScript, {
      ...authorOf(access, deps.clock()),
      id: deps.ids('thread'),
      path: wanted.path,
      body: wanted.body,
      anchor: anchorOf(wanted.kind, location),
      range: { start: location.start, end: location.end },
      contentHash: file.contentHash,
    });
    if (outcome.kind === 'content_changed') continue;
    const { thread } = outcome;
    const range = thread.pinnedRange;
    return {
      kind: 'created',
      thread: {
        thread,
        resolved: { status: 'anchored', range, currentText: location.quote },
        texts: { body: wanted.body, entries: [], entryCount: 0 },
      },
    };
  }
  throw new WorkspaceError('overloaded', {}, 'The file keeps changing: try again in a moment');
}

async function requireCommentable(
  { store }: Deps,
  { workspace, viewer }: WorkspaceAccess,
  path: WorkspacePath,
): Promise<FileRow> {
  const file = await store.reader.files.find(workspace.id, path);
  // Also for a missing file, which must take as long as a hidden one.
  await rejectHidden(store.reader, workspace.id, path, viewer);
  if (file === null) throw new WorkspaceError('file_not_found');
  rejectReadOnly(workspace);
  if (!isMarkdown(path, file.contentType)) throw new WorkspaceError('not_markdown');
  if (file.sizeBytes > anchoredFileMaxBytes) {
    throw new WorkspaceError('file_too_large', { limitBytes: anchoredFileMaxBytes });
  }
  return file;
}

/** Null: it does not exist or the viewer may not see it. */
function findSeen(
  store: Deps['store'],
  { workspaceId, path }: FileRow,
  version: number,
  viewer: Viewer,
): Promise<VersionRow | null> {
  return store.snapshot(async (reader) => {
    const found = await reader.files.findVersion(workspaceId, path, version);
    return found !== null && (await hasLeftInPrivate(reader, workspaceId, found, viewer)) ? null : found;
  });
}

async function findLocation(
  deps: Deps,
  viewer: Viewer,
  file: FileRow,
  wanted: NewThread,
): Promise<PlacedAnchor | Exclude<StartThreadOutcome, { kind: 'created' }>> {
  const { anchors, store } = deps;
  const { baseVersion } = wanted;
  if (baseVersion === null || baseVersion === file.version) {
    return anchors.holding(file.workspaceId, file.sizeBytes, async () =>
      anchors.ask('match', { ...questionOf(wanted), content: await readWhole(deps, file) }),
    );
  }
  const conflict = { kind: 'base_version_conflict', baseVersion, currentVersion: file.version } as const;
  const base = baseVersion > file.version ? null : await findSeen(store, file, baseVersion, viewer);
  if (base === null || base.sizeBytes > anchoredFileMaxBytes) {
    return { ...conflict, reason: 'base_unavailable' };
  }
  return anchors.holding(file.workspaceId, base.sizeBytes + file.sizeBytes, async () => {
    const baseContent = await readWholeIfKept(deps, base);
    if (baseContent === null) return { ...conflict, reason: 'base_unavailable' };
    const content = await readWhole(deps, file);
    const location = await anchors.ask('map', { ...questionOf(wanted), baseContent, content });
    return location.kind === 'quote_changed' ? { ...conflict, reason: location.kind } : location;
  });
}

function questionOf({
  kind,
  quote,
  contextBefore,
  contextAfter,
  occurrence,
}: NewThread): Omit<MatchQuestion, 'content'> {
  return { kind, quote, contextBefore, contextAfter, occurrence };
}

function anchorOf(kind: NewThread['kind'], { quote, contextBefore, contextAfter }: PlacedAnchor): Anchor {
  return kind === 'range'
    ? { kind, quote, contextBefore, contextAfter }
    : { kind, contextBefore, contextAfter };
}
