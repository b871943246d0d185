import { handleQuestions } from '../concurrency/worker-pool.ts';
import { foldTexts } from '../storage/content-index/fold-texts.ts';

handleQuestions(foldTexts, (texts) =>
  texts.flatMap((text) => (text === null ? [] : [text.bytes.buffer as ArrayBuffer])),
);
