import type { CallToolResult } from '@modelcontextprotocol/server';
import {
  argumentNamed,
  errorOfArgument,
  type GivenArguments,
  needOfTool,
  type PublishedTool,
  parseRequest,
  workspaceIdField,
} from '@stoa/contract';
import {
  type ErrorCode,
  invalidRequest,
  isWithinNeed,
  mostOf,
  type Need,
  parseWorkspacePath,
  rejectBeyond,
  WorkspaceError,
  type WorkspacePath,
} from '@stoa/core';
import { z } from 'zod';
import { type Caller, openWorkspace, type WorkspaceAccess } from '../service/access.ts';
import { rejectionText } from './error-text.ts';
import { missingVersionText } from './find-version.ts';
import type { McpDeps } from './mcp-deps.ts';
import type { McpRequest } from './mcp-request.ts';
import { missingPathText, pathOf } from './missing-path.ts';
import { outsideText } from './reach-text.ts';
import type { Tool, ToolResponse } from './tool.ts';
import { isCostlyTool } from './tool-costs.ts';

const accountArguments = z.object({ workspaceId: workspaceIdField });
const scopedArguments = accountArguments.partial();

/**
 * Runs a tool. Never throws: a `WorkspaceError` becomes a hard error that says what to do next, and any other failure
 * one that says where the operator finds it (interface: mcp, Results).
 */
export async function callTool(
  deps: McpDeps,
  request: Pick<
    McpRequest,
    'caller' | 'reportFault' | 'content' | 'signal' | 'batchedReads' | 'whileWaiting'
  >,
  tool: Tool,
  published: PublishedTool,
  sent: unknown,
): Promise<CallToolResult> {
  let ignored: readonly string[] = [];
  try {
    const read = readArguments(tool, published, sent);
    const { given } = read;
    ignored = read.ignored;
    const { traceTool } = deps;
    const work = () => runTool(deps, request, tool, given);
    const traced = () => (traceTool === null ? work() : traceTool(published.name, work));
    const responded = await (isCostlyTool(tool.descriptor.name) ? request.batchedReads(traced) : traced());
    return success(ignored.length === 0 ? responded : withIgnored(responded, published, ignored));
  } catch (error) {
    let text =
      error instanceof ExplainedError
        ? error.message
        : error instanceof WorkspaceError
          ? rejectionText(error)
          : request.reportFault(error);
    // A misspelt argument is often the one that is missing.
    if (error instanceof WorkspaceError && ignored.length > 0) text += ` ${ignoredText(published, ignored)}`;
    return { isError: true, content: [{ type: 'text', text }] };
  }
}

async function runTool(
  deps: McpDeps,
  {
    caller,
    content,
    signal,
    whileWaiting,
  }: Pick<McpRequest, 'caller' | 'content' | 'signal' | 'whileWaiting'>,
  tool: Tool,
  given: unknown,
): Promise<ToolResponse> {
  const { input: schema } = tool.descriptor;
  const need = needOfTool(tool.descriptor);
  if (tool.reach === 'account') {
    rejectBeyond(caller.grant, need);
    return tool.handle({ deps, caller, input: parseRequest(schema, given, 'arguments') });
  }
  const access = await requireAccess(deps, caller, given, need).catch((error) => {
    const isUnknown = error instanceof WorkspaceError && error.code === 'workspace_not_found';
    throw isUnknown && caller.scopedTo !== null ? new ExplainedError(oneWorkspaceText) : error;
  });
  const input = parseRequest(schema, given, 'arguments');
  const restores = isWithinNeed('write', mostOf(caller.grant)) && !access.workspace.lapsed;
  try {
    const outside = need === 'read' ? null : await outsideText(deps.service, access, input);
    if (outside !== null) throw new ExplainedError(outside);
    return await tool.handle({ deps, caller, access, restores, input, content, signal, whileWaiting });
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    if (error.code === 'invalid_path')
      throw new WorkspaceError(error.code, { argument: argumentOf(error, input) }, error.message);
    if (error.message !== '') throw error;
    const path = pathOf(input);
    const text = path === null ? null : await explained(error.code, path);
    throw text === null ? error : new ExplainedError(text);
  }

  async function explained(code: ErrorCode, path: WorkspacePath): Promise<string | null> {
    switch (code) {
      case 'file_not_found':
        return missingPathText(deps, access, { tool: tool.descriptor.name, path, restores });
      case 'version_not_found':
        return missingVersionText(deps, access, { path, restores });
      default:
        return null;
    }
  }
}

