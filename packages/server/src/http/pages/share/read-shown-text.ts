import { utf8TextWithoutMark } from '@stoa/core';
import type { ReadableFile } from '../../../service/files/read-file.ts';

/** Reads the text of a file that is small enough to show; null if its bytes are not UTF-8. */
export async function readShownText(readable: ReadableFile): Promise<string | null> {
  const opened = await readable.open();
  const chunks: Uint8Array[] = [];
  if (opened instanceof Uint8Array) chunks.push(opened);
  else for await (const chunk of opened) chunks.push(chunk);
  return utf8TextWithoutMark(Buffer.concat(chunks));
}
