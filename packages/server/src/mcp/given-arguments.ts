import type { GivenArguments, PublishedTool } from '@stoa/contract';
import type { Tool } from './tool.ts';

/** Arguments in the form that a tool's schema reads, and the names among them that it does not know. */
export interface ReadArguments {
  readonly given: unknown;
  readonly ignored: readonly string[];
}

/**
 * Reads what a client sent as what it meant: null is left out, as many clients have it; numbers, booleans and lists may
 * come as text, as clients send them that hold an older schema.
 */
export function readArguments(tool: Tool, published: PublishedTool, sent: unknown): ReadArguments {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    return { given: sent ?? {}, ignored: [] };
  }
  const { properties = {} } = published.inputSchema;
  const typed = (given: GivenArguments): GivenArguments =>
    Object.fromEntries(
      Object.entries(given)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => [
          name,
          asType(value, Object.hasOwn(properties, name) ? properties[name]?.type : null),
        ]),
    );
  const renamed = withPath({ ...sent }, properties);
  const given = typed(tool.descriptor.readGiven?.(typed(renamed)) ?? renamed);
  // A scoped key's tools take no workspace. One that is named all the same is judged, so it is not ignored.
  const ignored = Object.keys(given).filter(
    (name) => !Object.hasOwn(properties, name) && name !== 'workspaceId',
  );
  return { given, ignored };
}

/** Agents know the argument by this name from other tools; no tool has it here. */
function withPath(sent: GivenArguments, properties: Readonly<Record<string, unknown>>): GivenArguments {
  const { file_path: path, ...others } = sent;
  const isMeant = path !== undefined && sent.path === undefined && Object.hasOwn(properties, 'path');
  return isMeant ? { ...others, path } : sent;
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
export function ignoredText({ name, inputSchema }: PublishedTool, ignored: readonly string[]): string {
  const known = Object.keys(inputSchema.properties ?? {});
  const shown = ignored.slice(0, 10).map((each) => each.slice(0, 100));
  return `Ignored: ${shown.join(', ')}. ${name} takes ${known.length === 0 ? 'no arguments' : known.join(', ')}.`;
}
