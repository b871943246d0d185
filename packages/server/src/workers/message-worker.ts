import { answerQuestions } from '../concurrency/worker-pool.ts';
import { answerMessage } from '../mcp/large-message.ts';

answerQuestions(answerMessage, (message) =>
  message?.content?.kind === 'bytes' ? [message.content.bytes.buffer] : [],
);
