import { randomBytes } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeSecret } from './make-secret.ts';

const shape = /^[A-Za-z0-9_-]{43}$/;

/**
 * Loads the secret for signing session cookies. The first start creates the file, readable only by the server's
 * account. Losing it only ends all sessions. Processes that start together get the same secret.
 * @throws Error if the file cannot be read or created, or has no such secret
 */
export async function loadSecret(file: string): Promise<string> {
  const kept = await readKept(file);
  if (kept !== null) return kept;
  await writeSecret(file);
  const made = await readKept(file);
  if (made === null) throw new Error(`${file} vanished while the server was starting`);
  return made;
}

async function readKept(file: string): Promise<string | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
  const secret = text.trim();
  if (!shape.test(secret)) {
    throw new Error(
      `${file} does not hold a session secret; remove it to create a new one (all users are signed out)`,
    );
  }
  return secret;
}

// Written completely under another name and then linked, so that a reader never sees half of it and the first link
// wins.
async function writeSecret(file: string): Promise<void> {
  const draft = `${file}.${randomBytes(8).toString('hex')}.tmp`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${makeSecret()}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(draft, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await unlink(draft);
  }
  const directory = await open(dirname(file), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
