// docs/decisions/0013-comment-threads.md
import type { ResolvedAnchor } from '@stoa/core';
import { readWholeIfKept } from '../contents/read-whole.ts';
import type { ThreadWithFile } from '../ports/comments.ts';
import type { FileRow } from '../ports/files.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { type Anchors, anchoredFileMaxBytes } from './anchors.ts';

/** A thread whose path has a file. */
type ThreadOnFile = ThreadWithFile & { readonly file: NonNullable<ThreadWithFile['file']> };

/** Bytes that one request may read and search for anchors. The first batch runs whatever its size. */
const workBytesMax = 256 * 1024 * 1024;

const outdated: ResolvedAnchor = { status: 'outdated', range: null, currentText: null };

/**
 * Locates the anchors of these threads in the current files, by thread id. When the files are so large that the rest
 * would take too long, it resolves only the first threads. Cached anchors cost nothing. Threads with the same pinned
 * bytes of one file share one diff.
 * @throws WorkspaceError `overloaded`
 */
export async function resolveThreads(
  deps: Pick<ServiceDeps, 'store' | 'blobs' | 'anchors'>,
  threads: readonly ThreadWithFile[],
  limits: { readonly workBytesMax: number } = { workBytesMax },
): Promise<ReadonlyMap<string, ResolvedAnchor>> {
  const resolved = new Map<string, ResolvedAnchor>();
  const unknown: ThreadOnFile[] = [];
  for (const thread of threads) {
    const known = anchorAtOnce(deps.anchors, thread);
    if (known !== null) resolved.set(thread.id, known);
    else if (hasFile(thread)) unknown.push(thread);
  }
  const groups = Map.groupBy(unknown, contentsOf);
  let workBytes = 0;
  let batches = 0;
  for (const thread of unknown) {
    if (resolved.has(thread.id)) continue;
    const group = groups.get(contentsOf(thread)) ?? [];
    workBytes += thread.pinnedSizeBytes + thread.file.sizeBytes;
    const affordable = Math.floor((limits.workBytesMax - workBytes) / Math.max(1, thread.file.sizeBytes));
    if (affordable < 1 && batches > 0) break;
    batches += 1;
    const batch = group.slice(0, Math.max(1, affordable));
    const anchors = await resolveBatch(deps, thread, batch);
    for (const [at, each] of batch.entries()) resolved.set(each.id, anchors[at] ?? outdated);
    if (batch.length < group.length) break;
    workBytes += batch.length * thread.file.sizeBytes;
  }
  return resolved;
}

/** Resolves without a search: no file, exactly the pinned bytes, or a cached result. */
function anchorAtOnce({ known }: Anchors, thread: ThreadWithFile): ResolvedAnchor | null {
  const { file, anchor, pinnedRange } = thread;
  if (file === null || file.sizeBytes > anchoredFileMaxBytes) return outdated;
  if (file.contentHash === thread.pinnedContentHash) {
    const currentText = anchor.kind === 'range' ? anchor.quote : '';
    return { status: 'anchored', range: pinnedRange, currentText };
  }
  return known.find(thread.id, file.contentHash);
}

function hasFile(thread: ThreadWithFile): thread is ThreadOnFile {
  return thread.file !== null;
}

function contentsOf({ pinnedContentHash, file }: ThreadOnFile): string {
  return `${pinnedContentHash} ${file.contentHash}`;
}

async function resolveBatch(
  deps: Pick<ServiceDeps, 'store' | 'blobs' | 'anchors'>,
  { workspaceId, pinnedContentHash, pinnedSizeBytes, file }: ThreadOnFile,
  batch: readonly ThreadOnFile[],
): Promise<readonly ResolvedAnchor[]> {
  const { anchors } = deps;
  const pinned: ContentOf = { workspaceId, contentHash: pinnedContentHash, sizeBytes: pinnedSizeBytes };
  const current: ContentOf = { workspaceId, contentHash: file.contentHash, sizeBytes: file.sizeBytes };
  return anchors.holding(workspaceId, pinned.sizeBytes + current.sizeBytes, async () => {
    const content = await readWholeIfKept(deps, current);
    // Reading the file fails with missing bytes, but its threads stay readable.
    if (content === null) return batch.map(() => outdated);
    const pinnedContent = await readWholeIfKept(deps, pinned);
    const isPinnedKept = pinnedContent !== null;
    const asked = batch.map(({ anchor, pinnedRange }) => ({ anchor, pinnedRange }));
    const found = await anchors.ask('resolve', { pinnedContent, content, anchors: asked });
    for (const [at, { id }] of batch.entries()) {
      const anchor = found[at];
      // Without the pinned bytes the result is less exact, and a backup may bring them back: do not cache it.
      if (anchor !== undefined && isPinnedKept) anchors.known.keep(id, file.contentHash, anchor);
    }
    return found;
  });
}

type ContentOf = Pick<FileRow, 'workspaceId' | 'contentHash' | 'sizeBytes'>;
