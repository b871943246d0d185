import { parentPort } from 'node:worker_threads';
import type { MessageAnswer, MessageQuestion } from './http/mcp/message-reader.ts';
import { type LargeMessage, parseLargeMessage } from './mcp/large-message.ts';

parentPort?.on('message', async ({ id, chunks }: MessageQuestion) => {
  const parsed = await parse(chunks);
  const answer: MessageAnswer = { id, parsed };
  const { content = null } = parsed ?? {};
  parentPort?.postMessage(answer, content?.kind === 'bytes' ? [content.bytes.buffer] : []);
});

async function parse(chunks: readonly Uint8Array[]): Promise<LargeMessage | null> {
  try {
    return await parseLargeMessage(Buffer.concat(chunks));
  } catch (error) {
    // Not JSON, not UTF-8, longer than a text can be, too deep: whatever it is, it is no message.
    if (error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError)
      return null;
    throw error;
  }
}
