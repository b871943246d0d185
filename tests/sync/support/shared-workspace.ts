import type { HttpClient } from '../../support/http-client.ts';
import { createKey, type Person, signUp } from '../../support/people.ts';
import { integerAt, jsonOf, recordsAt, textAt } from '../../support/response.ts';
import { useTarget } from '../../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../../support/workspace-client.ts';
import { type Launch, SyncedFolder, until } from './synced-folder.ts';

/** A workspace of one person, with folders that are linked to it. */
export interface SharedWorkspace {
  readonly workspace: WorkspaceClient;
  readonly person: Person;
  /** Links a new folder, over another address of the same server if given. */
  folder(address?: string, launch?: Launch): Promise<SyncedFolder>;
  /** Content hashes of all files by path, without placeholders. */
  hashes(): Promise<Map<string, string>>;
  /** The last change of the feed. */
  head(): Promise<number>;
  /** Content hashes of all versions of a path. */
  versions(path: string): Promise<string[]>;
  /** Waits until each folder has exactly the files of the workspace. */
  untilSame(folders: readonly SyncedFolder[], limitMs?: number): Promise<void>;
}

/** @param target the server; by default the server of the test run. */
export async function useServer(target?: HttpClient) {
  const server = target ?? (await useTarget());
  const person = await signUp(server, 'Ada Lovelace');
  return {
    target: server,
    workspace: async () => sharedBy(server, person, await createWorkspace(person)),
  };
}

/** Wraps an existing workspace with its owner. */
export function sharedBy(server: HttpClient, person: Person, workspace: WorkspaceClient): SharedWorkspace {
  const hashes = async () => {
    const entries = recordsAt(jsonOf(await workspace.query('list', { details: 1 })), 'entries');
    return new Map(
      entries
        .map((entry) => [textAt(entry, 'path'), textAt(entry, 'contentHash')] as const)
        .filter(([path]) => !isPlaceholder(path)),
    );
  };
  return {
    workspace,
    person,
    hashes,
    head: async () => integerAt(jsonOf(await workspace.query('changes', { limit: 0 })), 'head'),
    async folder(address = server.url, launch = {}) {
      const { secret } = await createKey(person, { workspaceId: workspace.id, name: 'service-cli' });
      return SyncedFolder.make({ apiBase: address, workspaceId: workspace.id, key: secret }, launch);
    },
    async versions(path) {
      const response = await workspace.query('versions', { path });
      if (response.status !== 200) return [];
      return recordsAt(jsonOf(response), 'versions').map((version) => textAt(version, 'contentHash'));
    },
    async untilSame(folders, limitMs = 60_000) {
      const differences = async () => {
        const there = await hashes();
        const lines: string[] = [];
        for (const [index, folder] of folders.entries()) {
          const here = await folder.hashes();
          for (const path of new Set([...here.keys(), ...there.keys()])) {
            if (isPlaceholder(path) || here.get(path) === there.get(path)) continue;
            lines.push(`folder ${index}: ${path}: here ${here.get(path)}, there ${there.get(path)}`);
          }
        }
        return lines;
      };
      await until(
        async () => (await differences()).length === 0,
        limitMs,
        async () => `not the same:\n${(await differences()).join('\n')}`,
      );
    },
  };
}

function isPlaceholder(path: string): boolean {
  return path === '.keep' || path.endsWith('/.keep');
}
