import { tools } from '@stoa/contract';
import { invalidRequest, utf8TextWithoutMark, WorkspaceError } from '@stoa/core';
import { z } from 'zod';
import { type ContentArgument, contentArgument } from './content-argument.ts';

/** A message without its large content: plain data that crosses threads cheaply. */
export interface LargeMessage {
  readonly message: unknown;
  readonly content: LargeContent | null;
}

export type LargeContent =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Not text, or not base64. */
  | { readonly kind: 'refused'; readonly text: string };

const writeCall = z.looseObject({
  method: z.literal('tools/call'),
  params: z.looseObject({
    name: z.literal(tools.writeFile.name),
    arguments: z.looseObject({
      content: z.string(),
      encoding: z.enum(['utf8', 'base64']).nullish(),
    }),
  }),
});

/**
 * Parses a body and extracts a written file's content, decoded. Runs in a worker, because each step over many
 * megabytes takes longer than another request may wait.
 * @throws Error if it is not JSON. Its depth and number of values were checked while it arrived.
 */
async function parseLargeMessage(body: Uint8Array): Promise<LargeMessage> {
  const message: unknown = JSON.parse(utf8TextWithoutMark(body) ?? '');
  const call = writeCall.safeParse(message);
  if (!call.success) return { message, content: null };
  const { params } = call.data;
  const { content: text, encoding } = params.arguments;
  const content = await decode(text, encoding ?? 'utf8');
  return {
    message: { ...call.data, params: { ...params, arguments: { ...params.arguments, content: '' } } },
    content,
  };
}

/** The worker's handler for the chunks of a body. @returns null if they are not a message in JSON */
export async function handleMessage(chunks: readonly Uint8Array[]): Promise<LargeMessage | null> {
  try {
    return await parseLargeMessage(Buffer.concat(chunks));
  } catch (error) {
    // Not JSON, not UTF-8, longer than a string can be, or too deep: not a message in any case.
    if (error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError)
      return null;
    throw error;
  }
}

/** The extracted content, in the form in which a tool reads its argument. @throws WorkspaceError `invalid_request` */
export function largeContent(content: LargeContent): ContentArgument {
  if (content.kind === 'refused') throw invalidRequest(content.text);
  const { bytes } = content;
  return {
    sizeBytes: bytes.byteLength,
    async *chunks() {
      for (let at = 0; at < bytes.byteLength; at += chunkBytes) yield bytes.slice(at, at + chunkBytes);
    },
  };
}

const chunkBytes = 256 * 1024;

async function decode(text: string, encoding: 'utf8' | 'base64'): Promise<LargeContent> {
  try {
    const { sizeBytes, chunks } = contentArgument(text, encoding);
    const bytes = new Uint8Array(sizeBytes);
    let at = 0;
    for await (const chunk of chunks()) {
      bytes.set(chunk, at);
      at += chunk.byteLength;
    }
    return { kind: 'bytes', bytes };
  } catch (error) {
    if (error instanceof WorkspaceError) return { kind: 'refused', text: error.message };
    throw error;
  }
}
