import assert from 'node:assert/strict';
import type { McpClient } from './mcp-client.ts';
import { recordOf } from './response.ts';

/** The names of the arguments that a tool lists, without the workspace's. */
export async function toolArguments(
  mcp: McpClient,
  name: string,
): Promise<{ readonly all: readonly unknown[]; readonly required: readonly unknown[] }> {
  const tool = (await mcp.list()).find((each) => each.name === name);
  const { properties, required } = recordOf(recordOf(tool).inputSchema);
  assert.ok(Array.isArray(required));
  const own = (names: readonly unknown[]) => names.filter((each) => each !== 'workspaceId');
  return { all: own(Object.keys(recordOf(properties))), required: own(required) };
}
