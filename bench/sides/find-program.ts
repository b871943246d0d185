import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** The directories of servers on Debian, which are not in the PATH of ordinary users. */
const serverDirectories = ['/usr/sbin', '/usr/local/sbin'];

/** Returns the program's file, or null when it is not installed. */
export async function findProgram(name: string): Promise<string | null> {
  const directories = [...(process.env.PATH ?? '').split(delimiter), ...serverDirectories];
  for (const directory of directories) {
    const file = join(directory, name);
    const found = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return file;
  }
  return null;
}
