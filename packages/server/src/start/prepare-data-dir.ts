import { randomBytes } from 'node:crypto';
import { access, chmod, mkdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from './start-error.ts';

/** Distinguishes an interrupted restore from an empty directory, while there is no database yet. */
export const restoreMarker = '.restoring';
export const databaseFile = 'stoa.db';

/**
 * Files and folders of the data directory that only the service may read. The contents of `blobs` are protected by its
 * own mode.
 */
const databases = [databaseFile, 'content-index.db'];
const privateFiles = [...databases.flatMap((name) => [name, `${name}-wal`, `${name}-shm`]), 'session-secret'];
const privateFolders = ['blobs'];
const fileMode = 0o600;
const folderMode = 0o700;
const othersBits = 0o077;

/**
 * Creates the data directory if necessary, and checks at start, rather than at the first write, that it is writable.
 * Restricts files that an earlier start, a copy or a restored backup left readable to other accounts. The directory
 * itself may belong to an operator, so its mode is not changed.
 * @param reportProblem receives everything that stays readable.
 */
export async function prepareDataDir(
  dataDir: string,
  reportProblem: (message: string, cause: unknown) => void,
): Promise<void> {
  // Nodes that share a directory may have the same process id, each in a container of its own.
  const probe = join(dataDir, `.writable-${randomBytes(8).toString('hex')}`);
  try {
    await mkdir(dataDir, { recursive: true, mode: folderMode });
    await writeFile(probe, '', { mode: fileMode });
    await unlink(probe);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `The data directory ${dataDir} is not writable (${reason}): set STOA_DATA_DIR to one that is`,
    );
  }
  if ((await exists(join(dataDir, restoreMarker))) && !(await exists(join(dataDir, databaseFile)))) {
    throw new StartError(
      `A restore into ${dataDir} was interrupted: run the same command again (\`npm run admin -- restore\`), or empty the directory`,
    );
  }
  if (process.platform === 'win32') return;
  for (const name of privateFiles) await closeToOthers(join(dataDir, name), fileMode, reportProblem);
  for (const name of privateFolders) await closeToOthers(join(dataDir, name), folderMode, reportProblem);
  if (((await stat(dataDir)).mode & othersBits) !== 0) {
    reportProblem(`other accounts can enter the data directory ${dataDir}: close it with chmod 700`, null);
  }
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

async function closeToOthers(
  path: string,
  mode: number,
  reportProblem: (message: string, cause: unknown) => void,
): Promise<void> {
  try {
    if (((await stat(path)).mode & othersBits) !== 0) await chmod(path, mode);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    reportProblem(`${path} may be open to other accounts: close it with chmod ${mode.toString(8)}`, error);
  }
}
