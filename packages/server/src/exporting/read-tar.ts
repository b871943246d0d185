import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Transform } from 'node:stream';
import { type Entry, extract } from 'tar-stream';
import { RefusedExport } from '../service/exporting/format.ts';

export interface TarEntry {
  readonly name: string;
  /** @throws RefusedExport when the file ends before they do */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Entries of a tar in the one order in which an export has them. */
export interface TarReader extends AsyncDisposable {
  /**
   * The bytes of the next entry, which has to be an ordinary file of this name and size (null: at most `maxBytes`).
   * They have to be read to their end before the next entry is asked for.
   * @throws RefusedExport when it is another one, or there is none
   */
  next(name: string, size: { readonly bytes: number } | { readonly maxBytes: number }): Promise<TarEntry>;
  /** @throws RefusedExport when more follows */
  end(): Promise<void>;
}

/** What a tar may say of an entry before its bytes: a path, and little else. The library holds it in memory. */
const headersMaxBytes = 1024 * 1024;

export function openTar(file: string): TarReader {
  let sinceEntry = 0;
  const guard = new Transform({
    transform(chunk: Uint8Array, _, done) {
      sinceEntry += chunk.byteLength;
      if (sinceEntry > headersMaxBytes)
        done(new RefusedExport('The export has an entry with too large a header.'));
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
      throw refusalOf(error);
    }
  };

  const chunksOf = async function* (entry: Entry) {
    try {
      for await (const chunk of entry as AsyncIterable<Uint8Array>) {
        sinceEntry = 0;
        yield chunk;
      }
    } catch (error) {
      throw refusalOf(error);
    }
  };

  return {
    async next(name, size) {
      const entry = await following();
      if (entry === null) throw cutOff();
      const { header } = entry;
      if (header.type !== 'file' || header.name !== name) {
        throw new RefusedExport(
          `The export has "${header.name}" where "${name}" should be. It has to be as \`export\` wrote it: do not pack it anew.`,
        );
      }
      const found = header.size ?? 0;
      if ('bytes' in size ? found !== size.bytes : found > size.maxBytes) {
        throw new RefusedExport(
          `The export says something else of the size of "${name}" than the entry has.`,
        );
      }
      return { name, bytes: chunksOf(entry) };
    },
    async end() {
      if ((await following()) !== null) throw new RefusedExport('The export has more entries than it says.');
    },
    async [Symbol.asyncDispose]() {
      source.destroy();
      tar.destroy();
    },
  };
}

/** The bytes of an entry, found to have a hash. @throws RefusedExport at the end, when they have another */
export async function* hashedBytes({ name, bytes }: TarEntry, hash: string): AsyncGenerator<Uint8Array> {
  const seen = createHash('sha256');
  for await (const chunk of bytes) {
    seen.update(chunk);
    yield chunk;
  }
  if (seen.digest('hex') !== hash) {
    throw new RefusedExport(
      `The export is damaged: "${name}" has other bytes than it had. Take another copy of the file.`,
    );
  }
}

function cutOff(): RefusedExport {
  return new RefusedExport('The export is cut off: copy the file again, or export again.');
}

/** The library's own words are about blocks and headers. */
function refusalOf(error: unknown): unknown {
  if (error instanceof RefusedExport) return error;
  if (error instanceof Error && !('syscall' in error)) {
    return error.message.startsWith('Unexpected end')
      ? cutOff()
      : new RefusedExport(`The file is no export, or it is damaged: ${error.message}.`);
  }
  return error;
}
