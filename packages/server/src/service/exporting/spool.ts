import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { utf8TextWithoutMark } from '@stoa/core';
import { lineMaxBytes, type RecordKind, type RecordsSummary, RejectedExport } from './format.ts';

const newline = 0x0a;

export const spooled = (folder: string, kind: RecordKind) => join(folder, `${kind}.jsonl`);

/** Writes one record per line, page by page. @returns the summary for the header. */
export async function writeLines(
  file: string,
  pages: AsyncIterable<readonly object[]>,
): Promise<RecordsSummary> {
  const hash = createHash('sha256');
  const handle = await open(file, 'wx', 0o600);
  let lines = 0;
  let bytes = 0;
  try {
    for await (const page of pages) {
      const text = Buffer.from(page.map((record) => `${JSON.stringify(record)}\n`).join(''));
      hash.update(text);
      await handle.writeFile(text);
      lines += page.length;
      bytes += text.byteLength;
    }
  } finally {
    await handle.close();
  }
  return { lines, bytes, sha256: hash.digest('hex') as RecordsSummary['sha256'] };
}

/** Yields the records of a spooled file. @throws RejectedExport for a line that is invalid or too long */
export async function* readLines(file: string): AsyncGenerator<unknown> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    held = held.byteLength === 0 ? chunk : Buffer.concat([held, chunk]);
    let start = 0;
    for (;;) {
      const end = held.indexOf(newline, start);
      if (end === -1) break;
      yield parsed(held.subarray(start, end));
      start = end + 1;
    }
    held = held.subarray(start);
    if (held.byteLength > lineMaxBytes) throw new RejectedExport('The export has a line that is too long.');
  }
  if (held.byteLength > 0) throw new RejectedExport('The export has a line without an end.');
}

const nestingMax = 8;

/** @throws RejectedExport */
export function parsed(bytes: Uint8Array): unknown {
  if (isNestedTooDeep(bytes)) throw new RejectedExport('The export has a record that is nested too deeply.');
  try {
    return JSON.parse(utf8TextWithoutMark(bytes) ?? '');
  } catch {
    throw new RejectedExport('The export has a line that is not JSON in UTF-8.');
  }
}

/** Checked before the parser runs, which would recurse. */
function isNestedTooDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < bytes.byteLength; at += 1) {
    const byte = bytes[at];
    if (inText) {
      if (byte === 0x5c) at += 1;
      else if (byte === 0x22) inText = false;
    } else if (byte === 0x22) inText = true;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      if (depth > nestingMax) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return false;
}
