import { alignContents, mapAnchor, placeAnchor, type ResolvedAnchor, resolveAnchor } from '@stoa/core';
import type { ResolveJob } from '../service/ports/anchor-resolver.ts';
import type { AnchoringAnswer, AnchoringQuestion } from './anchoring-protocol.ts';

/** What the thread does with a question. */
export function answerAnchoring(question: AnchoringQuestion): AnchoringAnswer {
  switch (question.kind) {
    case 'resolve':
      return { kind: 'resolve', resolved: resolveAll(question.job) };
    case 'place':
      return { kind: 'place', outcome: placeAnchor(question.question) };
    case 'map':
      return { kind: 'map', outcome: mapAnchor(question.question) };
  }
}

function resolveAll({ pinnedContent, content, anchors }: ResolveJob): readonly ResolvedAnchor[] {
  // Old and new are compared once, however many anchors there are.
  const aligned = pinnedContent === null ? {} : { alignment: alignContents(pinnedContent, content) };
  return anchors.map(({ anchor, pinnedRange }) =>
    resolveAnchor({ pinnedContent, pinnedRange, content, anchor, ...aligned }),
  );
}
