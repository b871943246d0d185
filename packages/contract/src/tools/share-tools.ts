import { nodeKinds, shareAccesses } from '@stoa/core';
import { z } from 'zod';
import { choice, toolPath } from './fields.ts';
import { defineTool, readsOnly } from './tool.ts';

/** Tools for share links (interface: mcp, Sharing tools). */
export const shareTools = {
  createShare: defineTool({
    name: 'create_share',
    title: 'Create share link',
    description:
      'Makes a link to a file or folder for members of the workspace. Public and password links need a person in the web app. Private items cannot be shared.',
    reach: 'workspace',
    hints: { readOnly: false, destructive: false, idempotent: false },
    input: z.object({
      path: toolPath(),
      kind: choice(nodeKinds),
      // `public` is a known value: it is rejected with its own reason, not as an invalid value.
      access: z
        .enum(shareAccesses, { error: 'must be member' })
        .optional()
        .transform((access = 'member') => access)
        .meta({ enum: ['member'] }),
    }),
  }),
  listShares: defineTool({
    name: 'list_shares',
    title: 'List share links',
    description: 'Lists the active links to exactly this path, with the id that revoke_share takes.',
    reach: 'workspace',
    hints: readsOnly,
    input: z.object({ path: toolPath() }),
  }),
  revokeShare: defineTool({
    name: 'revoke_share',
    title: 'Revoke share link',
    description: 'Ends a link for good. Its id comes from list_shares.',
    reach: 'workspace',
    hints: { readOnly: false, destructive: true, idempotent: true },
    input: z.object({ shareId: z.string({ error: 'must be the id of a share' }) }),
  }),
};
