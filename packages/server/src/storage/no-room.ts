import { join } from 'node:path';
import { isNoSpace } from './no-space.ts';
import { failureAt } from './sqlite/full-disk.ts';

/** A command has no space to write. Its message says where, and what to do. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom';
}

/**
 * Makes the error of a full disk readable: the messages of the system and of SQLite name no path.
 * @param folder the only folder that the work writes to.
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
