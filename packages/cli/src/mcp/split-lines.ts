import type { Readable } from 'node:stream';

const newline = 10;

/**
 * Cuts a stream into lines and hands over each one whole, with its line break. The SDK's own reader copies all that it
 * has with every piece that comes, which takes minutes for a large message.
 *
 * @param take.tooLong is called once for a line that is longer than `maxBytes`; the line is passed over.
 */
export async function splitLines(
  input: Readable,
  maxBytes: number,
  take: {
    readonly line: (line: Buffer) => Promise<void> | void;
    readonly tooLong: () => Promise<void> | void;
  },
): Promise<void> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    let rest = Buffer.from(chunk);
    for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
      const last = rest.subarray(0, end + 1);
      if (bytes + last.length <= maxBytes) await take.line(Buffer.concat([...pieces, last]));
      else if (bytes <= maxBytes) await take.tooLong();
      pieces = [];
      bytes = 0;
      rest = rest.subarray(end + 1);
    }
    const fitted = bytes <= maxBytes;
    bytes += rest.length;
    if (bytes <= maxBytes) pieces.push(rest);
    else {
      pieces = [];
      if (fitted) await take.tooLong();
    }
  }
  // Whatever has no line break is not a whole message.
}
