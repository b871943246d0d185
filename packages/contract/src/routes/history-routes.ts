import { z } from 'zod';
import { defineRoute } from '../route.ts';
import { fileBlame } from '../schemas/blame.ts';
import { restoreBody, restoredFile, versionList } from '../schemas/file.ts';
import { quotaExceeded, restoreConflict } from '../schemas/outcome.ts';
import { requestHash, requestPath } from '../schemas/path.ts';
import { wholeNumber } from '../schemas/query-values.ts';
import { undoBody, undoneChanges } from '../schemas/undo.ts';
import { fileHeaders, previewFlag } from './file-headers.ts';

const path = requestPath('The file, which may have been deleted.');

export const readVersion = defineRoute({
  id: 'readVersion',
  method: 'GET',
  path: '/api/workspaces/{workspaceId}/version',
  access: 'workspace',
  tag: 'History',
  summary: 'Read an earlier version',
  description:
    'Looks in the file now at this path, then in the newest earlier file at this path that has this version.',
  query: z.object({
    path,
    version: wholeNumber({ min: 1 }, 'The version to read.'),
    contentHash: requestHash(
      'Its content hash: finds any version in the list of versions, including those from before moves.',
    ).optional(),
    preview: previewFlag,
  }),
  responses: { 200: { description: "That version's bytes.", body: 'bytes', headers: fileHeaders } },
  errors: [
    'invalid_path',
    'unsafe_destination',
    'file_not_found',
    'version_not_found',
    'stored_bytes_missing',
  ],
});

export const listVersions = defineRoute({
  id: 'listVersions',
  method: 'GET',
  path: '/api/workspaces/{workspaceId}/versions',
  access: 'workspace',
  tag: 'History',
  summary: 'List the versions of a file',
  description: 'Newest first, through moves, then those of earlier files at the same path.',
  query: z.object({ path }),
  responses: { 200: { description: 'All versions that are kept.', body: versionList } },
  errors: ['invalid_path', 'file_not_found'],
});

export const restoreFile = defineRoute({
  id: 'restoreFile',
  method: 'POST',
  path: '/api/workspaces/{workspaceId}/restore',
  access: 'workspace',
  tag: 'History',
  summary: 'Restore an earlier version as a new one',
  description: 'Nothing is removed: the version before the restore stays in the history.',
  body: restoreBody,
  responses: {
    200: { description: 'Restored as a new version.', body: restoredFile },
    409: {
      description: 'Other writes kept winning. The restored bytes are kept at conflict_copy_path.',
      body: restoreConflict,
    },
    507: { description: 'The workspace is full. Nothing was restored.', body: quotaExceeded },
  },
  errors: [
    'invalid_path',
    'workspace_read_only',
    'file_not_found',
    'version_not_found',
    'path_taken',
    'file_too_large',
    'stored_bytes_missing',
  ],
});

export const blameFile = defineRoute({
  id: 'blameFile',
  method: 'GET',
  path: '/api/workspaces/{workspaceId}/blame',
  access: 'workspace',
  tag: 'History',
  summary: 'Show who wrote the lines of a file',
  description:
    'For each range of lines the version that last wrote it, with time and credential, through moves and restores. Text of up to 1 MiB.',
  query: z.object({ path: requestPath('The file.') }),
  responses: { 200: { description: 'Ranges of lines and their authors.', body: fileBlame } },
  errors: ['invalid_path', 'file_not_found', 'stored_bytes_missing'],
});

export const undoChanges = defineRoute({
  id: 'undoChanges',
  method: 'POST',
  path: '/api/workspaces/{workspaceId}/undo',
  access: 'workspace',
  tag: 'History',
  summary: 'Undo the changes of one person or key',
  description:
    'Removes their changes in a period from each file. Later changes of others stay; a file where both is impossible is left unchanged, with the reason. Owners and admins can undo the changes of every user, members their own and those of their keys.',
  body: undoBody,
  responses: { 200: { description: 'The outcome for each file.', body: undoneChanges } },
  errors: ['invalid_path', 'workspace_read_only', 'forbidden_role'],
});
