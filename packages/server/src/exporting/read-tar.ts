import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pathOfArchiveName, shownText } from '@stoa/core';
import { type Entry, extract } from 'tar-stream';
import { RejectedExport } from '../service/exporting/format.ts';

export interface TarEntry {
  readonly name: string;
  /** @throws RejectedExport if the file ends early */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Reads the entries of a tar in the order of an export. */
export interface TarReader extends AsyncDisposable {
  /**
   * Returns the next entry, which must be an ordinary file of this name and size (null: at most `maxBytes`). Read its
   * bytes to the end before you request the next entry.
   * @throws RejectedExport if it is another entry, or missing
   */
  next(name: string, size: { readonly bytes: number } | { readonly maxBytes: number }): Promise<TarEntry>;
  /** @throws RejectedExport if there are more entries */
  end(): Promise<void>;
}

/** Limit of an entry's headers: a path and little else. The library keeps them in memory. */
const headersMaxBytes = 1024 * 1024;

export function openTar(file: string): TarReader {
  let sinceEntry = 0;
  const guard = new Transform({
    transform(chunk: Uint8Array, _, done) {
      sinceEntry += chunk.byteLength;
      if (sinceEntry > headersMaxBytes)
        done(new RejectedExport('The export has an entry with too large a header.'));
      else done(null, chunk);
    },
  });
  const source = createReadStream(file);
  const tar = extract();
  const fail = (error: Error) => void tar.destroy(error);
  source.on('error', fail).pipe(guard).on('error', fail).pipe(tar);
  const entries = tar[Symbol.asyncIterator]();
  const following = async (): Promise<Entry | null> => {
    try {
      const { value, done } = await entries.next();
      sinceEntry = 0;
      return done === true ? null : value;
    } catch (error) {
      throw errorOf(error);
    }
  };

  const chunksOf = async function* (entry: Entry) {
    try {
      for await (const chunk of entry as AsyncIterable<Uint8Array>) {
        sinceEntry = 0;
        yield chunk;
      }
    } catch (error) {
      throw errorOf(error);
    }
  };

  return {
    async next(name, size) {
      const entry = await following();
      if (entry === null) throw cutOff();
      const { header } = entry;
      // Another version may encode some file names differently.
      if (header.type !== 'file' || pathOfArchiveName(header.name) !== pathOfArchiveName(name)) {
        throw new RejectedExport(
          `The export has "${shownText(header.name)}" where "${name}" should be. Import the file exactly as \`export\` wrote it, not packed again.`,
        );
      }
      const found = header.size ?? 0;
      if ('bytes' in size ? found !== size.bytes : found > size.maxBytes) {
        throw new RejectedExport(`The size of "${name}" is not the size in the records.`);
      }
      return { name, bytes: chunksOf(entry) };
    },
    async end() {
      if ((await following()) !== null)
        throw new RejectedExport('The export has more entries than its records name.');
    },
    async [Symbol.asyncDispose]() {
      source.destroy();
      tar.destroy();
    },
  };
}

/** Yields the bytes of an entry and verifies their hash. @throws RejectedExport at the end, if they have another hash */
export async function* hashedBytes({ name, bytes }: TarEntry, hash: string): AsyncGenerator<Uint8Array> {
  const seen = createHash('sha256');
  for await (const chunk of bytes) {
    seen.update(chunk);
    yield chunk;
  }
  if (seen.digest('hex') !== hash) {
    throw new RejectedExport(
      `The export is damaged: "${name}" does not have its original bytes. Use another copy of the file.`,
    );
  }
}

function cutOff(): RejectedExport {
  return new RejectedExport('The export is cut off: copy the file again, or export again.');
}

/** Replaces the library's messages about blocks and headers. */
function errorOf(error: unknown): unknown {
  if (error instanceof RejectedExport) return error;
  if (error instanceof Error && !('syscall' in error)) {
    return error.message.startsWith('Unexpected end')
      ? cutOff()
      : new RejectedExport(`The file is not an export, or is damaged: ${shownText(error.message)}.`);
  }
  return error;
}
