import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Where Debian keeps servers, which an ordinary person's PATH leaves out. */
const serverDirectories = ['/usr/sbin', '/usr/local/sbin'];

/** The program's file, or null when it is not installed. */
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
