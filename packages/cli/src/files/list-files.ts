import { posix } from 'node:path';
import { fileNameOf, type PathPrefix, placeholderName } from '@stoa/core';
import type { ListedFile, Workspace } from './workspace.ts';

/** Files at and below a folder, ordered by code point of their paths. */
export async function listFiles(
  { client, workspaceId, signal }: Workspace,
  prefix: PathPrefix,
  { match, all }: { readonly match: string | undefined; readonly all: boolean },
): Promise<readonly ListedFile[]> {
  const { entries } = await client.list(workspaceId, { ...(prefix === '' ? {} : { prefix }), signal });
  return entries.filter(
    ({ path }) =>
      (all || fileNameOf(path) !== placeholderName) &&
      (match === undefined || posix.matchesGlob(path, match)),
  );
}
