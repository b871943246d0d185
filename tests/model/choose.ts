import type { PathChoice, VersionChoice } from './commands.ts';
import type { Precondition, WorkspaceModel } from './workspace-model.ts';

/** The path that a choice comes to, now that it is the command's turn. */
export function choosePath(choice: PathChoice, model: WorkspaceModel): string {
  if (choice.kind === 'named') return choice.path;
  const paths = model.paths();
  return paths[choice.at % paths.length] ?? 'a.md';
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

export function choosePrecondition(choice: VersionChoice | 'absent', current: number | null): Precondition {
  if (choice === 'absent') return { kind: 'absent' };
  const version = chooseVersion(choice, current);
  return version === null ? { kind: 'none' } : { kind: 'version', version };
}
