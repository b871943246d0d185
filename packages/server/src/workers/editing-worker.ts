import { answerQuestions } from '../concurrency/answer-questions.ts';
import { answerEdits } from '../service/editing/edit-job.ts';

answerQuestions(answerEdits, (answer) =>
  answer.kind === 'edited' && answer.content !== null ? [answer.content.buffer] : [],
);
