// docs/decisions/0022-edits-are-rebased.md
import { createHash } from 'node:crypto';
import { type ContentHash, rebaseChange, type UndoLeftReason } from '@stoa/core';
import { editedFileMaxBytes } from '../contents/edited-size.ts';
import { readWholeIfKept } from '../contents/read-whole.ts';
import type { ServiceDeps } from '../service-deps.ts';
import type { Step, StoredContent, Timeline } from './read-timeline.ts';

/** The resulting content of a path: a stored content, or a merged one. */
export interface ReplayedContent extends StoredContent {
  /** Only set for a merged content. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

export type Replayed =
  | { readonly kind: 'stands'; readonly content: ReplayedContent | null }
  | { readonly kind: 'left'; readonly reason: UndoLeftReason };

type Deps = Pick<ServiceDeps, 'store' | 'blobs' | 'editing'>;

/** Up to this many changes of others are merged one by one; beyond, consecutive ones of one author are combined. */
const singleStepsMax = 50;
/** Maximum bytes of one file's versions to read for merging. */
const mergedBytesMax = 64 * 1024 * 1024;

/**
 * Computes the content that would exist if the actor had made no changes and the others had (interface: versions,
 * Undo).
 * @param spend receives the number of bytes to read.
 * @throws WorkspaceError `overloaded`
 */
export async function replay(
  deps: Deps,
  { start, steps, isWhole }: Timeline,
  spend: (bytes: number) => void,
): Promise<Replayed> {
  if (!isWhole) return { kind: 'left', reason: 'too_many_versions' };
  let without: ReplayedContent | null = start;
  let before: StoredContent | null = start;
  let spent = 0;
  const stored = [start, ...steps.map(({ after }) => after)].filter((content) => content !== null);
  const known = new Map(stored.map((content) => [content.contentHash, content]));
  for (const { after, isUndone } of fewerSteps(steps)) {
    if (!isUndone) {
      const transferred = rebaseChange<ReplayedContent>(without, { before, after });
      if (transferred.kind === 'left') return transferred;
      if (transferred.kind === 'stands') without = transferred.content;
      else {
        const { base, mine, theirs } = transferred;
        const bytes = base.sizeBytes + mine.sizeBytes + theirs.sizeBytes;
        spent += bytes;
        if (isTooLarge([base, mine, theirs]) || spent > mergedBytesMax) {
          return { kind: 'left', reason: 'too_large' };
        }
        spend(bytes);
        const merged = await merge(deps, transferred);
        if (merged.kind === 'left') return merged;
        // Reuses an earlier content with the same hash instead of storing it again.
        without = known.get(merged.content.contentHash) ?? merged.content;
      }
    }
    before = after;
  }
  return { kind: 'stands', content: without };
}

function isTooLarge(contents: readonly StoredContent[]): boolean {
  return contents.some(({ sizeBytes }) => sizeBytes > editedFileMaxBytes);
}

async function merge(
  deps: Deps,
  {
    base,
    mine,
    theirs,
  }: {
    readonly base: ReplayedContent;
    readonly mine: ReplayedContent;
    readonly theirs: ReplayedContent;
  },
): Promise<
  | { readonly kind: 'merged'; readonly content: ReplayedContent }
  | Extract<Replayed, { readonly kind: 'left' }>
> {
  const [baseBytes, mineBytes, theirsBytes] = [
    await readContent(deps, base),
    await readContent(deps, mine),
    await readContent(deps, theirs),
  ];
  if (baseBytes === null || mineBytes === null || theirsBytes === null) {
    return { kind: 'left', reason: 'version_not_kept' };
  }
  const { workspaceId, contentType } = theirs;
  const job = { base: baseBytes, mine: mineBytes, theirs: theirsBytes };
  const response = await deps.editing.merge(workspaceId, job);
  switch (response.kind) {
    case 'not_text':
      return { kind: 'left', reason: 'not_text' };
    case 'overlapping':
      return { kind: 'left', reason: 'lines_overlap' };
    case 'merged': {
      const { content: bytes } = response;
      const contentHash = createHash('sha256').update(bytes).digest('hex') as ContentHash;
      const content = { workspaceId, contentHash, sizeBytes: bytes.byteLength, contentType, bytes };
      return { kind: 'merged', content };
    }
  }
}

/** Returns a buffer of its own, which may be transferred to another thread. Null: not stored. */
export async function readContent(
  deps: Pick<Deps, 'store' | 'blobs'>,
  content: ReplayedContent,
): Promise<Uint8Array | null> {
  return content.bytes === undefined ? readWholeIfKept(deps, content) : content.bytes.slice();
}

/** A text that was saved while it was typed has hundreds of versions. */
function fewerSteps(steps: readonly Step[]): readonly Step[] {
  if (steps.filter(({ isUndone }) => !isUndone).length <= singleStepsMax) return steps;
  return steps.filter((step, index) => {
    const next = steps[index + 1];
    const isGoneOnWith =
      next !== undefined &&
      step.writer !== null &&
      step.writer === next.writer &&
      step.isUndone === next.isUndone;
    return !isGoneOnWith;
  });
}
