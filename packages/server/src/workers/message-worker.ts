import { handleQuestions } from '../concurrency/worker-pool.ts';
import { handleMessage } from '../mcp/large-message.ts';

handleQuestions(handleMessage, (message) =>
  message?.content?.kind === 'bytes' ? [message.content.bytes.buffer] : [],
);
