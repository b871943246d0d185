import { type FileBytes, StoaApiError } from '@stoa/client';
import {
  type ConflictKeep,
  parseConflictedCopyPath,
  parseWorkspacePath,
  utf8Text,
  type WorkspacePath,
} from '@stoa/core';
import { Failure } from '../output/failure.ts';
import { deleteFiles, moveFile, seeFile } from './change-files.ts';
import { aboutFile, arriving, type CurrentFile, findFile, requireFile } from './read-file.ts';
import type { Workspace } from './workspace.ts';

/** An existing conflicted copy and the file whose race it lost. */
export interface ConflictedCopy {
  readonly copy: WorkspacePath;
  readonly of: WorkspacePath;
  readonly size: number;
  /** Null if the file no longer exists. */
  readonly ofSize: number | null;
  /** The writer given in the copy's name; empty if the name has none. */
  readonly writer: string;
  /** ISO 8601 time given in the copy's name; null if the name has none. */
  readonly at: string | null;
}

/** The original file by copy, from the local state. It also knows renamed copies and files. */
export type KnownCopies = ReadonlyMap<WorkspacePath, WorkspacePath>;

/** Size limit of texts to compare. */
const comparedBytesMax = 1024 * 1024;

/** Finds copies by their names, which contain writer and time, and by the local state. */
export async function listCopies(
  { client, workspaceId, signal }: Workspace,
  known: KnownCopies,
): Promise<readonly ConflictedCopy[]> {
  const { entries } = await client.list(workspaceId, { signal });
  const sizes = new Map(entries.map(({ path, size }) => [path, size]));
  return entries.flatMap(({ path, size }) => {
    const copy = parseWorkspacePath(path);
    const name = parseConflictedCopyPath(copy);
    const of = known.get(copy) ?? name?.original;
    if (of === undefined) return [];
    const at = name === null ? null : new Date(name.madeAt).toISOString();
    return [{ copy, of, size, ofSize: sizes.get(of) ?? null, writer: name?.writer ?? '', at }];
  });
}

/** @throws Failure `no_copy` if the path is not a conflicted copy */
export function originalOf(copy: WorkspacePath, known: KnownCopies): WorkspacePath {
  const of = known.get(copy) ?? parseConflictedCopyPath(copy)?.original;
  if (of !== undefined) return of;
  throw new Failure({
    code: 'no_copy',
    message: `${copy} is not a conflicted copy.`,
    next: '`stoa conflicts` lists them.',
  });
}

/** The file that the copy was settled with, and its version. */
export interface Settled {
  readonly of: WorkspacePath;
  readonly version: number;
}

/** Makes the copy's bytes the next version of the file, or creates the file again if it is gone. Deletes the copy. */
export async function keepMine(
  workspace: Workspace,
  copy: WorkspacePath,
  of: WorkspacePath,
): Promise<Settled> {
  const resolved = await resolve(workspace, copy, of, 'copy');
  if (resolved?.kind === 'resolved') return resolved;
  const seenCopy = await seeFile(workspace, copy, undefined);
  const over = await findFile(workspace, of);
  if (over === null) return { of, version: (await moveFile(workspace, seenCopy, of)).version };
  const version = await replace(workspace, copy, of, over);
  await deleteFiles(workspace, [seenCopy]);
  return { of, version };
}

/**
 * Deletes the copy. Its versions stay on the server.
 * @throws Failure `file_gone` if the copy is the only text left
 */
export async function keepTheirs(
  workspace: Workspace,
  copy: WorkspacePath,
  of: WorkspacePath,
): Promise<void> {
  const resolved = await resolve(workspace, copy, of, 'current');
  if (resolved !== null) return;
  const seenCopy = await seeFile(workspace, copy, undefined);
  if ((await findFile(workspace, of)) === null) {
    throw new Failure({
      code: 'file_gone',
      message: `${of} is gone, so the copy is the only text left.`,
      next: '`stoa conflicts keep COPY --mine` brings the file back, `stoa rm` deletes the copy.',
    });
  }
  await deleteFiles(workspace, [seenCopy]);
}

export type MergeOutcome =
  | ({ readonly kind: 'merged' } & Settled)
  /** First lines of the file, from 1, at which both sides changed the same text. `more` counts the others. */
  | { readonly kind: 'overlaps'; readonly lines: readonly number[]; readonly more: number }
  | { readonly kind: 'no_base' };

