import { z } from 'zod';
import { defineRoute } from '../route.ts';
import {
  conflictWithoutBase,
  resolveConflictBody,
  resolvedConflict,
  unmergedConflict,
} from '../schemas/conflict.ts';
import { fileList, moveBody, movedFolder, moveFolderBody, writtenFile } from '../schemas/file.ts';
import { quotaExceeded, rejectedOrKept, versionConflict } from '../schemas/outcome.ts';
import { flag } from '../schemas/query-values.ts';
import { fileHeaders, previewFlag, versionHeaders } from './file-headers.ts';

const path = '/api/workspaces/{workspaceId}/files/{path}';
const params = {
  path: "The file's path in the workspace. Encode each segment and keep the slashes.",
};
const ifMatch = (description: string) => ({ description, example: '3' });
const ifContentHash = {
  description: [
    'With If-Match: the content hash of that version. A different hash counts as a stale version: numbers restart after',
    'a delete or a move, hashes do not.',
  ].join(' '),
};

const readRequest = {
  query: z.object({
    download: flag('Send the bytes as an attachment.'),
    preview: previewFlag,
  }),
  headers: {
    'If-None-Match': { description: 'A version that the caller has: 304 while it is current.', example: '3' },
    Range: { description: 'One range of bytes.', example: 'bytes=0-1023' },
    'If-Range': {
      description: 'The version of the range; if it is not current, the whole file is sent.',
      example: '"3"',
    },
  },
};

export const readFile = defineRoute({
  id: 'readFile',
  method: 'GET',
  path,
  params,
  restOfPath: 'path',
  access: 'workspace',
  tag: 'Files',
  summary: 'Read a file',
  ...readRequest,
  responses: {
    200: { description: "The file's bytes.", body: 'bytes', headers: fileHeaders },
    206: { description: 'The range of bytes asked for.', body: 'bytes', headers: fileHeaders },
    304: { description: 'The version in If-None-Match is current.', headers: versionHeaders },
  },
  errors: [
    'invalid_path',
    'unsafe_destination',
    'file_not_found',
    'range_not_satisfiable',
    'stored_bytes_missing',
  ],
});

export const headFile = defineRoute({
  id: 'headFile',
  method: 'HEAD',
  path,
  params,
  restOfPath: 'path',
  access: 'workspace',
  tag: 'Files',
  summary: 'Read the headers of a file, without its bytes',
  ...readRequest,
  responses: {
    200: { description: 'The file is there.', headers: fileHeaders },
    304: { description: 'The version in If-None-Match is current.', headers: versionHeaders },
  },
  errors: ['invalid_path', 'unsafe_destination', 'file_not_found', 'stored_bytes_missing'],
});

export const writeFile = defineRoute({
  id: 'writeFile',
  method: 'PUT',
  path,
  params,
  restOfPath: 'path',
  access: 'workspace',
  tag: 'Files',
  summary: 'Create or update a file',
  description: [
    'The body is the complete new content. Send If-Match with the version you read to update a file, If-None-Match: *',
    'to create one, or neither to create it where nothing exists yet.',
    'A stale write loses nothing: its bytes are kept in a conflicted copy, a new file next to the one that changed, and',
    'the response (412) names it. If the file already has these bytes, the write succeeds and changes nothing.',
  ].join(' '),
  query: z.object({
    conflict: z
      .enum(['refuse'], { error: 'must be refuse' })
      .optional()
      .meta({
        description: [
          'Keep nothing of a stale write: 412 without conflict_copy_path. Only for a caller that keeps the bytes itself,',
          'because the server then has no copy of them.',
        ].join(' '),
      }),
  }),
  headers: {
    'If-Match': ifMatch('Update only if this is the current version. Quotes are optional.'),
    'X-Service-If-Content-Hash': ifContentHash,
    'If-None-Match': { description: 'Only * is accepted: create only.', example: '*' },
    'Content-Type': { description: 'The type to store. Without it, the type follows from the extension.' },
    'X-Service-Allow-Empty': {
      description: 'Accept a body without bytes, which is 400 otherwise. Only 1 is accepted.',
      example: '1',
    },
  },
  body: 'bytes',
  responses: {
    200: {
      description: 'Updated, or the file already had these bytes.',
      body: writtenFile,
      headers: versionHeaders,
    },
    201: { description: 'Created at version 1.', body: writtenFile, headers: versionHeaders },
    412: {
      description:
        'The file has changed. The bytes sent are kept at conflict_copy_path; with `conflict=refuse` there is no such field and nothing is kept.',
      body: rejectedOrKept,
    },
    507: { description: 'The workspace is full. Nothing was written.', body: quotaExceeded },
  },
  errors: [
    'invalid_path',
    'invalid_precondition',
    'empty_body',
    'workspace_read_only',
    'file_not_found',
    'upload_interrupted',
    'path_taken',
    'file_too_large',
    'precondition_required',
  ],
});

