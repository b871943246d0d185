import { parseWorkspacePath, WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { SimulatedKey, StoredFile } from '../simulated-server.ts';
import type { Stage } from './stage.ts';

/** Performs one random action of an agent without a folder. */
export function agentActs(stage: Stage, key: SimulatedKey): void {
  const { random, now, server, newContent, names } = stage;
  const say = (what: string) => stage.say(`${now()} agent ${what}`);
  const files = [...server.filesFor(key.userId)];
  const picked = files.length === 0 ? null : random.pick(files);
  const act = random.below(6);
  try {
    if (picked === null || act < 2) {
      const bytes = newContent();
      const path = parseWorkspacePath(random.pick(names.folders) + random.pick(names.files));
      const there = server.find(path, key.userId);
      say(`writes ${path}`);
      write(
        stage,
        key,
        path,
        { version: there?.version ?? 1, contentHash: there?.contentHash ?? null },
        bytes,
      );
    } else if (act < 4) {
      const [path, seen] = picked;
      const bytes = newContent();
      say(`edits ${path}`);
      write(stage, key, path, seen, bytes);
    } else if (act === 4) {
      const [path, seen] = picked;
      say(`deletes ${path}`);
      server.delete(key, path, seen);
    } else {
      const [from] = picked;
      const to = parseWorkspacePath(random.pick(names.folders) + random.pick(names.files));
      say(`moves ${from} to ${to}`);
      if (from !== to) server.move(key, from, to, null);
    }
  } catch (error) {
    rejected(stage, error);
  }
}

/** Restores a random earlier version. */
export function agentRestores(stage: Stage, key: SimulatedKey): void {
  const { random, now, server } = stage;
  const files = [...server.filesFor(key.userId)];
  if (files.length === 0) return;
  const [path, seen] = random.pick(files);
  const { version, bytes } = random.pick(server.listVersions(path, key.userId));
  stage.say(`${now()} agent restores version ${version} of ${path}`);
  try {
    write(stage, key, path, seen, bytes);
    stage.oracle.repeats(bytes);
  } catch (error) {
    rejected(stage, error);
  }
}

function write(
  { server, oracle }: Stage,
  key: SimulatedKey,
  path: WorkspacePath,
  { version, contentHash }: Pick<StoredFile, 'version'> & { contentHash: StoredFile['contentHash'] | null },
  bytes: Uint8Array<ArrayBuffer>,
): void {
  const { kind } = server.write(key, path, bytes, { kind: 'version', version, contentHash }, null);
  if (kind !== 'quota_exceeded' && kind !== 'file_count_exceeded') oracle.stands(bytes);
}

function rejected({ now, say }: Stage, error: unknown): void {
  // Traces only the code. The stack names the caller, which differs between two equal runs.
  if (!(error instanceof WorkspaceError)) throw error;
  say(`${now()} agent was refused: ${error.code}`);
}
