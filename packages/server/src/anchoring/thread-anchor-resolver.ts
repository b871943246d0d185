import assert from 'node:assert/strict';
import type { AnchorResolver } from '../service/ports/anchor-resolver.ts';
import { createAnchoringLane } from './anchoring-lane.ts';
import type { AnchoringAnswer, AnchoringQuestion } from './anchoring-protocol.ts';

/** Contents up to this size, together, have a thread of their own: what is short never waits for what is long. */
const shortBytesMax = 1024 * 1024;

/**
 * Finds anchors in two threads, one for short questions and one for long ones.
 * @param threadUrl the module that answers in such a thread.
 */
export function createThreadAnchorResolver(threadUrl: URL): AnchorResolver {
  const short = createAnchoringLane(threadUrl);
  const long = createAnchoringLane(threadUrl);

  async function ask<Kind extends AnchoringQuestion['kind']>(
    question: Extract<AnchoringQuestion, { kind: Kind }>,
    contents: readonly (Uint8Array | null)[],
  ): Promise<Extract<AnchoringAnswer, { kind: Kind }>> {
    let bytes = 0;
    const buffers = new Set<ArrayBuffer>();
    for (const content of contents) {
      bytes += content?.byteLength ?? 0;
      if (content?.buffer instanceof ArrayBuffer) buffers.add(content.buffer);
    }
    const answer = await (bytes <= shortBytesMax ? short : long).ask(question, [...buffers]);
    assert(isOfKind(answer, question.kind), 'the anchoring thread answered another question');
    return answer;
  }

  return {
    async resolve(job) {
      return (await ask({ kind: 'resolve', job }, [job.pinnedContent, job.content])).resolved;
    },
    async place(question) {
      return (await ask({ kind: 'place', question }, [question.content])).outcome;
    },
    async map(question) {
      return (await ask({ kind: 'map', question }, [question.baseContent, question.content])).outcome;
    },
    async [Symbol.asyncDispose]() {
      await short[Symbol.asyncDispose]();
      await long[Symbol.asyncDispose]();
    },
  };
}

function isOfKind<Kind extends AnchoringAnswer['kind']>(
  answer: AnchoringAnswer,
  kind: Kind,
): answer is Extract<AnchoringAnswer, { kind: Kind }> {
  return answer.kind === kind;
}
