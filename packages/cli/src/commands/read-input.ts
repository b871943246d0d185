import type { Readable } from 'node:stream';
import { exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';

const shortInputMaxBytes = 4096;

/** Reads all of a short standard input. @throws Failure `usage` if it is too long */
export async function readShortInput(input: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > shortInputMaxBytes) {
      throw new Failure({
        code: 'usage',
        exit: exitCodes.usage,
        message: 'Standard input is too long for a key.',
        next: 'Send the key alone: printf %s "$KEY" | stoa link <server> --key-stdin --workspace <id>',
      });
    }
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8');
}
