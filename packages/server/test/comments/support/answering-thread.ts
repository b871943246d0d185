import { parentPort } from 'node:worker_threads';
import type { AnchoringQuestion } from '../../../src/anchoring/anchoring-protocol.ts';
import { answerAnchoring } from '../../../src/anchoring/answer-anchoring.ts';

/** As the real thread, but that it dies of a quote. */
parentPort?.on('message', (question: AnchoringQuestion) => {
  if (question.kind === 'place' && question.question.quote === 'deadly') process.exit(1);
  if (question.kind === 'place' && question.question.quote === 'broken')
    throw new Error('a bug in the thread');
  parentPort?.postMessage(answerAnchoring(question));
});
