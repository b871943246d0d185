import type { FileBytes, FileContent } from '@stoa/client';
import {
  applyTextEdits,
  mergeTexts,
  parseConflictedCopyPath,
  parseWorkspacePath,
  type WorkspacePath,
} from '@stoa/core';
import { Failure } from '../output/failure.ts';
import { deleteFiles, seeFile } from './change-files.ts';
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

/** Size limit of texts to compare or merge. */
export const comparedBytesMax = 1024 * 1024;

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

/**
 * Makes the copy's bytes the next version of the file, or creates the file again if it is gone. Then deletes the copy.
 */
export async function keepMine(
  workspace: Workspace,
  copy: WorkspacePath,
  of: WorkspacePath,
): Promise<number> {
  const seenCopy = await seeFile(workspace, copy, undefined);
  const over = await findFile(workspace, of);
  const { body, sizeBytes } = await openFile(workspace, copy);
  const chunks = ReadableStream.from(arriving(workspace, body));
  const version = await replace(workspace, of, over, chunks, sizeBytes);
  await deleteFiles(workspace, [seenCopy]);
  return version;
}

/** Deletes the copy. Its versions stay on the server. */
export async function keepTheirs(workspace: Workspace, copy: WorkspacePath): Promise<void> {
  await deleteFiles(workspace, [await seeFile(workspace, copy, undefined)]);
}

export type MergeOutcome =
  | { readonly kind: 'merged'; readonly version: number }
  /** Lines of the copy, from 1, at which both sides changed the same text. */
  | { readonly kind: 'overlaps'; readonly lines: readonly number[] };

/** Merges both texts with their common base unless changes overlap, then deletes the copy. */
export async function mergeCopy(
  workspace: Workspace,
  copy: WorkspacePath,
  of: WorkspacePath,
  base: { readonly version: number; readonly hash: string },
): Promise<MergeOutcome> {
  const { client, workspaceId, signal } = workspace;
  const seenCopy = await seeFile(workspace, copy, undefined);
  const seen = await requireFile(workspace, of);
  const [mine, theirs, began] = await Promise.all([
    readText(workspace, copy),
    readText(workspace, of),
    client
      .readVersion(workspaceId, of, base.version, { contentHash: base.hash, signal })
      .then(async (file) => textOf(await readBounded(workspace, file), of)),
  ]);
  const merged = mergeTexts(began, mine, theirs, { within: 'lines' });
  if (merged.overlaps.length > 0) {
    const lines = merged.overlaps.map(({ mine: at }) => mine.slice(0, at.start).split('\n').length);
    return { kind: 'overlaps', lines };
  }
  const joined = new TextEncoder().encode(applyTextEdits(mine, merged.edits));
  const version = await replace(workspace, of, seen, joined, joined.length);
  await deleteFiles(workspace, [seenCopy]);
  return { kind: 'merged', version };
}

/** @throws Failure `not_text` */
export async function readText(workspace: Workspace, path: WorkspacePath): Promise<string> {
  return textOf(await readBounded(workspace, await openFile(workspace, path)), path);
}

function textOf(bytes: Uint8Array | null, path: WorkspacePath): string {
  try {
    if (bytes !== null) return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Not UTF-8.
  }
  throw new Failure({
    code: 'not_text',
    message: `${path} is not a text of at most 1 MB.`,
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

/** @param over the current file; the write is rejected if it changes. Null: no file */
async function replace(
  { client, workspaceId, signal }: Workspace,
  path: WorkspacePath,
  over: CurrentFile | null,
  content: FileContent,
  sizeBytes: number | null,
): Promise<number> {
  const seen = over === null ? ({ kind: 'absent' } as const) : ({ kind: 'version', ...over } as const);
  const size = sizeBytes === null || content instanceof Uint8Array ? {} : { sizeBytes };
  // There is a copy already, so a losing write must be rejected rather than kept a second time.
  const how = { ...size, allowEmpty: sizeBytes === 0, onConflict: 'refuse', signal } as const;
  const outcome = await client.writeFile(workspaceId, path, content, seen, how);
  if (outcome.kind === 'updated' || outcome.kind === 'unchanged' || outcome.kind === 'created')
    return outcome.version;
  const isChanged = outcome.kind === 'refused' || outcome.kind === 'conflict';
  throw new Failure({
    code: isChanged ? 'changed' : outcome.kind,
    message: isChanged
      ? `${path} was changed by another client. Nothing was changed here.`
      : `${path} could not be written.`,
    next: 'Review it and run the command again.',
  });
}
