import type { CallToolResult } from '@modelcontextprotocol/server';
import { type PublishedTool, parseRequest, workspaceIdField } from '@stoa/contract';
import { WorkspaceError } from '@stoa/core';
import { z } from 'zod';
import { type Caller, openWorkspace, type WorkspaceAccess } from '../service/access/workspace-access.ts';
import { ignoredText, readArguments } from './given-arguments.ts';
import type { McpDeps } from './mcp-deps.ts';
import type { McpRequest } from './mcp-request.ts';
import { missingPathText } from './missing-path.ts';
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
  request: Pick<McpRequest, 'caller' | 'reportFault' | 'content' | 'signal'>,
  tool: Tool,
  published: PublishedTool,
  sent: unknown,
): Promise<CallToolResult> {
  try {
    const { given, ignored } = readArguments(tool, published, sent);
    const answered = await answer(deps, request, tool, given);
    return success(ignored.length === 0 ? answered : withIgnored(answered, published, ignored));
  } catch (error) {
    const text =
      error instanceof ExplainedRefusal
        ? error.message
        : error instanceof WorkspaceError
          ? refusalText(error)
          : request.reportFault(error);
    return { isError: true, content: [{ type: 'text', text }] };
  }
}

async function answer(
  deps: McpDeps,
  { caller, content, signal }: Pick<McpRequest, 'caller' | 'content' | 'signal'>,
  tool: Tool,
  given: unknown,
): Promise<ToolAnswer> {
  const { input: schema } = tool.descriptor;
  if (tool.reach === 'account') {
    return tool.handle({ deps, caller, input: parseRequest(schema, given, 'arguments') });
  }
  const access = await requireAccess(deps, caller, given);
  const input = parseRequest(schema, given, 'arguments');
  try {
    return await tool.handle({ deps, caller, access, input, content, signal });
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.code !== 'file_not_found' || error.message !== '')
      throw error;
    const text = await missingPathText(deps, access, tool.descriptor.name, input);
    throw text === null ? error : new ExplainedRefusal(text);
  }
}

/** A refusal with a text that fits the call better than the one that its code has. */
class ExplainedRefusal extends Error {}

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

/** Stands first: an answer to another question than was meant should not be read as the one to it. */
function withIgnored(
  { text, data }: ToolAnswer,
  published: PublishedTool,
  ignored: readonly string[],
): ToolAnswer {
  const blocks = typeof text === 'string' ? [text] : text;
  return {
    text: [ignoredText(published, ignored), ...blocks],
    ...(data === undefined ? {} : { data: { ...data, ignored } }),
  };
}
