// docs/decisions/0018-mcp-surface.md
import { isWithinNeed, type Need } from '@stoa/core';
import { z } from 'zod';
import { needOfTool, type ToolDescriptor, unpublished } from './tool.ts';
import { type ToolSetName, toolSets } from './tools.ts';

/** A tool as `tools/list` shows it. */
export interface PublishedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: PublishedSchema;
  readonly annotations: Readonly<
    Record<'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint', boolean>
  >;
  readonly _meta?: { readonly [name: string]: number };
}

export type PublishedSchema = {
  readonly type: 'object';
  readonly properties?: { [name: string]: JsonObject };
  readonly required?: string[];
};

type Json = string | number | boolean | null | Json[] | JsonObject;
interface JsonObject {
  [name: string]: Json;
}

/** The field that selects the workspace of an account-wide key. */
export const workspaceIdField = z
  .string({ error: 'must be the id of a workspace, which list_workspaces shows' })
  .min(1, { error: 'must be the id of a workspace, which list_workspaces shows' });

/**
 * Returns the tools of a key (interface: mcp, Tool sets). A scoped key sees neither account tools nor `workspaceId`;
 * a narrow key does not see tools that it can never use.
 * @param most `mostOf` the key
 */
export function publishTools(
  key: 'account-wide' | 'scoped',
  set: ToolSetName = 'standard',
  most: Need = 'workspace',
): readonly PublishedTool[] {
  const named: readonly ToolDescriptor[] = Object.values(toolSets[set]);
  const all = named.filter((tool) => isWithinNeed(needOfTool(tool), most));
  const shown = key === 'account-wide' ? all : all.filter(({ reach }) => reach === 'workspace');
  return shown.map((tool) => publish(tool, key === 'account-wide' && tool.reach === 'workspace'));
}

function publish(
  { name, title, description, hints, input, resultMaxCharacters }: ToolDescriptor,
  namesWorkspace: boolean,
): PublishedTool {
  const schema = namesWorkspace ? z.object({ workspaceId: workspaceIdField, ...input.shape }) : input;
  return {
    name,
    title,
    description,
    inputSchema: publishSchema(schema),
    annotations: {
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      idempotentHint: hints.idempotent,
      openWorldHint: false,
    },
    ...(resultMaxCharacters === undefined
      ? {}
      : { _meta: { 'anthropic/maxResultSizeChars': resultMaxCharacters } }),
  };
}

const unpublishedLimits = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'examples',
] as const;

function publishSchema(schema: z.ZodObject): PublishedSchema {
  const { properties: all = {}, required } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      // Every session pays for these bytes. Descriptions contain the limits that matter, and errors all of them.
      for (const limit of unpublishedLimits) {
        delete jsonSchema[limit];
      }
    },
  });
  const properties = Object.fromEntries(
    Object.entries(all).filter(([, property]) => typeof property !== 'object' || !(unpublished in property)),
  );
  return {
    type: 'object',
    ...(Object.keys(properties).length === 0
      ? {}
      : { properties: properties as { [name: string]: JsonObject } }),
    ...(required === undefined || required.length === 0 ? {} : { required }),
  };
}