const pathArguments = ['path', 'prefix', 'from', 'to', 'movedFrom', 'after'];

/** Returns the name of the argument whose path has this fault. */
function argumentOf({ message }: WorkspaceError, input: GivenArguments): string {
  const isAt = (name: string) => {
    const given = input[name];
    try {
      if (typeof given === 'string') parseWorkspacePath(given);
      return false;
    } catch (error) {
      return error instanceof Error && error.message === message;
    }
  };
  return pathArguments.find(isAt) ?? 'path';
}

/** `list_workspaces` is not among the tools of such a key. */
const oneWorkspaceText =
  'Workspace not found. Next: leave workspaceId out, because this key is for one workspace.';

/** An error with a text that fits the call better than that of its code. */
class ExplainedError extends WorkspaceError {
  constructor(text: string) {
    super('file_not_found', {}, text);
  }
}

/** Checked on every call, so that a membership that has just ended counts. */
function requireAccess(deps: McpDeps, caller: Caller, given: unknown, need: Need): Promise<WorkspaceAccess> {
  const { scopedTo } = caller;
  if (scopedTo === null) {
    const { workspaceId } = parseRequest(accountArguments, given, 'arguments');
    return openWorkspace(deps.service, caller, workspaceId, need);
  }
  // Tools of a scoped key take no workspace. If a call names one, it must not silently use another.
  const { workspaceId = scopedTo } = parseRequest(scopedArguments, given, 'arguments');
  return openWorkspace(deps.service, caller, workspaceId, need);
}

function success({ text, data }: ToolResponse): CallToolResult {
  const blocks = typeof text === 'string' ? [text] : text;
  return {
    content: blocks.map((block) => ({ type: 'text', text: block })),
    ...(data === undefined ? {} : { structuredContent: data }),
  };
}

/** The warning comes first, so that the result is not read as the result of the call that was meant. */
function withIgnored(
  { text, data }: ToolResponse,
  published: PublishedTool,
  ignored: readonly string[],
): ToolResponse {
  const blocks = typeof text === 'string' ? [text] : text;
  return {
    text: [ignoredText(published, ignored), ...blocks],
    ...(data === undefined ? {} : { data: { ...data, ignored } }),
  };
}

/** Arguments in the form of the tool's schema, and the names that it does not know. */
interface ReadArguments {
  readonly given: unknown;
  readonly ignored: readonly string[];
}

/**
 * Normalises a client's arguments. Null counts as absent, as many clients send it. Numbers, booleans and lists may
 * come as text, from clients with an older schema.
 */
function readArguments(tool: Tool, published: PublishedTool, sent: unknown): ReadArguments {
  if (!isRecord(sent)) return { given: sent ?? {}, ignored: [] };
  const { inputSchema } = published;
  const { properties = {} } = inputSchema;
  const { descriptor } = tool;
  const { shape } = descriptor.input;
  const known = Object.keys(shape);
  const inItems = Object.values<ValueSchema>(properties).flatMap(({ items }) =>
    Object.keys(items?.properties ?? {}),
  );
  // A single item may be sent as the arguments themselves.
  const renamed = withArguments(descriptor.name, sent, [...known, ...inItems, 'workspaceId']);
  const listed = fieldsAs(descriptor.readGiven?.(fieldsAs(renamed, inputSchema)) ?? renamed, inputSchema);
  const given = fieldsAs(withItems(descriptor.name, listed, properties), inputSchema);
  // Tools of a scoped key take no workspace. `workspaceId` is checked anyway, so it is not ignored.
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(shape, name) && name !== 'workspaceId');
  const ignored = [
    ...unknown.map((name) => [name, given[name]] as const),
    ...unknownWithin(given, properties),
  ];
  const asked = { name: descriptor.name, changes: !descriptor.hints.readOnly, known };
  const errors = ignored.map(([name, value]) => errorOfArgument(asked, name, value));
  const error = errors.find((text) => text !== null);
  if (error !== undefined && error !== null) throw invalidRequest(error);
  return { given, ignored: ignored.map(([name]) => name) };
}