/**
 * Merges both texts with their common base unless changes overlap, and deletes the copy.
 * @throws Failure `not_text`
 */
export async function mergeCopy(
  workspace: Workspace,
  copy: WorkspacePath,
  of: WorkspacePath,
): Promise<MergeOutcome> {
  const resolved = await resolve(workspace, copy, of, 'merge');
  switch (resolved?.kind) {
    case 'resolved':
      return { kind: 'merged', of: resolved.of, version: resolved.version };
    case 'overlapping':
      return { kind: 'overlaps', lines: resolved.hunks.map(({ line }) => line), more: resolved.moreHunks };
    default:
      await Promise.all([copy, of].map((path) => requireFile(workspace, path)));
      return { kind: 'no_base' };
  }
}

/**
 * Settles a copy with its file in one step of the server.
 * @returns null if the server does not connect the two: it knows neither renames nor copies that sync named itself
 */
async function resolve(
  { client, workspaceId, signal }: Workspace,
  copy: WorkspacePath,
  of: WorkspacePath,
  keep: ConflictKeep,
) {
  if (parseConflictedCopyPath(copy)?.original !== of) return null;
  try {
    const outcome = await client.resolveConflict(workspaceId, { copy, keep }, { signal });
    switch (outcome.kind) {
      case 'resolved':
        return { ...outcome, of: parseWorkspacePath(outcome.path) };
      case 'overlapping':
      case 'no_base':
        return outcome;
      default:
        throw notWritten(of, outcome.kind);
    }
  } catch (error) {
    if (!(error instanceof StoaApiError)) throw error;
    if (error.status === 404) return null;
    if (keep === 'merge' && error.status === 400) throw notText(of, '16 MiB');
    throw error;
  }
}

/** @throws Failure `not_text` */
export async function readText(workspace: Workspace, path: WorkspacePath): Promise<string> {
  const bytes = await readBounded(workspace, await openFile(workspace, path));
  const text = bytes === null ? null : utf8Text(bytes);
  if (text === null) throw notText(path, '1 MB');
  return text;
}

function notText(path: WorkspacePath, max: string): Failure {
  return new Failure({
    code: 'not_text',
    message: `${path} is not a text of at most ${max}.`,
    next: 'Compare the files with a program of their kind.',
  });
}

/** Null above the size limit; the rest is not read. */
async function readBounded(
  workspace: Workspace,
  { body }: Pick<FileBytes, 'body'>,
): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of arriving(workspace, body)) {
    bytes += chunk.length;
    if (bytes > comparedBytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

async function openFile({ client, workspaceId, signal }: Workspace, path: WorkspacePath): Promise<FileBytes> {
  const file = await aboutFile(path, client.readFile(workspaceId, path, { signal }));
  if (file.kind !== 'file') throw new Error('a file was not sent though nothing says that it is known');
  return file;
}

/** @param over the current file; the write is rejected if it changes */
async function replace(
  workspace: Workspace,
  copy: WorkspacePath,
  path: WorkspacePath,
  over: CurrentFile,
): Promise<number> {
  const { client, workspaceId, signal } = workspace;
  const { body, sizeBytes } = await openFile(workspace, copy);
  const content = ReadableStream.from(arriving(workspace, body));
  const size = sizeBytes === null ? {} : { sizeBytes };
  // There is a copy already, so a losing write must be rejected rather than kept a second time.
  const how = { ...size, allowEmpty: sizeBytes === 0, onConflict: 'refuse', signal } as const;
  const outcome = await client.writeFile(workspaceId, path, content, { kind: 'version', ...over }, how);
  if (outcome.kind === 'updated' || outcome.kind === 'unchanged' || outcome.kind === 'created')
    return outcome.version;
  throw notWritten(path, outcome.kind);
}

function notWritten(path: WorkspacePath, kind: string): Failure {
  const isChanged = kind === 'refused' || kind === 'conflict';
  return new Failure({
    code: isChanged ? 'changed' : kind,
    message: isChanged
      ? `${path} was changed by another client. Nothing was changed here.`
      : `${path} could not be written.`,
    next: 'Review it and run the command again.',
  });
}
