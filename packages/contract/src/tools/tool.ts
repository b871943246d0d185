import type { Need } from '@stoa/core';
import type { z } from 'zod';

/** Truthful hints for clients about the effects of a tool. */
export interface ToolHints {
  /** Changes nothing. */
  readonly readOnly: boolean;
  /** Removes something, or replaces something of which no version is kept. */
  readonly destructive: boolean;
  /** A repeated call with the same arguments has no further effect. */
  readonly idempotent: boolean;
}

/** Arguments as they were sent, unchecked. */
export type GivenArguments = Readonly<Record<string, unknown>>;

/** One tool of the MCP interface: the contract between server and agents (interface: mcp, Endpoint). */
export interface ToolDescriptor {
  readonly name: string;
  readonly title: string;
  /** Purpose, use and limit of the tool. Keep it short: an agent reads it in every session. */
  readonly description: string;
  /**
   * - `account`: for account-wide keys only, outside any workspace.
   * - `workspace`: acts in the workspace that `workspaceId` names for an account-wide key, else in the key's own.
   */
  readonly reach: 'account' | 'workspace';
  /** Access that it requires of a narrow key; by default `needOfTool` derives it from the hints. */
  readonly needs?: Need;
  readonly hints: ToolHints;
  /** Without `workspaceId`, which the tool list adds. */
  readonly input: z.ZodObject;
  /** Maximum characters of a result that a client may show whole; a longer result goes to a file. */
  readonly resultMaxCharacters?: number;
  /** Converts arguments that agents know from other tools to this form. Not published. */
  readonly readGiven?: (given: GivenArguments) => GivenArguments;
}

/** Returns the access that a tool requires of a key. A tool that changes something requires a key with write access. */
export function needOfTool({ needs, hints }: Pick<ToolDescriptor, 'needs' | 'hints'>): Need {
  return needs ?? (hints.readOnly ? 'read' : 'write');
}

export function defineTool<const Tool extends ToolDescriptor>(tool: Tool): Tool {
  return tool;
}

/** The arguments as a handler sees them. */
export type ToolInput<Tool extends ToolDescriptor> = z.output<Tool['input']>;

/**
 * Marks an argument that a response names when it is useful. Lists omit it, because every session pays for their
 * bytes.
 */
export const unpublished = 'unpublished';

export const readsOnly = { readOnly: true, destructive: false, idempotent: true } as const;
