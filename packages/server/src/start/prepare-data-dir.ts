import { randomBytes } from 'node:crypto';
import { mkdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from './start-error.ts';

/** Makes the data directory if it is not there, and finds out now rather than at the first write whether it is writable. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  // Nodes that share a directory may have the same process id, each in a container of its own.
  const probe = join(dataDir, `.writable-${randomBytes(8).toString('hex')}`);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(probe, '');
    await unlink(probe);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `The data directory ${dataDir} is not writable (${reason}): set STOA_DATA_DIR to one that is`,
    );
  }
}
