// docs/decisions/0052-the-server-hands-out-the-command-line.md
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** The command line as a package that npm installs from its address. */
export interface CliPackage {
  readonly bytes: Buffer;
  /** By content, so that an installation is asked for again only when there is another. */
  readonly tag: string;
}

/** Half a megabyte. @returns null where it was not built. */
export async function readCliPackage(file: string): Promise<CliPackage | null> {
  try {
    const bytes = await readFile(file);
    return { bytes, tag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"` };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
