import { z } from 'zod';
import { defineRoute } from '../route.ts';
import { requestPath } from '../schemas/path.ts';
import { createShareBody, shareList, shareResponse, updateShareBody } from '../schemas/share.ts';

const collection = '/api/workspaces/{workspaceId}/shares';
const one = '/api/workspaces/{workspaceId}/shares/{shareId}';
const params = { shareId: "The link's id, not its token." };

export const listShares = defineRoute({
  id: 'listShares',
  method: 'GET',
  path: collection,
  access: 'workspace',
  tag: 'Sharing',
  summary: 'List the links to a file or folder, or of the workspace',
  query: z.object({
    path: requestPath('A file or a folder. Without it, all links to paths that the caller sees.').optional(),
  }),
  responses: {
    200: {
      description: 'Its links, and those of folders above it; or those of the workspace.',
      body: shareList,
    },
  },
  errors: ['invalid_path', 'file_not_found'],
});

export const createShare = defineRoute({
  id: 'createShare',
  method: 'POST',
  path: collection,
  access: 'workspace',
  tag: 'Sharing',
  summary: 'Make a link to a file or folder',
  description: [
    'With an API key only member links without a password and without scripts. A link follows its file when that is',
    'moved, and ends when the item is made private.',
  ].join(' '),
  body: createShareBody,
  responses: { 201: { description: 'The link.', body: shareResponse } },
  errors: ['share_needs_session', 'invalid_path', 'file_not_found', 'private_item', 'too_many_shares'],
});

export const updateShare = defineRoute({
  id: 'updateShare',
  method: 'PATCH',
  path: one,
  params,
  access: 'workspace',
  tag: 'Sharing',
  summary: 'Allow or forbid the scripts of an HTML link',
  description: "For the link's maker, owners and admins. A key can only forbid them.",
  body: updateShareBody,
  responses: { 200: { description: 'The link as it is now.', body: shareResponse } },
  errors: ['share_needs_session', 'forbidden_role', 'share_not_found'],
});

export const revokeShare = defineRoute({
  id: 'revokeShare',
  method: 'DELETE',
  path: one,
  params,
  access: 'workspace',
  tag: 'Sharing',
  summary: 'End a link',
  description: "For the link's maker, owners and admins.",
  responses: { 204: { description: 'The link is unknown from now on.' } },
  errors: ['forbidden_role', 'share_not_found'],
});
