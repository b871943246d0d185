import { createStoaClient, type StoaClient } from '@stoa/client';
import { namedSend } from '../config/connect.ts';
import { readSource, type Source } from '../config/source.ts';
import type { Host } from '../output/host.ts';

export type ChangePage = Awaited<ReturnType<StoaClient['readChanges']>>;
export type ChangeRecord = ChangePage['changes'][number];
export type ListedFile = Awaited<ReturnType<StoaClient['list']>>['entries'][number];
export type VersionRecord = Awaited<ReturnType<StoaClient['listVersions']>>['versions'][number];

/** The workspace of a command, with or without a folder. */
export interface Workspace {
  readonly client: StoaClient;
  readonly workspaceId: string;
  readonly source: Source;
  /** The current folder. In a linked folder, paths are relative to it. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly pace: Host['pace'];
}

/** @throws Failure with exit 3 if no workspace is configured */
export async function openWorkspace(host: Host, dir: string | undefined): Promise<Workspace> {
  const source = await readSource(host, dir);
  const client = createStoaClient({
    baseUrl: source.apiBase,
    apiKey: source.apiKey.reveal(),
    fetch: namedSend(host),
  });
  const { signal, pace } = host;
  const workspaceId = source.workspaceId ?? (await client.workspace({ signal })).id;
  return { client, workspaceId, source, cwd: host.cwd, signal, pace };
}
