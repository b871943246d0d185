import {
  applyTextEdits,
  mergeTexts,
  parseConflictedCopyPath,
  parseWorkspacePath,
  type WorkspacePath,
} from '@stoa/core';
import { Failure } from '../output/failure.ts';
import { deleteFiles, type SeenFile, seeFile } from './change-files.ts';
import type { Workspace } from './workspace.ts';

/** A conflicted copy that is there, and the file whose race it lost. */
export interface ConflictedCopy {
  readonly copy: WorkspacePath;
  readonly of: WorkspacePath;
  readonly size: number;
  /** Null where the file is no longer there. */
  readonly ofSize: number | null;
  /** Whose text it is, as the name says; may be empty. */
  readonly writer: string;
  readonly at: string;
}

/** Up to this size texts are compared and merged. */
export const comparedBytesMax = 1024 * 1024;

/** By their names, which say whose they are and when. */
export async function listCopies({
  client,
  workspaceId,
  signal,
}: Workspace): Promise<readonly ConflictedCopy[]> {
  const { entries } = await client.list(workspaceId, { signal });
  const sizes = new Map(entries.map(({ path, size }) => [path, size]));
  return entries.flatMap(({ path, size }) => {
    const copy = parseWorkspacePath(path);
    const name = parseConflictedCopyPath(copy);
    if (name === null) return [];
    const { original: of, writer, madeAt } = name;
    return [{ copy, of, size, ofSize: sizes.get(of) ?? null, writer, at: new Date(madeAt).toISOString() }];
  });
}

/** @throws Failure `usage` for a path that is no conflicted copy. */
export function originalOf(copy: WorkspacePath): WorkspacePath {
  const name = parseConflictedCopyPath(copy);
  if (name !== null) return name.original;
  throw new Failure({
    code: 'no_copy',
    message: `${copy} is not a conflicted copy.`,
    next: '`stoa conflicts` lists them.',
  });
}

/** The copy's bytes become the next version of the file; then the copy goes. */
export async function keepMine(
  workspace: Workspace,
  copy: WorkspacePath,
  of: WorkspacePath,
): Promise<number> {
  const seenCopy = await seeFile(workspace, copy, undefined);
  const bytes = await readBytes(workspace, copy);
  const version = await replace(workspace, of, await seeFile(workspace, of, undefined), bytes);
  await deleteFiles(workspace, [seenCopy]);
  return version;
}

/** The copy goes; its versions stay on the server. */
export async function keepTheirs(workspace: Workspace, copy: WorkspacePath): Promise<void> {
  await deleteFiles(workspace, [await seeFile(workspace, copy, undefined)]);
}

export type MergeOutcome =
  | { readonly kind: 'merged'; readonly version: number }
  /** Where both changed the same: lines of the copy, from 1. */
  | { readonly kind: 'overlaps'; readonly lines: readonly number[] };

/** Joins both with what both began from, if nothing overlaps; then the copy goes. */
export async function mergeCopy(
  workspace: Workspace,
  copy: WorkspacePath,
  of: WorkspacePath,
  base: { readonly version: number; readonly hash: string },
): Promise<MergeOutcome> {
  const { client, workspaceId, signal } = workspace;
  const seenCopy = await seeFile(workspace, copy, undefined);
  const seen = await seeFile(workspace, of, undefined);
  const [mine, theirs, began] = await Promise.all([
    readText(workspace, copy),
    readText(workspace, of),
    client
      .readVersion(workspaceId, of, base.version, { contentHash: base.hash, signal })
      .then(async (file) => textOf(await file.bytes(), of)),
  ]);
  const merged = mergeTexts(began, mine, theirs, { within: 'lines' });
  if (merged.overlaps.length > 0) {
    const lines = merged.overlaps.map(({ mine: at }) => mine.slice(0, at.start).split('\n').length);
    return { kind: 'overlaps', lines };
  }
  const version = await replace(
    workspace,
    of,
    seen,
    new TextEncoder().encode(applyTextEdits(mine, merged.edits)),
  );
  await deleteFiles(workspace, [seenCopy]);
  return { kind: 'merged', version };
}

/** @throws Failure `not_text` */
export async function readText(workspace: Workspace, path: WorkspacePath): Promise<string> {
  return textOf(await readBytes(workspace, path), path);
}

function textOf(bytes: Uint8Array, path: WorkspacePath): string {
  try {
    if (bytes.length <= comparedBytesMax)
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Not UTF-8.
  }
  throw new Failure({
    code: 'not_text',
    message: `${path} is not a text of at most 1 MB.`,
    next: 'Compare the files with a program of their kind.',
  });
}

async function readBytes(
  { client, workspaceId, signal }: Workspace,
  path: WorkspacePath,
): Promise<Uint8Array<ArrayBuffer>> {
  const file = await client.readFile(workspaceId, path, { signal });
  if (file.kind !== 'file') throw new Error('a file was not sent though nothing says that it is known');
  return new Uint8Array(await file.bytes());
}

async function replace(
  { client, workspaceId, signal }: Workspace,
  path: WorkspacePath,
  { version, contentHash }: SeenFile,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<number> {
  const seen = { kind: 'version', version, ...(contentHash === undefined ? {} : { contentHash }) } as const;
  // A copy is there already: what loses again is refused, not kept a second time.
  const outcome = await client.writeFile(workspaceId, path, bytes, seen, { onConflict: 'refuse', signal });
  if (outcome.kind === 'updated' || outcome.kind === 'unchanged' || outcome.kind === 'created')
    return outcome.version;
  throw new Failure({
    code: outcome.kind === 'refused' ? 'changed' : outcome.kind,
    message:
      outcome.kind === 'refused'
        ? `${path} was changed meanwhile. Nothing was changed.`
        : `${path} could not be written.`,
    next: 'Look at it, then say it again.',
  });
}
