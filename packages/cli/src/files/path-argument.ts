import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import {
  hiddenFolderName,
  type PathPrefix,
  parsePathPrefix,
  parseWorkspacePath,
  type WorkspacePath,
} from '@stoa/core';
import { exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';
import type { Workspace } from './workspace.ts';

/** Prefix of a path from the workspace's root, whatever the current folder. */
const fromRoot = ':/';

/**
 * Parses the path of a file. In a linked folder it is a path on this machine, or a path from the workspace's root after
 * `:/`. Without a folder it always begins at the root.
 * @throws Failure `usage` for a path outside the folder; WorkspaceError `invalid_path`
 */
export function parsePathArgument(
  workspace: Pick<Workspace, 'source' | 'cwd'>,
  typed: string,
): WorkspacePath {
  return parseWorkspacePath(textFromRoot(workspace, typed));
}

/** Like `parsePathArgument` for a folder, which may be the root. */
export function parseFolderArgument(workspace: Pick<Workspace, 'source' | 'cwd'>, typed: string): PathPrefix {
  return parsePathPrefix(textFromRoot(workspace, typed));
}

/** Arguments that can only be a folder: `docs/`, `.`, `../..`. */
const folderWord = /\/$|(?:^|\/)\.{1,2}$/;

/**
 * Target path of a file: the given path, or its own name in the given folder.
 * @param name null for a source without a name
 * @throws like `parsePathArgument`; Failure `usage` for a folder without a name
 */
export function parseTargetArgument(
  workspace: Pick<Workspace, 'source' | 'cwd'>,
  typed: string,
  name: string | null,
): WorkspacePath {
  if (!folderWord.test(typed)) return parsePathArgument(workspace, typed);
  if (name !== null) return parseWorkspacePath(`${parseFolderArgument(workspace, typed)}/${name}`);
  throw new Failure({
    code: 'usage',
    exit: exitCodes.usage,
    message: `${typed} is a folder, and the file to write has no name.`,
    next: `Name it: ${typed.replace(/\/$/, '')}/notes.md`,
  });
}

function textFromRoot({ source, cwd }: Pick<Workspace, 'source' | 'cwd'>, typed: string): string {
  if (typed.startsWith(fromRoot)) return withoutClimbing(typed.slice(fromRoot.length), typed);
  if (source.kind === 'environment') return withoutClimbing(typed, typed);
  const location = realLocation(resolve(cwd, typed));
  const path = relative(source.folder, location);
  if (path === '..' || path.startsWith(`..${sep}`) || resolve(path) === path) {
    throw outside(typed, source.folder);
  }
  const inFolder = path.split(sep).join('/');
  if (inFolder.split('/')[0] === hiddenFolderName) {
    throw usage(
      `${typed} is what this program keeps for itself: it is in no workspace.`,
      'Name another file.',
    );
  }
  return inFolder;
}

/** Resolves symlinks in the existing part of a path, because the folder's own path has none. */
function realLocation(location: string): string {
  const missing: string[] = [];
  for (
    let at = dirname(location), rest = [basename(location)];
    ;
    rest = [basename(at), ...rest], at = dirname(at)
  ) {
    try {
      return join(realpathSync(at), ...rest);
    } catch {
      if (dirname(at) === at) return join(location, ...missing);
    }
  }
}

function withoutClimbing(text: string, typed: string): string {
  const segments: string[] = [];
  for (const segment of text.split('/')) {
    if (segment !== '..') segments.push(segment);
    else if (segments.findLast((one) => one !== '' && one !== '.') === undefined) {
      throw usage(`${typed} leads out of the workspace.`, 'Paths begin at its root.');
    } else segments.splice(segments.findLastIndex((one) => one !== '' && one !== '.'));
  }
  return segments.join('/');
}

function outside(typed: string, folder: string): Failure {
  return usage(
    `${typed} lies outside of the linked folder ${folder}.`,
    'Name a file in it, or one of the workspace with :/ in front: :/notes/plan.md',
  );
}

function usage(message: string, next: string): Failure {
  return new Failure({ code: 'path_outside', exit: exitCodes.usage, message, next });
}
