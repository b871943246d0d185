import { join } from 'node:path';
import { isNoSpace } from './no-space.ts';
import { failureAt } from './sqlite/full-disk.ts';

/** There is no room where a command writes. Its message says where that is, and what to do. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom';
}

/**
 * Tells in words when there is no room for some work: what the system and SQLite say of it names no place.
 * @param folder is all that the work writes to.
 * @throws NoRoom
 */
export async function needingRoom<Result>(
  folder: string,
  advice: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const isFull = isNoSpace(error) || failureAt(join(folder, 'database'), error)?.kind === 'storage_full';
    if (!isFull) throw error;
    throw new NoRoom(
      `There is no room in ${folder}: its disk is full, or a quota on it is reached. ${advice}`,
      { cause: error },
    );
  }
}
