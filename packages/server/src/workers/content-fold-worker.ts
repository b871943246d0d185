import { answerQuestions } from '../concurrency/worker-pool.ts';
import { foldTexts } from '../storage/content-index/fold-texts.ts';

answerQuestions(foldTexts, (texts) =>
  texts.flatMap((text) => (text === null ? [] : [text.bytes.buffer as ArrayBuffer])),
);
