import { isWithin, parseWorkspacePath, rebasePath, type WorkspacePath } from '@stoa/core';
import { exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';
import { type CurrentFile, requireFile } from './read-file.ts';
import type { Workspace } from './workspace.ts';

/** The state of a file on which the decision to change it was based. */
export interface SeenFile extends CurrentFile {
  readonly path: WorkspacePath;
}

export interface MovedFile {
  readonly from: WorkspacePath;
  readonly to: WorkspacePath;
  readonly version: number;
}

/** Number of concurrent requests that one client may send. */
const atOnce = 8;

/** Error for `--base` with several files or a folder. */
export function baseIsOfOneFile(): Failure {
  return new Failure({
    code: 'usage',
    exit: exitCodes.usage,
    message: '--base is about one file.',
    next: 'Name the files one by one, or leave it out.',
  });
}

/** A file at the given version, else its current version. @throws Failure `not_found` */
export async function seeFile(
  workspace: Workspace,
  path: WorkspacePath,
  base: number | undefined,
): Promise<SeenFile> {
  return { path, ...(base === undefined ? await requireFile(workspace, path) : { version: base }) };
}

/** All files of a folder, including placeholders. @throws Failure `not_found` for a missing or empty folder */
export async function seeFolder(
  { client, workspaceId, signal }: Workspace,
  folder: WorkspacePath,
): Promise<readonly SeenFile[]> {
  const { entries } = await client.list(workspaceId, { prefix: folder, details: true, signal });
  const files = entries
    .filter(({ path }) => path !== folder && isWithin(path, folder))
    .map(({ path, version, contentHash }) => ({
      path: parseWorkspacePath(path),
      version,
      ...(contentHash === undefined ? {} : { contentHash }),
    }));
  if (files.length > 0) return files;
  throw new Failure({
    code: 'not_found',
    message: `There is no folder ${folder}.`,
    next: '`stoa ls` lists the files.',
  });
}

/** @throws Failure `changed` if another user changed the file since it was read */
export async function moveFile(workspace: Workspace, file: SeenFile, to: WorkspacePath): Promise<MovedFile> {
  const { client, workspaceId, signal } = workspace;
  const outcome = await client.move(
    workspaceId,
    {
      from: file.path,
      to,
      baseVersion: file.version,
      ...(file.contentHash === undefined ? {} : { baseContentHash: file.contentHash }),
    },
    { signal },
  );
  if (outcome.kind === 'conflict') throw changed(file.path, outcome.currentVersion);
  return { from: file.path, to, version: outcome.version };
}

/** Moves every file of a folder, then the folder's own data: icon, order, privacy. */
export async function moveFolder(
  workspace: Workspace,
  from: WorkspacePath,
  to: WorkspacePath,
): Promise<readonly MovedFile[]> {
  if (isWithin(to, from)) {
    throw new Failure({
      code: 'usage',
      exit: exitCodes.usage,
      message: `${to} lies in ${from}.`,
      next: 'Move it to a path outside of itself.',
    });
  }
  const files = await seeFolder(workspace, from);
  const moved = await eachAtOnce(files, workspace.signal, (file) =>
    moveFile(workspace, file, rebasePath(file.path, from, to)),
  );
  await workspace.client.moveFolder(workspace.workspaceId, { from, to }, { signal: workspace.signal });
  return moved;
}

/** @throws Failure `changed` */
export async function deleteFiles(workspace: Workspace, files: readonly SeenFile[]): Promise<void> {
  const { client, workspaceId, signal } = workspace;
  await eachAtOnce(files, signal, async ({ path, version, contentHash }) => {
    const outcome = await client.deleteFile(workspaceId, path, version, {
      signal,
      ...(contentHash === undefined ? {} : { contentHash }),
    });
    if (outcome.kind === 'conflict') throw changed(path, outcome.currentVersion);
  });
}

function changed(path: WorkspacePath, version: number): Failure {
  return new Failure({
    code: 'changed',
    message: `${path} was changed by another client: it is at version ${version} now. Nothing was changed.`,
    next: `Check it with \`stoa history ${path}\`, then run the command again.`,
  });
}

/** Works on a few items at a time, in their order. The first failure stops it, and running work completes. */
async function eachAtOnce<Item, Result>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  let failed = false;
  const worker = async () => {
    for (const [location, item] of queue) {
      if (failed) return;
      signal.throwIfAborted();
      try {
        results[location] = await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
  return results;
}
