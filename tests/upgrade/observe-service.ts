import assert from 'node:assert/strict';
import { StoaApiError, type StoaClient } from '@stoa/client';
import { type Filled, hashOf } from './fill-service.ts';
import { signIn } from './sign-in.ts';

const pagesMax = 100;

/** Reads everything that each person sees in the workspace, and compares contents with their hashes. */
export async function observeService(baseUrl: string, filled: Filled): Promise<unknown> {
  const observed: Record<string, unknown> = {};
  for (const person of filled.people) {
    observed[person.name] = await observe(await signIn(baseUrl, person), filled.workspaceId);
  }
  return withoutWhatChanges(JSON.parse(JSON.stringify(observed).replaceAll(baseUrl, '')));
}

async function observe(client: StoaClient, workspaceId: string) {
  const changes = [];
  let head = -1;
  for (let sinceSeq = 0, page = 0; sinceSeq !== head && page < pagesMax; page += 1) {
    const response = await client.readChanges(workspaceId, { sinceSeq, includeComments: true });
    changes.push(...response.changes);
    sinceSeq = response.nextSeq;
    head = response.head;
  }
  const versions: Record<string, unknown> = {};
  const shares: Record<string, unknown> = {};
  const paths = new Set(changes.map(({ path }) => path));
  for (const path of paths) {
    versions[path] = await unlessNotFound(listVersions(client, workspaceId, path));
    shares[path] = await unlessNotFound(client.listShares(workspaceId, path));
  }
  const workspace = await client.readWorkspace(workspaceId);
  const iconHash = workspace.icon?.split('/').at(-1) ?? '';
  const icon = await client.readWorkspaceIcon(workspaceId, iconHash);
  assert.equal(hashOf(icon.bytes), iconHash);
  const threads = await client.listComments(workspaceId, { limit: 200, entriesLimit: 100 });
  for (const { id } of threads.threads) {
    const pinned = await client.readPinnedContent(workspaceId, id);
    assert.ok((await pinned.bytes()).byteLength > 0);
  }
  return {
    me: await client.me(),
    workspace,
    iconType: icon.contentType,
    members: await client.members(workspaceId),
    usage: await client.usage(workspaceId),
    list: await client.list(workspaceId),
    keys: await client.listKeys(),
    head,
    changes,
    versions,
    shares,
    threads,
  };
}

async function listVersions(client: StoaClient, workspaceId: string, path: string) {
  const { versions } = await client.listVersions(workspaceId, path);
  // The list also has earlier files of the path. A version number alone means the newest file that has it.
  const seen = new Set<string>();
  for (const { movedFrom = path, version, contentHash } of versions) {
    if (seen.has(`${movedFrom} ${version}`)) continue;
    seen.add(`${movedFrom} ${version}`);
    const read = await client.readVersion(workspaceId, movedFrom, version);
    assert.equal(hashOf(await read.bytes()), contentHash, `${movedFrom} ${version}`);
  }
  return versions;
}

async function unlessNotFound<Result>(asked: Promise<Result>): Promise<Result | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof StoaApiError && error.status === 404) return null;
    throw error;
  }
}

/** Fields that change with each read or with the day. */
const changing = new Set(['lastUsedAt', 'last30Days', 'maxFileBytes']);

function withoutWhatChanges(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutWhatChanges);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, at]) =>
      changing.has(name) ? [] : [[name, withoutWhatChanges(at)]],
    ),
  );
}
