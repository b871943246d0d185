import { bodyMaxBytesFor, themeCssMaxBytes } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { usageRecord } from '../schemas/usage.ts';
import {
  createWorkspaceBody,
  ownWorkspaceRecord,
  updateWorkspaceBody,
  workspaceIcon,
  workspaceLimitExceeded,
  workspaceList,
  workspaceRecord,
  workspaceReference,
} from '../schemas/workspace.ts';

export const findOwnWorkspace = defineRoute({
  id: 'findOwnWorkspace',
  method: 'GET',
  path: '/api/workspace',
  access: 'caller',
  tag: 'Workspaces',
  summary: "Find the key's workspace, or else your oldest one",
  responses: { 200: { description: 'The workspace.', body: workspaceReference } },
  errors: ['workspace_not_found', 'not_a_member'],
});

export const listWorkspaces = defineRoute({
  id: 'listWorkspaces',
  method: 'GET',
  path: '/api/workspaces',
  access: 'session',
  tag: 'Workspaces',
  summary: 'List your workspaces',
  responses: { 200: { description: 'Oldest first.', body: workspaceList } },
});

export const createWorkspace = defineRoute({
  id: 'createWorkspace',
  method: 'POST',
  path: '/api/workspaces',
  access: 'session',
  tag: 'Workspaces',
  summary: 'Create a workspace',
  body: createWorkspaceBody,
  responses: {
    200: { description: 'Created, with you as its owner.', body: ownWorkspaceRecord },
    402: { description: 'Your plan does not allow another workspace.', body: workspaceLimitExceeded },
  },
});

export const readWorkspace = defineRoute({
  id: 'readWorkspace',
  method: 'GET',
  path: '/api/workspaces/{workspaceId}',
  access: 'workspace',
  tag: 'Workspaces',
  summary: 'Read a workspace',
  responses: { 200: { description: 'The workspace.', body: workspaceRecord } },
});

export const updateWorkspace = defineRoute({
  id: 'updateWorkspace',
  method: 'PATCH',
  path: '/api/workspaces/{workspaceId}',
  access: 'workspace',
  needs: 'workspace',
  tag: 'Workspaces',
  summary: 'Change the name or the appearance of a workspace',
  description:
    'Omitted fields stay unchanged. An empty text or null clears a field; the name cannot be cleared.',
  body: updateWorkspaceBody,
  bodyMaxBytes: bodyMaxBytesFor(themeCssMaxBytes),
  responses: { 200: { description: 'The workspace as it is now.', body: workspaceRecord } },
});

export const uploadWorkspaceIcon = defineRoute({
  id: 'uploadWorkspaceIcon',
  method: 'POST',
  path: '/api/workspaces/{workspaceId}/icon',
  access: 'workspace',
  needs: 'workspace',
  tag: 'Workspaces',
  summary: 'Upload an image as the icon of a workspace',
  description: 'The raw bytes of a PNG, JPEG, GIF or WebP, whatever its content type says, of at most 1 MiB.',
  body: 'bytes',
  responses: { 200: { description: 'The image is the icon now.', body: workspaceIcon } },
  errors: ['empty_body', 'invalid_request', 'file_too_large', 'upload_interrupted'],
});

export const readWorkspaceIcon = defineRoute({
  id: 'readWorkspaceIcon',
  method: 'GET',
  path: '/api/workspaces/{workspaceId}/icon/{contentHash}',
  params: { contentHash: 'As in the address that `icon` holds.' },
  access: 'workspace',
  tag: 'Workspaces',
  summary: 'Read the image that is the icon of a workspace',
  responses: { 200: { description: "The image's bytes, while it is the icon.", body: 'bytes' } },
  errors: ['unsafe_destination', 'file_not_found'],
});

export const downloadWorkspace = defineRoute({
  id: 'downloadWorkspace',
  method: 'GET',
  path: '/api/workspaces/{workspaceId}/download',
  access: 'workspace',
  tag: 'Workspaces',
  summary: 'Download the files of a workspace as a zip',
  description: [
    'A snapshot of the files that the caller may see, under their paths. Characters that some system cannot have in a name',
    'are written as %XX. An interrupted transfer is incomplete: a zip ends with the list of its files.',
  ].join(' '),
  responses: { 200: { description: 'A zip, not compressed.', body: 'bytes' } },
  errors: ['unsafe_destination', 'stored_bytes_missing'],
});

export const exportWorkspace = defineRoute({
  id: 'exportWorkspace',
  method: 'GET',
  path: '/api/workspaces/{workspaceId}/export',
  access: 'workspace-session',
  tag: 'Workspaces',
  summary: 'Export a workspace with its history',
  description: [
    'For owners: a snapshot of files, versions, feed, comments, names and settings, in the format that an import reads.',
    'Rejected while other members have, or have had, private items, which no other person may export.',
    'An interrupted transfer is incomplete, and an import rejects it.',
  ].join(' '),
  responses: { 200: { description: 'A tar.', body: 'bytes' } },
  errors: ['forbidden_role', 'private_item', 'unsafe_destination', 'stored_bytes_missing'],
});

export const readUsage = defineRoute({
  id: 'readUsage',
  method: 'GET',
  path: '/api/workspaces/{workspaceId}/usage',
  access: 'workspace',
  tag: 'Workspaces',
  summary: 'Read how full a workspace is',
  responses: { 200: { description: 'Current versions count, private files included.', body: usageRecord } },
});
