import {
  fileNameOf,
  parsePathPrefix,
  parseWorkspacePath,
  placeholderName,
  type WorkspacePath,
} from '@stoa/core';
import type { WorkspaceAccess } from '../service/access.ts';
import { findFormerPathsBelow } from '../service/files/find-former-path.ts';
import { suggestPaths } from '../service/search/suggest-paths.ts';
import { formerPathText } from './former-path-text.ts';
import type { McpDeps } from './mcp-deps.ts';

/** Tools that recognise a folder and suggest similar paths. Other tools report only where a file went. */
const nearby: ReadonlySet<string> = new Set([
  'read_file',
  'read_file_version',
  'delete_file',
  'move_file',
  'set_file_icon',
  'set_private',
  'edit_file',
  'read_lines',
]);

/** Advice for tools that can say more than that a file does not exist. */
const ownAdvice: Readonly<Record<string, string>> = { edit_file: 'write_file creates a file.' };

/** Advice for tools that got a folder, where listing it does not help. */
const ofFolders: Readonly<Record<string, string>> = {
  move_file: 'move its files one by one',
  set_private: 'say kind "folder"',
};

const foldersCountedMax = 10_000;

/** A call with a path at which there is no file. */
export interface MissingPath {
  /** The tool's name. */
  readonly tool: string;
  readonly path: WorkspacePath;
  /** Whether the caller may restore a file now. */
  readonly restores: boolean;
}

/** Returns the path in a call's arguments, for tools that name a file that must exist. */
export function pathOf(input: Readonly<Record<string, unknown>>): WorkspacePath | null {
  const given = input.path ?? input.from;
  return typeof given === 'string' ? parseWorkspacePath(given) : null;
}

/**
 * Describes a path without a file: that it is a folder, where its file went, or which path may be meant. All of it
 * depends on what the caller may see, so that hidden and absent paths get the same text.
 * @returns null if nothing more is known
 */
export async function missingPathText(
  deps: McpDeps,
  access: WorkspaceAccess,
  { tool, path, restores }: MissingPath,
): Promise<string | null> {
  const { files } = deps.service.store.reader;
  const { viewer, workspace } = access;
  if (await files.hasVisibleAtOrBelow(workspace.id, path, viewer)) {
    // A file exists there, so the call misses another path.
    if (!nearby.has(tool) || (await files.find(workspace.id, path)) !== null) return null;
    const next = ofFolders[tool] ?? `list_files with prefix "${path}"`;
    return `"${path}" is ${await folderText(deps, access, path)}. Next: ${next}.`;
  }
  const former = await formerPathText(deps, access, path, restores);
  if (former !== null) return `File not found: it ${former.what}. Next: ${former.next}`;
  const below = await formerFolderText(deps, access, path);
  if (below !== null) return `File not found: ${below}`;
  if (!nearby.has(tool)) return null;
  const suggested = await suggestPaths(deps.service, access, path);
  const advice = access.workspace.lapsed ? undefined : ownAdvice[tool];
  if (suggested.length === 0) return advice === undefined ? null : `File not found. Next: ${advice}`;
  return `File not found: did you mean ${oneOf(suggested)}?${advice === undefined ? '' : ` ${advice}`}`;
}

/** "a, b or c". */
function oneOf(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join() : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`;
}

/**
 * Describes a path at which a search or a list found nothing.
 * @returns null if something is there, or if all that is known is that a folder does not exist
 */
export async function emptyScopeText(
  deps: McpDeps,
  access: WorkspaceAccess,
  { path, restores, wants }: Omit<MissingPath, 'tool'> & { readonly wants: 'folder' | 'any' },
): Promise<string | null> {
  const { files } = deps.service.store.reader;
  if (await files.hasVisibleAtOrBelow(access.workspace.id, path, access.viewer)) return null;
  const former = await formerPathText(deps, access, path, restores);
  if (former !== null) return `${path} ${former.what}. ${former.next}`;
  const below = await formerFolderText(deps, access, path);
  if (below !== null) return `No ${wants === 'folder' ? 'folder ' : ''}${path}: ${below}`;
  const folders = await suggestPaths(deps.service, access, path, 'folder');
  const meant = folders.map((each) => `${each}/`);
  if (wants === 'any' || meant.length === 0)
    meant.unshift(...(await suggestPaths(deps.service, access, path)));
  if (meant.length === 0) return wants === 'any' ? `There is no ${path}.` : null;
  return `No ${wants === 'folder' ? 'folder ' : ''}${path}. Did you mean ${oneOf(meant)}?`;
}

/** Reports where the files of a folder went, with one of them as an example; null if the caller may not know of any. */
async function formerFolderText(
  deps: McpDeps,
  { workspace, viewer }: WorkspaceAccess,
  path: WorkspacePath,
): Promise<string | null> {
  const { reader } = deps.service.store;
  const found = await findFormerPathsBelow(reader, { workspaceId: workspace.id, path, viewer });
  if (found === null) return null;
  const { from, former } = found;
  return former.kind === 'moved'
    ? `the folder was left: ${from} is at ${former.path} now.`
    : `the folder was left: ${from} was deleted (version ${former.version}).`;
}

/** "a folder of 12 files", counting those that the caller sees. */
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
