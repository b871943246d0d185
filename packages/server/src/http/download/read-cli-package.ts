import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** The command line as a package that npm installs from a URL. */
export interface CliPackage {
  readonly bytes: Buffer;
  /** A hash of the content, so that clients download only a new package. */
  readonly tag: string;
}

/** Reads the package, half a megabyte. @returns null if it was not built */
export async function readCliPackage(file: string): Promise<CliPackage | null> {
  try {
    const bytes = await readFile(file);
    return { bytes, tag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"` };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
