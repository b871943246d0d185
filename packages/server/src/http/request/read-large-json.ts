import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LargeMessage } from '../../mcp/large-message.ts';
import type { MessageReader } from './message-reader.ts';
import { parseJson, readJsonChunks } from './read-json-body.ts';

/** Beyond it a body is parsed in a worker: other requests wait for no more. */
export const smallJsonBytes = 512 * 1024;
/** Bodies beyond this are held in memory a few at a time. */
const heldFreelyBytes = 4 * 1024 * 1024;

/**
 * Reads a JSON body that may be large, parses it, and gives it to `use`; its memory is counted until that is done.
 * @param userId who sent it: people take turns. @param use is given null when the body is not JSON.
 * @throws WorkspaceError as `readJsonChunks`, and `overloaded`
 */
export async function withLargeJson<Result>(
  { messages, userId }: { readonly messages: MessageReader; readonly userId: string },
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  maxBytes: number,
  use: (message: LargeMessage | null) => Promise<Result>,
): Promise<Result> {
  let release = () => {};
  let isCounted = false;
  const beforeHolding = async (sizeBytes: number) => {
    if (isCounted || sizeBytes <= heldFreelyBytes) return;
    release = await messages.hold(userId);
    isCounted = true;
  };
  try {
    const chunks = await readJsonChunks(request, response, maxBytes, { beforeHolding });
    const sizeBytes = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (sizeBytes > smallJsonBytes) return await use(await messages.parse(userId, chunks));
    const message = parseJson(chunks);
    return await use(message === undefined ? null : { message, content: null });
  } finally {
    release();
  }
}
