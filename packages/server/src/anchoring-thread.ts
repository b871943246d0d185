import { parentPort } from 'node:worker_threads';
import type { AnchoringQuestion } from './anchoring/anchoring-protocol.ts';
import { answerAnchoring } from './anchoring/answer-anchoring.ts';

parentPort?.on('message', (question: AnchoringQuestion) =>
  parentPort?.postMessage(answerAnchoring(question)),
);
