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

/** In front of a path from the workspace's root, wherever the person is. */
const fromRoot = ':/';

/**
 * The path of a file that a person named: in a linked folder as any path on this machine, or from the workspace's root
 * after `:/`; without a folder always from the root.
 * @throws Failure `usage` for a path outside the folder; WorkspaceError `invalid_path`
 */
export function parsePathArgument(
  workspace: Pick<Workspace, 'source' | 'cwd'>,
  typed: string,
): WorkspacePath {
  return parseWorkspacePath(textFromRoot(workspace, typed));
}

/** As `parsePathArgument`, for a folder: the root too. */
export function parseFolderArgument(workspace: Pick<Workspace, 'source' | 'cwd'>, typed: string): PathPrefix {
  return parsePathPrefix(textFromRoot(workspace, typed));
}

function textFromRoot({ source, cwd }: Pick<Workspace, 'source' | 'cwd'>, typed: string): string {
  if (typed.startsWith(fromRoot)) return withoutClimbing(typed.slice(fromRoot.length), typed);
  if (source.kind === 'environment') return withoutClimbing(typed, typed);
  const place = realPlace(resolve(cwd, typed));
  const path = relative(source.folder, place);
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

/** As the disk has it, so far as it is there: the folder's own place has no symbolic links on its way. */
function realPlace(place: string): string {
  const missing: string[] = [];
  for (
    let at = dirname(place), rest = [basename(place)];
    ;
    rest = [basename(at), ...rest], at = dirname(at)
  ) {
    try {
      return join(realpathSync(at), ...rest);
    } catch {
      if (dirname(at) === at) return join(place, ...missing);
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
