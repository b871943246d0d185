import type { Generator } from '../load/open-generator.ts';
import type { StoaSide } from '../sides/start-stoa.ts';
import { seedWorkspace } from './seed-workspace.ts';

/** One server whose workspaces are filled once, when a case first needs that size. */
export interface SeededStoa {
  readonly server: () => Promise<StoaSide>;
  /** The common start of the routes of the workspace with this many files. */
  readonly workspace: (files: number) => Promise<string>;
}

export function seededStoa(
  generator: Generator,
  start: () => Promise<StoaSide>,
  say: (text: string) => void,
): SeededStoa {
  let started: Promise<StoaSide> | null = null;
  const workspaces = new Map<number, Promise<string>>();
  const server = () => {
    started ??= start();
    return started;
  };
  const seed = async (files: number) => {
    say(`filling a workspace with ${files} files`);
    return seedWorkspace(generator, await server(), files);
  };
  return {
    server,
    workspace(files) {
      const workspace = workspaces.get(files) ?? seed(files);
      workspaces.set(files, workspace);
      return workspace;
    },
  };
}
