import { answerQuestions } from '../concurrency/answer-questions.ts';
import { answerMessage } from '../mcp/large-message.ts';

answerQuestions(answerMessage, (message) =>
  message?.content?.kind === 'bytes' ? [message.content.bytes.buffer] : [],
);
