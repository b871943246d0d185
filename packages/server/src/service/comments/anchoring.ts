import {
  type Anchor,
  alignContents,
  type ByteRange,
  type MapQuestion,
  type MatchOutcome,
  type MatchQuestion,
  mapAnchor,
  matchAnchor,
  type ResolvedAnchor,
  resolveAnchor,
  WorkspaceError,
} from '@stoa/core';
import type { WorkerPool } from '../../concurrency/worker-pool.ts';

/** Anchors with the same pinned bytes, to be located in one content. */
export interface ResolveJob {
  /** Null when the bytes are missing. */
  readonly pinnedContent: Uint8Array | null;
  readonly content: Uint8Array;
  readonly anchors: readonly { readonly anchor: Anchor; readonly pinnedRange: ByteRange }[];
}

interface Questions {
  readonly resolve: ResolveJob;
  readonly match: MatchQuestion;
  readonly map: MapQuestion;
}

interface Responses {
  /** In the order of the anchors. */
  readonly resolve: readonly ResolvedAnchor[];
  readonly match: MatchOutcome;
  readonly map: ReturnType<typeof mapAnchor>;
}

export type AnchoringKind = keyof Questions;
export type AnchoringQuestion = {
  readonly [Kind in AnchoringKind]: { readonly kind: Kind; readonly question: Questions[Kind] };
}[AnchoringKind];

/**
 * Runs core's anchoring functions in a worker, so that they do not block other work. Transfers the contents in the
 * question: the caller must not use them again.
 * @throws WorkspaceError `overloaded` when the pool is full or the call times out.
 */
export type AskAnchoring = <Kind extends AnchoringKind>(
  kind: Kind,
  question: Questions[Kind],
) => Promise<Responses[Kind]>;

/** Questions with contents up to this size, in total, have their own workers: short ones never wait for long ones. */
const shortBytesMax = 1024 * 1024;

export type AnchoringPool = Pick<WorkerPool<AnchoringQuestion, Responses[AnchoringKind]>, 'ask'>;

export function askAnchoringOf(short: AnchoringPool, long: AnchoringPool): AskAnchoring {
  return async <Kind extends AnchoringKind>(kind: Kind, question: Questions[Kind]) => {
    let bytes = 0;
    const transfer = new Set<ArrayBuffer>();
    for (const content of contentsOf(question)) {
      bytes += content.byteLength;
      if (content.buffer instanceof ArrayBuffer) transfer.add(content.buffer);
    }
    const pool = bytes <= shortBytesMax ? short : long;
    const outcome = await pool.ask({ kind, question } as AnchoringQuestion, { transfer: [...transfer] });
    if (outcome.kind === 'exhausted') {
      throw new WorkspaceError('overloaded', {}, 'Finding the quoted text takes too long');
    }
    // Safe: `runAnchoring` returns the result type that belongs to the kind.
    return outcome.result as Responses[Kind];
  };
}

function contentsOf(question: ResolveJob | MatchQuestion | MapQuestion): readonly Uint8Array[] {
  const contents = [question.content];
  if ('baseContent' in question) contents.push(question.baseContent);
  if ('pinnedContent' in question && question.pinnedContent !== null) contents.push(question.pinnedContent);
  return contents;
}

/** Runs one question, in a worker. */
export function runAnchoring({ kind, question }: AnchoringQuestion): Responses[AnchoringKind] {
  switch (kind) {
    case 'resolve':
      return resolveAll(question);
    case 'match':
      return matchAnchor(question);
    case 'map':
      return mapAnchor(question);
  }
}

function resolveAll({ pinnedContent, content, anchors }: ResolveJob): readonly ResolvedAnchor[] {
  // Old and new are compared once, however many anchors there are.
  const aligned = pinnedContent === null ? {} : { alignment: alignContents(pinnedContent, content) };
  return anchors.map(({ anchor, pinnedRange }) =>
    resolveAnchor({ pinnedContent, pinnedRange, content, anchor, ...aligned }),
  );
}
