import { workspaceColors, workspaceNameMaxCharacters, workspaceThemes } from '@stoa/core';
import { z } from 'zod';
import { workspaceIconMaxCharacters } from '../limits.ts';
import { line, visibleName } from '../schemas/text.ts';
import { choice } from './fields.ts';
import { defineTool, readsOnly } from './tool.ts';

const icon = line({ min: 0, max: workspaceIconMaxCharacters }, 'An emoji').optional().transform(cleared);
const nameRule = `1-${workspaceNameMaxCharacters} characters`;

/** Tools for workspaces (interface: mcp, Workspace tools). */
export const workspaceTools = {
  listWorkspaces: defineTool({
    name: 'list_workspaces',
    title: 'List workspaces',
    description: 'Lists the workspaces you are a member of, with the id that every other tool takes.',
    reach: 'account',
    hints: readsOnly,
    input: z.object({}),
  }),
  createWorkspace: defineTool({
    name: 'create_workspace',
    title: 'Create workspace',
    description: 'Creates a workspace that you own, with no other members. Your plan limits how many.',
    reach: 'account',
    needs: 'workspace',
    hints: { readOnly: false, destructive: false, idempotent: false },
    input: z.object({
      name: visibleName({ min: 1, max: workspaceNameMaxCharacters }, nameRule),
      icon,
      color: choice(workspaceColors).optional(),
    }),
  }),
  setWorkspace: defineTool({
    name: 'set_workspace',
    title: 'Change workspace',
    description:
      'Changes name, icon, color or theme of the workspace; omitted fields stay. Empty clears icon, color or theme.',
    reach: 'workspace',
    needs: 'workspace',
    hints: { readOnly: false, destructive: true, idempotent: true },
    input: z.object({
      // An empty name counts as absent: the workspace keeps the one it has.
      name: visibleName({ min: 0, max: workspaceNameMaxCharacters }, nameRule)
        .optional()
        .transform((name) => (name === '' ? undefined : name)),
      icon,
      color: choice([...workspaceColors, ''])
        .optional()
        .transform(cleared),
      theme: choice([...workspaceThemes, ''])
        .optional()
        .transform(cleared),
    }),
  }),
  setWorkspaceImageIcon: defineTool({
    name: 'set_workspace_image_icon',
    title: 'Set workspace image',
    description: "Uploads an image as the workspace's icon. For an emoji use set_workspace.",
    reach: 'workspace',
    needs: 'workspace',
    hints: { readOnly: false, destructive: true, idempotent: true },
    input: z.object({
      content: z
        .string({ error: 'must be an image in base64' })
        .meta({ description: 'Base64 of a PNG, JPEG, GIF or WebP, at most 1 MiB' }),
    }),
  }),
  getUsage: defineTool({
    name: 'get_usage',
    title: 'Get usage',
    description:
      'Reports bytes and files used and left. Null: unlimited; warning: 90 % of the allowed files are used.',
    reach: 'workspace',
    hints: readsOnly,
    input: z.object({}),
  }),
};

/** Empty becomes null, which clears. Absent stays undefined. */
function cleared<Value extends string>(value: Value | undefined): Exclude<Value, ''> | null | undefined {
  return value === '' ? null : (value as Exclude<Value, ''> | undefined);
}
