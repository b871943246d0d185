import type { HashChoice, PathChoice, VersionChoice } from './commands.ts';
import { type Precondition, type Seen, sha256 } from './workspace/facts.ts';
import type { WorkspaceModel } from './workspace-model.ts';

/** The path of a choice at the time of its command. */
export function choosePath(choice: PathChoice, model: WorkspaceModel): string {
  if (choice.kind === 'named') return choice.path;
  const paths = model.paths();
  return paths[choice.at % paths.length] ?? 'a.md';
}

/** One of the existing conflicted copies, otherwise of all files. */
export function chooseCopy(at: number, model: WorkspaceModel): string {
  const copies = model.paths().filter((path) => path.includes(' (conflicted copy '));
  return copies[at % copies.length] ?? choosePath({ kind: 'existing', at }, model);
}

export function chooseVersion(choice: VersionChoice, current: number | null): number | null {
  switch (choice) {
    case 'none':
      return null;
    case 'current':
      return current ?? 3;
    case 'older':
      return current === null || current === 1 ? 7 : current - 1;
    case 'newer':
      return (current ?? 0) + 1;
  }
}

/** The version that the caller claims to have seen at the path; null for none. */
export function chooseSeen(
  choice: { readonly version: VersionChoice; readonly hash: HashChoice },
  model: WorkspaceModel,
  path: string,
): Seen | null {
  const version = chooseVersion(choice.version, model.versionOf(path));
  return version === null ? null : { version, hash: chooseHash(choice.hash, model.hashOf(path)) };
}

export function choosePrecondition(
  choice: { readonly precondition: VersionChoice | 'absent'; readonly hash: HashChoice },
  model: WorkspaceModel,
  path: string,
): Precondition {
  if (choice.precondition === 'absent') return { kind: 'absent' };
  const seen = chooseSeen({ version: choice.precondition, hash: choice.hash }, model, path);
  return seen === null ? { kind: 'none' } : { kind: 'version', ...seen };
}

function chooseHash(choice: HashChoice, current: string | null): string | null {
  switch (choice) {
    case 'none':
      return null;
    case 'current':
      return current ?? sha256('two');
    case 'other':
      return sha256('never written');
  }
}
