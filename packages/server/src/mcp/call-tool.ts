import type { CallToolResult } from '@modelcontextprotocol/server';
import {
  type GivenArguments,
  needOfTool,
  type PublishedTool,
  parseRequest,
  workspaceIdField,
} from '@stoa/contract';
import { type Need, refuseBeyond, WorkspaceError } from '@stoa/core';
import { z } from 'zod';
import { type Caller, openWorkspace, type WorkspaceAccess } from '../service/access.ts';
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
    const { traceTool } = deps;
    const work = () => answer(deps, request, tool, given);
    const answered = await (traceTool === null ? work() : traceTool(published.name, work));
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
  const need = needOfTool(tool.descriptor);
  if (tool.reach === 'account') {
    refuseBeyond(caller.grant, need);
    return tool.handle({ deps, caller, input: parseRequest(schema, given, 'arguments') });
  }
  const access = await requireAccess(deps, caller, given, need);
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
class ExplainedRefusal extends WorkspaceError {
  constructor(text: string) {
    super('file_not_found', {}, text);
  }
}

/** Asked on every call: a membership that ended a moment ago is over. */
function requireAccess(deps: McpDeps, caller: Caller, given: unknown, need: Need): Promise<WorkspaceAccess> {
  const { scopedTo } = caller;
  if (scopedTo === null) {
    const { workspaceId } = parseRequest(accountArguments, given, 'arguments');
    return openWorkspace(deps.service, caller, workspaceId, need);
  }
  // A scoped key's tools take no workspace. One that is named all the same must not be silently another.
  const { workspaceId = scopedTo } = parseRequest(scopedArguments, given, 'arguments');
  return openWorkspace(deps.service, caller, workspaceId, need);
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

/** Arguments in the form that a tool's schema reads, and the names among them that it does not know. */
interface ReadArguments {
  readonly given: unknown;
  readonly ignored: readonly string[];
}

/**
 * Reads what a client sent as what it meant: null is left out, as many clients have it; numbers, booleans and lists may
 * come as text, as clients send them that hold an older schema.
 */
function readArguments(tool: Tool, published: PublishedTool, sent: unknown): ReadArguments {
  if (!isRecord(sent)) return { given: sent ?? {}, ignored: [] };
  const { inputSchema } = published;
  const { properties = {} } = inputSchema;
  const renamed = withPath({ ...sent }, properties);
  const given = fieldsAs(tool.descriptor.readGiven?.(fieldsAs(renamed, inputSchema)) ?? renamed, inputSchema);
  // A scoped key's tools take no workspace. One that is named all the same is judged, so it is not ignored.
  const { shape } = tool.descriptor.input;
  const ignored = Object.keys(given).filter((name) => !Object.hasOwn(shape, name) && name !== 'workspaceId');
  return { given, ignored: [...ignored, ...ignoredWithin(given, properties)] };
}

/** The same in what the items of lists hold, each name where it comes first: `edits.1.replaceAll`. */
function ignoredWithin(
  given: GivenArguments,
  properties: Readonly<Record<string, ValueSchema>>,
): readonly string[] {
  const ignored: string[] = [];
  for (const [name, { items }] of Object.entries(properties)) {
    const list = Object.hasOwn(given, name) ? given[name] : null;
    const known = items?.properties;
    if (known === undefined || !Array.isArray(list)) continue;
    const seen = new Set<string>();
    for (const [at, item] of list.entries()) {
      if (!isRecord(item)) continue;
      for (const field of Object.keys(item)) {
        if (Object.hasOwn(known, field) || seen.has(field)) continue;
        seen.add(field);
        ignored.push(`${name}.${at}.${field}`);
      }
    }
  }
  return ignored;
}

/** Agents know the argument by this name from other tools; no tool has it here. */
function withPath(sent: GivenArguments, properties: Readonly<Record<string, unknown>>): GivenArguments {
  const { file_path: path, ...others } = sent;
  const isMeant = path !== undefined && sent.path === undefined && Object.hasOwn(properties, 'path');
  return isMeant ? { ...others, path } : sent;
}

/** The part of a published schema that says how a value is meant. */
interface ValueSchema {
  readonly type?: unknown;
  readonly items?: ValueSchema;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
}

function fieldsAs(given: GivenArguments, { properties = {} }: ValueSchema): GivenArguments {
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [
        name,
        valueAs(value, Object.hasOwn(properties, name) ? properties[name] : {}),
      ]),
  );
}

function valueAs(sent: unknown, schema: ValueSchema = {}): unknown {
  const value = asType(sent, schema.type);
  if (Array.isArray(value)) return value.map((item) => valueAs(item, schema.items));
  return isRecord(value) && schema.properties !== undefined ? fieldsAs(value, schema) : value;
}

function isRecord(value: unknown): value is GivenArguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asType(value: unknown, type: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  switch (type) {
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : value;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : value;
    case 'array':
      return /^[[{]/.test(text) ? parsed(text, value) : value;
    default:
      return value;
  }
}

function parsed(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** What an agent is told of arguments that had no effect: a wrong one that is passed over in silence does harm. */
function ignoredText({ name, inputSchema }: PublishedTool, ignored: readonly string[]): string {
  const properties: Readonly<Record<string, ValueSchema>> = inputSchema.properties ?? {};
  const known = Object.entries(properties).map(([argument, { items }]) => {
    const isAsked = ignored.some((each) => each.startsWith(`${argument}.`));
    return isAsked ? `${argument} of { ${Object.keys(items?.properties ?? {}).join(', ')} }` : argument;
  });
  const shown = ignored.slice(0, 10).map((each) => each.slice(0, 100));
  return `Ignored: ${shown.join(', ')}. ${name} takes ${known.length === 0 ? 'no arguments' : known.join(', ')}.`;
}