/**
 * Renames arguments to the tool's own names.
 * @throws WorkspaceError `invalid_request` if two names of one argument have different values
 */
function withArguments(tool: string, sent: GivenArguments, known: readonly string[]): GivenArguments {
  const given: Record<string, unknown> = {};
  const cameAs = new Map<string, string>();
  for (const [sentName, sentValue] of Object.entries(sent)) {
    if (sentValue === null) continue;
    const name = known.includes(sentName) ? sentName : (argumentNamed(tool, sentName, known) ?? sentName);
    // Some tools count lines from 0, and those always include the first line.
    const value =
      tool === 'read_lines' && name === 'from' && sentName !== 'from' && Number(sentValue) === 0
        ? 1
        : sentValue;
    const other = cameAs.get(name);
    if (other !== undefined && !isSame(given[name], value))
      throw invalidRequest(`${sentName} and ${other} are both ${name} here, and differ: give ${name} alone`);
    cameAs.set(name, sentName);
    given[name] = value;
  }
  return given;
}

/** Compares as text, because numbers and lists may come as text. */
function isSame(a: unknown, b: unknown): boolean {
  const text = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  return text(a) === text(b);
}

/** Renames the arguments in the items of lists. */
function withItems(
  tool: string,
  given: GivenArguments,
  properties: Readonly<Record<string, ValueSchema>>,
): GivenArguments {
  const fields = Object.entries(given).map(([name, list]) => {
    const known = Object.hasOwn(properties, name) ? properties[name]?.items?.properties : undefined;
    if (known === undefined || !Array.isArray(list)) return [name, list];
    const names = Object.keys(known);
    return [name, list.map((item) => (isRecord(item) ? withArguments(tool, item, names) : item))];
  });
  return Object.fromEntries(fields);
}

/** Unknown names in the items of lists, each with its first value: `edits.1.note`. */
function unknownWithin(
  given: GivenArguments,
  properties: Readonly<Record<string, ValueSchema>>,
): readonly (readonly [name: string, value: unknown])[] {
  const unknown: [string, unknown][] = [];
  for (const [name, { items }] of Object.entries(properties)) {
    const list = Object.hasOwn(given, name) ? given[name] : null;
    const known = items?.properties;
    if (known === undefined || !Array.isArray(list)) continue;
    const seen = new Set<string>();
    for (const [at, item] of list.entries()) {
      if (!isRecord(item)) continue;
      for (const [field, value] of Object.entries(item)) {
        const once = `${field} ${String(value)}`;
        if (Object.hasOwn(known, field) || seen.has(once)) continue;
        seen.add(once);
        unknown.push([`${name}.${at}.${field}`, value]);
      }
    }
  }
  return unknown;
}

/** The part of a published schema that defines the form of a value. */
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
    case 'object':
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

/** Warns an agent of arguments that had no effect: ignoring a wrong one silently does harm. */
function ignoredText({ name, inputSchema }: PublishedTool, ignored: readonly string[]): string {
  const properties: Readonly<Record<string, ValueSchema>> = inputSchema.properties ?? {};
  const known = Object.entries(properties).map(([argument, { items }]) => {
    const isAsked = ignored.some((each) => each.startsWith(`${argument}.`));
    return isAsked ? `${argument} of { ${Object.keys(items?.properties ?? {}).join(', ')} }` : argument;
  });
  const shown = ignored.slice(0, 10).map((each) => each.slice(0, 100));
  return `Ignored: ${shown.join(', ')}. ${name} takes ${known.length === 0 ? 'no arguments' : known.join(', ')}.`;
}
