import { answerQuestions } from '../concurrency/worker-pool.ts';
import { answerEditing } from '../service/editing/edit-job.ts';

answerQuestions(answerEditing, (answer) =>
  'content' in answer && answer.content !== null ? [answer.content.buffer] : [],
);
