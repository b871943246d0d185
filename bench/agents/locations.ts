import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { assertStatus } from '../../tests/support/expect.ts';
import type { HttpClient } from '../../tests/support/http-client.ts';
import { openMcp, type ToolSet } from '../../tests/support/mcp-client.ts';
import { createKey, type Person } from '../../tests/support/people.ts';
import { createWorkspace, type WorkspaceClient } from '../../tests/support/workspace-client.ts';
import { type Agent, type CallTool, countedAgent } from './agent-call.ts';

const writesAtOnce = 16;

export type Files = ReadonlyMap<string, string>;

/** A workspace with an agent's key, and the key of another user of the workspace. */
export interface StoaLocation {
  readonly kind: 'stoa';
  readonly agent: Agent;
  readonly other: WorkspaceClient;
  readonly session: WorkspaceClient;
}

/** A folder that the reference filesystem server serves. */
export interface FolderLocation {
  readonly kind: 'folder';
  readonly agent: Agent;
  readonly folder: string;
}

/** The agent itself creates the files, so that they are not news to it. */
export async function makeStoaLocation(
  server: HttpClient,
  person: Person,
  files: Files,
  toolSet?: ToolSet,
): Promise<StoaLocation> {
  const session = await createWorkspace(person);
  const workspaceId = session.id;
  const own = await createKey(person, { workspaceId, name: 'Claude' });
  const others = await createKey(person, { workspaceId, name: 'Codex' });
  const writer = session.as(own.client);
  const todo = [...files];
  let next = 0;
  const write = async () => {
    while (next < todo.length) {
      const [path, text] = todo[next] ?? ['', ''];
      next += 1;
      assertStatus(await writer.put(path, text), 201);
    }
  };
  await Promise.all(Array.from({ length: writesAtOnce }, write));
  const mcp = openMcp(server, own, toolSet === undefined ? {} : { toolSet });
  const callTool: CallTool = async (name, given) => {
    const { data, hasData, text, isError } = await mcp.call(name, given);
    return { data, isError, seen: hasData ? JSON.stringify(data) : text };
  };
  return { kind: 'stoa', agent: countedAgent(callTool), other: session.as(others.client), session };
}

export async function makeFolder(folder: string, files: Files): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}
