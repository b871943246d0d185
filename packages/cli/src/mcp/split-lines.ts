import type { Readable } from 'node:stream';

const newline = 10;

/**
 * Splits a stream into lines and passes on each one in full, with its line break. The SDK's own reader copies its whole
 * buffer for each chunk, which takes minutes for a large message.
 * @param take.tooLong is called once for a line longer than `maxBytes`; the line is skipped
 */
export async function splitLines(
  input: Readable,
  maxBytes: number,
  take: {
    readonly line: (line: Buffer) => Promise<void> | void;
    readonly tooLong: () => Promise<void> | void;
  },
): Promise<void> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    let rest = Buffer.from(chunk);
    for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
      const last = rest.subarray(0, end + 1);
      if (bytes + last.length <= maxBytes) await take.line(Buffer.concat([...chunks, last]));
      else if (bytes <= maxBytes) await take.tooLong();
      chunks = [];
      bytes = 0;
      rest = rest.subarray(end + 1);
    }
    const fitted = bytes <= maxBytes;
    bytes += rest.length;
    if (bytes <= maxBytes) chunks.push(rest);
    else {
      chunks = [];
      if (fitted) await take.tooLong();
    }
  }
  // Text without a line break is not a full message.
}
