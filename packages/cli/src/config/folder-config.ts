import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, type FileHandle, lstat, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hiddenFolderName } from '@stoa/core';
import { exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';
import { ApiKey, isSendableKey } from './api-key.ts';
import { baseOf, isSafeAddress } from './server-address.ts';

/** Name of the configuration in the hidden folder. */
export const configFileName = 'config.json';

/** Link and options of a linked folder. */
export interface FolderConfig {
  /** Base address of requests, without a trailing slash. */
  readonly apiBase: string;
  readonly workspaceId: string;
  /** Null for a key that was typed, because its id is unknown. */
  readonly apiKeyId: string | null;
  readonly apiKey: ApiKey;
  /** The user has allowed plain http to another machine. */
  readonly allowHttp: boolean;
  readonly merge: 'off' | 'clean';
  readonly trashDays: number | null;
  readonly trashMaxBytes: number | null;
  /** Null for the default limit. */
  readonly maxChanges: number | null;
  /** All fields of the file. Unknown ones are kept. */
  readonly fields: Readonly<Record<string, unknown>>;
}

const configMaxBytes = 64 * 1024;
const readableByOthers = 0o077;

/**
 * Reads the configuration of a linked folder. It contains a key, so it must be a regular file of this user that no
 * other user can read.
 * @throws Failure with exit 3 that names the file and the next step
 */
export async function readFolderConfig(folder: string): Promise<FolderConfig> {
  const file = join(folder, hiddenFolderName, configFileName);
  const text = await readOwnFile(file);
  let fields: unknown;
  try {
    fields = JSON.parse(text);
  } catch {
    throw broken(file, 'it is not JSON');
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw broken(file, 'it is not an object');
  }
  return configOf(file, fields as Record<string, unknown>);
}

/** Writes the configuration atomically, readable by this user alone. Makes the hidden folder if it is missing. */
export async function writeFolderConfig(
  folder: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<void> {
  const hidden = join(folder, hiddenFolderName);
  await makeHiddenFolder(hidden);
  const made = join(hidden, `config-${randomUUID()}.part`);
  try {
    const handle = await open(
      made,
      constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW,
      0o600,
    );
    try {
      // The umask limits the mode given to `open` and may have removed this user's own rights.
      await handle.chmod(0o600);
      await handle.writeFile(`${JSON.stringify(fields, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(made, join(hidden, configFileName));
  } catch (error) {
    await rm(made, { force: true });
    throw error;
  }
  await syncFolder(hidden);
}

/** Names of the hidden folder and the configuration, as far as other users of this machine can read them. */
export async function listReadableByOthers(folder: string): Promise<readonly string[]> {
  if (process.platform === 'win32') return [];
  const found = await Promise.all(
    [hiddenFolderName, join(hiddenFolderName, configFileName)].map(async (name) => {
      const facts = await lstat(join(folder, name));
      return !facts.isSymbolicLink() && (facts.mode & readableByOthers) !== 0 ? [name] : [];
    }),
  );
  return found.flat();
}

/**
 * Removes other users' access to the paths found by `listReadableByOthers`.
 * @throws the system's error if a path belongs to another user
 */
export async function closeToOthers(folder: string): Promise<void> {
  for (const name of await listReadableByOthers(folder)) {
    // Opened first, because the path may be replaced at any moment.
    const handle = await open(
      join(folder, name),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    try {
      await handle.chmod((await handle.stat()).mode & ~readableByOthers & 0o777);
    } finally {
      await handle.close();
    }
  }
}

async function makeHiddenFolder(hidden: string): Promise<void> {
  const made = await mkdir(hidden, { recursive: true, mode: 0o700 });
  if (!(await lstat(hidden)).isDirectory()) {
    throw new Failure({
      code: 'config_unusable',
      exit: exitCodes.noFolder,
      message: `${hidden} is not a folder.`,
      next: 'Move it away, then link again.',
    });
  }
  if (made === undefined) return;
  // The umask may have removed this user's own rights.
  await chmod(hidden, 0o700);
  // Keeps the key out of repositories.
  await writeFile(join(hidden, '.gitignore'), '*\n', { mode: 0o600 });
}

async function readOwnFile(file: string): Promise<string> {
  let handle: FileHandle;
  try {
    // Non-blocking, because the path may be a pipe.
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    throw broken(
      file,
      codeOf(error) === 'ELOOP' ? 'it is a symbolic link' : `it cannot be opened (${codeOf(error)})`,
      error,
    );
  }
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) throw broken(file, 'it is not a regular file');
    const self = process.getuid?.();
    if (self !== undefined && facts.uid !== self) {
      throw new Failure({
        code: 'config_unusable',
        exit: exitCodes.noFolder,
        message: `${file} belongs to another user, who could lead your files elsewhere.`,
        next: `If it is yours: chown "$USER" "${file}"`,
      });
    }
    if (process.platform !== 'win32' && (facts.mode & readableByOthers) !== 0) {
      throw new Failure({
        code: 'config_unusable',
        exit: exitCodes.noFolder,
        message: `${file} holds a key, and other users of this machine can read it.`,
        next: `chmod 600 "${file}"; if another user may have read it, revoke the key in the app and link again.`,
      });
    }
    if (facts.size > configMaxBytes) throw broken(file, `it is larger than ${configMaxBytes} bytes`);
    const bytes = Buffer.alloc(configMaxBytes + 1);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return bytes.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

function configOf(file: string, fields: Readonly<Record<string, unknown>>): FolderConfig {
  const { api_base, workspace_id, api_key_id, api_key, allow_http, merge } = fields;
  if (typeof api_base !== 'string' || !URL.canParse(api_base))
    throw broken(file, 'api_base is not an address');
  const allowHttp = allow_http === true;
  if (!isSafeAddress(new URL(api_base), allowHttp))
    throw broken(file, 'api_base is plain http without allow_http');
  if (typeof workspace_id !== 'string' || workspace_id === '') throw broken(file, 'workspace_id is missing');
  if (typeof api_key !== 'string' || !isSendableKey(api_key)) throw broken(file, 'api_key is missing');
  return {
    apiBase: baseOf(new URL(api_base)),
    workspaceId: workspace_id,
    apiKeyId: typeof api_key_id === 'string' ? api_key_id : null,
    apiKey: new ApiKey(api_key),
    allowHttp,
    merge: merge === 'clean' ? 'clean' : 'off',
    trashDays: wholeNumberOf(file, fields, 'trash_days'),
    trashMaxBytes: wholeNumberOf(file, fields, 'trash_max_bytes'),
    // The former name of the field is in folders that were linked before.
    maxChanges: wholeNumberOf(file, fields, 'max_changes') ?? wholeNumberOf(file, fields, 'max_deletes'),
    fields,
  };
}

function wholeNumberOf(file: string, fields: Readonly<Record<string, unknown>>, name: string): number | null {
  const value = fields[name];
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw broken(file, `${name} is not a whole number`);
}

function broken(file: string, reason: string, cause?: unknown): Failure {
  return new Failure({
    code: 'config_unusable',
    exit: exitCodes.noFolder,
    message: `${file} cannot be used: ${reason}.`,
    next: 'Put it right, or remove it and link the folder again.',
    cause,
  });
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
