import type { CallToolResult } from '@modelcontextprotocol/server';
import { parseRequest, workspaceIdField } from '@stoa/contract';
import { WorkspaceError } from '@stoa/core';
import { z } from 'zod';
import { type Caller, openWorkspace, type WorkspaceAccess } from '../service/access/workspace-access.ts';
import type { McpDeps } from './mcp-deps.ts';
import type { McpRequest } from './mcp-request.ts';
import { refusalText } from './refusal-text.ts';
import type { Tool, ToolAnswer } from './tool.ts';

const accountArguments = z.object({ workspaceId: workspaceIdField });
const scopedArguments = accountArguments.partial();

/**
 * Runs a tool. Never throws: a refusal becomes a hard error that says what to do next, a fault one that says where the
 * operator finds it (interface: mcp, Results).
 */
export async function callTool(
  deps: McpDeps,
  request: Pick<McpRequest, 'caller' | 'reportFault' | 'content'>,
  tool: Tool,
  given: unknown,
): Promise<CallToolResult> {
  try {
    return success(await answer(deps, request, tool, withoutNulls(given)));
  } catch (error) {
    const text = error instanceof WorkspaceError ? refusalText(error) : request.reportFault(error);
    return { isError: true, content: [{ type: 'text', text }] };
  }
}

async function answer(
  deps: McpDeps,
  { caller, content }: Pick<McpRequest, 'caller' | 'content'>,
  tool: Tool,
  given: unknown,
): Promise<ToolAnswer> {
  const { input: schema } = tool.descriptor;
  if (tool.reach === 'account') {
    return tool.handle({ deps, caller, input: parseRequest(schema, given, 'arguments') });
  }
  const access = await requireAccess(deps, caller, given);
  const input = parseRequest(schema, given, 'arguments');
  return tool.handle({ deps, caller, access, input, content });
}

/** Asked on every call: a membership that ended a moment ago is over. */
function requireAccess(deps: McpDeps, caller: Caller, given: unknown): Promise<WorkspaceAccess> {
  const { scopedTo } = caller;
  if (scopedTo === null) {
    const { workspaceId } = parseRequest(accountArguments, given, 'arguments');
    return openWorkspace(deps.service, caller, workspaceId);
  }
  // A scoped key's tools take no workspace. One that is named all the same must not be silently another.
  const { workspaceId = scopedTo } = parseRequest(scopedArguments, given, 'arguments');
  return openWorkspace(deps.service, caller, workspaceId);
}

function success({ text, data }: ToolAnswer): CallToolResult {
  const blocks = typeof text === 'string' ? [text] : text;
  return {
    content: blocks.map((block) => ({ type: 'text', text: block })),
    ...(data === undefined ? {} : { structuredContent: data }),
  };
}

/** Many clients send null for what is left out. */
function withoutNulls(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given ?? {};
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}
