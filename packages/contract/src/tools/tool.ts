import type { Need } from '@stoa/core';
import type { z } from 'zod';

/** How a client may treat a tool: hints, and true ones. */
export interface ToolHints {
  /** Changes nothing. */
  readonly readOnly: boolean;
  /** Removes something, or replaces something of which no version is kept. */
  readonly destructive: boolean;
  /** Said twice with the same arguments, it has the effect of once. */
  readonly idempotent: boolean;
}

/** Arguments as they came, not checked yet. */
export type GivenArguments = Readonly<Record<string, unknown>>;

/** One tool of the MCP interface: all that a server and an agent have to agree on (interface: mcp, Endpoint). */
export interface ToolDescriptor {
  readonly name: string;
  readonly title: string;
  /** What it does, when to use it, its limit: an agent reads this for every session, so it is short. */
  readonly description: string;
  /**
   * - `account`: for account-wide keys only, beyond any workspace.
   * - `workspace`: acts in a workspace: the one that `workspaceId` names for an account-wide key, else the key's own.
   */
  readonly reach: 'account' | 'workspace';
  /** What it asks of a narrow key; left out, what `needOfTool` tells from the hints. */
  readonly needs?: Need;
  readonly hints: ToolHints;
  /** Without `workspaceId`, which the tool's list adds. */
  readonly input: z.ZodObject;
  /** The most characters of an answer that a client may show whole, where it would put a longer one aside. */
  readonly resultMaxCharacters?: number;
  /** Forms of the arguments that agents know from elsewhere, brought into this one. Nothing of them is published. */
  readonly readGiven?: (given: GivenArguments) => GivenArguments;
}

/** What a tool asks of a key: one that changes something takes a key that may change anything. */
export function needOfTool({ needs, hints }: Pick<ToolDescriptor, 'needs' | 'hints'>): Need {
  return needs ?? (hints.readOnly ? 'read' : 'write');
}

export function defineTool<const Tool extends ToolDescriptor>(tool: Tool): Tool {
  return tool;
}

/** The arguments as a handler sees them. */
export type ToolInput<Tool extends ToolDescriptor> = z.output<Tool['input']>;

/** Marks an argument that an answer names when it is of use. Lists leave it out: every session pays for their bytes. */
export const unpublished = 'unpublished';

export const readsOnly = { readOnly: true, destructive: false, idempotent: true } as const;