export const deleteFile = defineRoute({
  id: 'deleteFile',
  method: 'DELETE',
  path,
  params,
  restOfPath: 'path',
  access: 'workspace',
  tag: 'Files',
  summary: 'Delete a file',
  description: 'Its versions are kept: they can still be read and restored.',
  headers: {
    'If-Match': ifMatch('Required: the version to delete.'),
    'X-Service-If-Content-Hash': ifContentHash,
  },
  responses: {
    204: { description: 'Deleted.' },
    412: { description: 'The file has changed. Nothing was deleted.', body: versionConflict },
  },
  errors: ['invalid_path', 'invalid_precondition', 'file_not_found', 'precondition_required'],
});

export const listFiles = defineRoute({
  id: 'listFiles',
  method: 'GET',
  path: '/api/workspaces/{workspaceId}/list',
  access: 'workspace',
  tag: 'Files',
  summary: 'List files',
  description: 'Includes hidden .keep files, which keep empty folders.',
  query: z.object({
    prefix: z
      .string({ error: 'must be one path' })
      .default('')
      .meta({ description: 'A folder, or a file. Without it, the whole workspace.', examples: ['notes'] }),
    details: flag("Include author, time and content hash of each file's last change, and its front matter."),
    limit: z.unknown().optional().meta({ type: 'string', description: 'Accepted, without effect.' }),
    cursor: z.unknown().optional().meta({ type: 'string', description: 'Accepted, without effect.' }),
  }),
  responses: { 200: { description: 'The whole list.', body: fileList } },
  errors: ['invalid_path'],
});

export const moveFile = defineRoute({
  id: 'moveFile',
  method: 'POST',
  path: '/api/workspaces/{workspaceId}/move',
  access: 'workspace',
  tag: 'Files',
  summary: 'Move or rename a file',
  description:
    'The moved file starts again at version 1; its icon, privacy, links and comment threads go with it.',
  body: moveBody,
  responses: {
    200: { description: 'Moved.', body: writtenFile },
    412: {
      description: 'The file is no longer at the base version. Nothing was moved.',
      body: versionConflict,
    },
  },
  errors: ['invalid_path', 'file_not_found', 'destination_exists', 'path_taken'],
});

export const moveFolder = defineRoute({
  id: 'moveFolder',
  method: 'POST',
  path: '/api/workspaces/{workspaceId}/move-folder',
  access: 'workspace',
  tag: 'Folders',
  summary: "Transfer a folder's privacy, icon and order to its new path",
  description:
    'Moves no files unless they are asked for: move each of them first, then call this, or have all of it moved at once. Links to the folder and to folders below it follow.',
  body: moveFolderBody,
  responses: { 200: { description: 'Carried over.', body: movedFolder } },
  errors: ['invalid_path', 'file_not_found', 'destination_exists', 'path_taken'],
});

export const resolveConflict = defineRoute({
  id: 'resolveConflict',
  method: 'POST',
  path: '/api/workspaces/{workspaceId}/resolve-conflict',
  access: 'workspace',
  tag: 'Files',
  summary: 'Resolve a conflicted copy',
  description:
    'Keeps one text and deletes the copy, both in one transaction. A merge is three-way, by lines, from the version that the writer of the copy had read.',
  body: resolveConflictBody,
  responses: {
    200: { description: 'The file has the text, the copy is deleted.', body: resolvedConflict },
    409: {
      description:
        'Nothing was changed: both texts changed the same lines (hunks), or there is no base to merge from (no_base).',
      body: z.union([unmergedConflict, conflictWithoutBase]),
    },
    507: { description: 'The workspace is full. Nothing was changed.', body: quotaExceeded },
  },
  errors: [
    'invalid_path',
    'workspace_read_only',
    'file_not_found',
    'path_taken',
    'file_too_large',
    'stored_bytes_missing',
  ],
});
