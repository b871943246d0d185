import {
  fileNameOf,
  parsePathPrefix,
  parseWorkspacePath,
  placeholderName,
  type WorkspacePath,
} from '@stoa/core';
import type { WorkspaceAccess } from '../service/access.ts';
import { suggestPaths } from '../service/search/suggest-paths.ts';
import type { McpDeps } from './mcp-deps.ts';

/** Tools of which an argument names a file that must be there, and which one does. */
const pathArguments: Readonly<Record<string, string>> = {
  read_file: 'path',
  read_file_version: 'path',
  delete_file: 'path',
  move_file: 'from',
  set_file_icon: 'path',
  set_private: 'path',
  edit_file: 'path',
  read_lines: 'path',
};

/** What helps an agent on, beyond the usual, where a tool has more to say than that a file is not there. */
const ownAdvice: Readonly<Record<string, string>> = { edit_file: 'write_file creates a file.' };

/** What helps an agent on that named a folder, where it is not to see what is in it. */
const ofFolders: Readonly<Record<string, string>> = {
  move_file: 'move its files one by one',
  set_private: 'say kind "folder"',
};

const foldersCountedMax = 10_000;

/**
 * What to say of a path at which no file is: that it is a folder, or which path may be meant. Both go by what the caller
 * may see, so that hidden and absent paths are told alike.
 * @returns null where nothing more is known.
 */
export async function missingPathText(
  deps: McpDeps,
  access: WorkspaceAccess,
  tool: string,
  input: Readonly<Record<string, unknown>>,
): Promise<string | null> {
  const argument = pathArguments[tool];
  const given = argument === undefined ? undefined : input[argument];
  if (typeof given !== 'string') return null;
  const path = parseWorkspacePath(given);
  const { files } = deps.service.store.reader;
  const { viewer, workspace } = access;
  if (await files.hasVisibleAtOrBelow(workspace.id, path, viewer)) {
    // A file stands there: what was not found is another path of the call.
    if ((await files.find(workspace.id, path)) !== null) return null;
    const next = ofFolders[tool] ?? `list_files with prefix "${path}"`;
    return `"${path}" is ${await folderText(deps, access, path)}. Next: ${next}.`;
  }
  const suggested = await suggestPaths(deps.service, access, path);
  const advice = ownAdvice[tool];
  if (suggested.length === 0) return advice === undefined ? null : `File not found. Next: ${advice}`;
  const meant =
    suggested.length === 1 ? suggested[0] : `${suggested.slice(0, -1).join(', ')} or ${suggested.at(-1)}`;
  return `File not found: did you mean ${meant}?${advice === undefined ? '' : ` ${advice}`}`;
}

/** "a folder of 12 files", as far as the caller sees them. */
async function folderText(
  { service }: McpDeps,
  { workspace, viewer }: WorkspaceAccess,
  path: WorkspacePath,
): Promise<string> {
  const rows = await service.store.reader.files.page({
    workspaceId: workspace.id,
    viewer,
    prefix: parsePathPrefix(path),
    afterPath: null,
    limit: foldersCountedMax,
  });
  const count = rows.filter((row) => fileNameOf(row.path) !== placeholderName).length;
  if (count === 0) return 'an empty folder';
  if (count === 1) return 'a folder of 1 file';
  return `a folder of ${count} files${rows.length === foldersCountedMax ? ' or more' : ''}`;
}
