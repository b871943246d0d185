import { nodeOrderBodyMaxBytes } from '../limits.ts';
import { defineRoute } from '../route.ts';
import {
  nodeIcon,
  nodeIconBody,
  nodeOrder,
  nodeOrderBody,
  nodePrivate,
  nodePrivateBody,
} from '../schemas/node.ts';

export const setNodeIcon = defineRoute({
  id: 'setNodeIcon',
  method: 'PUT',
  path: '/api/workspaces/{workspaceId}/node-icon',
  access: 'workspace',
  tag: 'Folders',
  summary: 'Set the icon of a file or folder',
  body: nodeIconBody,
  responses: { 200: { description: 'As it is now.', body: nodeIcon } },
  errors: ['invalid_path', 'file_not_found'],
});

export const setNodePrivate = defineRoute({
  id: 'setNodePrivate',
  method: 'PUT',
  path: '/api/workspaces/{workspaceId}/node-private',
  access: 'workspace',
  tag: 'Folders',
  summary: 'Make a file or folder private, or share it again',
  description: 'To other members a private file or folder does not exist. Its share links end.',
  body: nodePrivateBody,
  responses: { 200: { description: 'As it is now.', body: nodePrivate } },
  errors: ['invalid_path', 'file_not_found', 'path_taken', 'too_many_private_items'],
});

export const setNodeOrder = defineRoute({
  id: 'setNodeOrder',
  method: 'PUT',
  path: '/api/workspaces/{workspaceId}/node-order',
  access: 'workspace',
  tag: 'Folders',
  summary: 'Put files and folders in a custom order',
  body: nodeOrderBody,
  bodyMaxBytes: nodeOrderBodyMaxBytes,
  responses: { 200: { description: 'The custom order that was set.', body: nodeOrder } },
  errors: ['invalid_path'],
});
