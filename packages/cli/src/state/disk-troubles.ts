import { DiskFullError } from '../engine/ports/state-store.ts';

const sqliteFull = 13;
/** The memory that readers and the writer share is a file, which could not be made as long as it has to be. */
const sqliteShmSize = 4874;

/** What SQLite says of a full disk, as an error that people can be told of. Everything else as it is. */
export function withFullDiskNamed(error: unknown, hiddenFolder: string): unknown {
  if (!(error instanceof Error) || !('errcode' in error)) return error;
  const code = Number(error.errcode);
  if ((code & 0xff) !== sqliteFull && code !== sqliteShmSize) return error;
  return new DiskFullError(`The disk of ${hiddenFolder} is full`, { cause: error });
}
