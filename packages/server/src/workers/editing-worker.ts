import { answerQuestions } from '../concurrency/answer-questions.ts';
import { answerEditing } from '../service/editing/edit-job.ts';

answerQuestions(answerEditing, (answer) =>
  'content' in answer && answer.content !== null ? [answer.content.buffer] : [],
);
