import type { RouteId } from '@stoa/contract';
import type { Operation } from '../operation.ts';
import { readChangesOperation } from './changes/read-changes.ts';
import { deleteFileOperation } from './files/delete-file.ts';
import { listFilesOperation } from './files/list-files.ts';
import { moveFileOperation } from './files/move-file.ts';
import { moveFolderOperation } from './files/move-folder.ts';
import { headFileOperation, readFileOperation } from './files/read-file.ts';
import { writeFileOperation } from './files/write-file.ts';
import { listVersionsOperation } from './history/list-versions.ts';
import { readVersionOperation } from './history/read-version.ts';
import { restoreFileOperation } from './history/restore-file.ts';
import { createKeyOperation } from './keys/create-key.ts';
import { listKeysOperation } from './keys/list-keys.ts';
import { revokeKeyOperation } from './keys/revoke-key.ts';
import { setNodeIconOperation } from './nodes/set-node-icon.ts';
import { setNodeOrderOperation } from './nodes/set-node-order.ts';
import { setNodePrivateOperation } from './nodes/set-node-private.ts';
import { searchFilesOperation } from './search/search-files.ts';
import { listPlansOperation } from './service/list-plans.ts';
import { readHealthOperation } from './service/read-health.ts';
import { readMeOperation } from './service/read-me.ts';
import { readOpenApiOperation } from './service/read-openapi.ts';
import { createWorkspaceOperation } from './workspaces/create-workspace.ts';
import { findOwnWorkspaceOperation } from './workspaces/find-own-workspace.ts';
import { listMembersOperation } from './workspaces/list-members.ts';
import { listWorkspacesOperation } from './workspaces/list-workspaces.ts';
import { readUsageOperation } from './workspaces/read-usage.ts';
import { readWorkspaceOperation } from './workspaces/read-workspace.ts';
import { updateWorkspaceOperation } from './workspaces/update-workspace.ts';

/** What answers each route of the contract: one for every one, which the type holds to. */
export const operations: Readonly<Record<RouteId, Operation>> = {
  readHealth: readHealthOperation,
  listPlans: listPlansOperation,
  readMe: readMeOperation,
  readOpenApi: readOpenApiOperation,
  findOwnWorkspace: findOwnWorkspaceOperation,
  listWorkspaces: listWorkspacesOperation,
  createWorkspace: createWorkspaceOperation,
  readWorkspace: readWorkspaceOperation,
  updateWorkspace: updateWorkspaceOperation,
  readUsage: readUsageOperation,
  listMembers: listMembersOperation,
  createKey: createKeyOperation,
  listKeys: listKeysOperation,
  revokeKey: revokeKeyOperation,
  readFile: readFileOperation,
  headFile: headFileOperation,
  writeFile: writeFileOperation,
  deleteFile: deleteFileOperation,
  listFiles: listFilesOperation,
  moveFile: moveFileOperation,
  moveFolder: moveFolderOperation,
  setNodeIcon: setNodeIconOperation,
  setNodePrivate: setNodePrivateOperation,
  setNodeOrder: setNodeOrderOperation,
  readVersion: readVersionOperation,
  listVersions: listVersionsOperation,
  restoreFile: restoreFileOperation,
  searchFiles: searchFilesOperation,
  readChanges: readChangesOperation,
};
