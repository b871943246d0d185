import type { RouteId } from '@stoa/contract';
import type { Operation } from '../operation.ts';
import { readAuditOperation } from './audit/read-audit.ts';
import { readChangesOperation } from './changes/read-changes.ts';
import { addReplyOperation } from './comments/add-reply.ts';
import { listCommentsOperation } from './comments/list-comments.ts';
import { readPinnedContentOperation } from './comments/read-pinned-content.ts';
import { setResolvedOperation } from './comments/set-resolved.ts';
import { startThreadOperation } from './comments/start-thread.ts';
import { approveDeviceOperation } from './device/approve-device.ts';
import { createDeviceCodeOperation } from './device/create-device-code.ts';
import { denyDeviceOperation } from './device/deny-device.ts';
import { lookUpDeviceOperation } from './device/look-up-device.ts';
import { pollDeviceOperation } from './device/poll-device.ts';
import { deleteFileOperation } from './files/delete-file.ts';
import { listFilesOperation } from './files/list-files.ts';
import { moveFileOperation } from './files/move-file.ts';
import { moveFolderOperation } from './files/move-folder.ts';
import { headFileOperation, readFileOperation } from './files/read-file.ts';
import { resolveConflictOperation } from './files/resolve-conflict.ts';
import { writeFileOperation } from './files/write-file.ts';
import { blameFileOperation } from './history/blame-file.ts';
import { listVersionsOperation } from './history/list-versions.ts';
import { readVersionOperation } from './history/read-version.ts';
import { restoreFileOperation } from './history/restore-file.ts';
import { undoChangesOperation } from './history/undo-changes.ts';
import { acceptInviteOperation } from './invites/accept-invite.ts';
import { createInviteOperation } from './invites/create-invite.ts';
import { listInvitesOperation } from './invites/list-invites.ts';
import { previewInviteOperation } from './invites/preview-invite.ts';
import { revokeInviteOperation } from './invites/revoke-invite.ts';
import { createKeyOperation } from './keys/create-key.ts';
import { listKeysOperation } from './keys/list-keys.ts';
import { revokeKeyOperation } from './keys/revoke-key.ts';
import { changeRoleOperation } from './members/change-role.ts';
import { listDepartedPrivateOperation } from './members/list-departed-private.ts';
import { listMembersOperation } from './members/list-members.ts';
import { reclaimDepartedPrivateOperation } from './members/reclaim-departed-private.ts';
import { removeMemberOperation } from './members/remove-member.ts';
import { setNodeIconOperation } from './nodes/set-node-icon.ts';
import { setNodeOrderOperation } from './nodes/set-node-order.ts';
import { setNodePrivateOperation } from './nodes/set-node-private.ts';
import { findOperation } from './search/find.ts';
import { searchContentOperation } from './search/search-content.ts';
import { searchFilesOperation } from './search/search-files.ts';
import { listPlansOperation } from './service/list-plans.ts';
import { readHealthOperation } from './service/read-health.ts';
import { readMeOperation } from './service/read-me.ts';
import { readOpenApiOperation } from './service/read-openapi.ts';
import { readSignUpOperation } from './service/read-sign-up.ts';
import { createShareOperation } from './shares/create-share.ts';
import { listSharesOperation } from './shares/list-shares.ts';
import { revokeShareOperation } from './shares/revoke-share.ts';
import { updateShareOperation } from './shares/update-share.ts';
import { createWorkspaceOperation } from './workspaces/create-workspace.ts';
import { downloadWorkspaceOperation } from './workspaces/download-workspace.ts';
import { exportWorkspaceOperation } from './workspaces/export-workspace.ts';
import { findOwnWorkspaceOperation } from './workspaces/find-own-workspace.ts';
import { listWorkspacesOperation } from './workspaces/list-workspaces.ts';
import { readWorkspaceIconOperation } from './workspaces/read-icon.ts';
import { readUsageOperation } from './workspaces/read-usage.ts';
import { readWorkspaceOperation } from './workspaces/read-workspace.ts';
import { updateWorkspaceOperation } from './workspaces/update-workspace.ts';
import { uploadWorkspaceIconOperation } from './workspaces/upload-icon.ts';

/** The handler of each route of the contract. The type requires all of them. */
export const operations: Readonly<Record<RouteId, Operation>> = {
  readHealth: readHealthOperation,
  listPlans: listPlansOperation,
  readSignUp: readSignUpOperation,
  readMe: readMeOperation,
  readOpenApi: readOpenApiOperation,
  findOwnWorkspace: findOwnWorkspaceOperation,
  listWorkspaces: listWorkspacesOperation,
  createWorkspace: createWorkspaceOperation,
  readWorkspace: readWorkspaceOperation,
  updateWorkspace: updateWorkspaceOperation,
  uploadWorkspaceIcon: uploadWorkspaceIconOperation,
  readWorkspaceIcon: readWorkspaceIconOperation,
  downloadWorkspace: downloadWorkspaceOperation,
  exportWorkspace: exportWorkspaceOperation,
  readUsage: readUsageOperation,
  listMembers: listMembersOperation,
  removeMember: removeMemberOperation,
  changeRole: changeRoleOperation,
  readAudit: readAuditOperation,
  listDepartedPrivate: listDepartedPrivateOperation,
  reclaimDepartedPrivate: reclaimDepartedPrivateOperation,
  createInvite: createInviteOperation,
  previewInvite: previewInviteOperation,
  acceptInvite: acceptInviteOperation,
  listInvites: listInvitesOperation,
  revokeInvite: revokeInviteOperation,
  createKey: createKeyOperation,
  listKeys: listKeysOperation,
  revokeKey: revokeKeyOperation,
  createDeviceCode: createDeviceCodeOperation,
  pollDevice: pollDeviceOperation,
  lookUpDevice: lookUpDeviceOperation,
  approveDevice: approveDeviceOperation,
  denyDevice: denyDeviceOperation,
  readFile: readFileOperation,
  headFile: headFileOperation,
  writeFile: writeFileOperation,
  deleteFile: deleteFileOperation,
  listFiles: listFilesOperation,
  moveFile: moveFileOperation,
  moveFolder: moveFolderOperation,
  resolveConflict: resolveConflictOperation,
  setNodeIcon: setNodeIconOperation,
  setNodePrivate: setNodePrivateOperation,
  setNodeOrder: setNodeOrderOperation,
  readVersion: readVersionOperation,
  listVersions: listVersionsOperation,
  restoreFile: restoreFileOperation,
  blameFile: blameFileOperation,
  undoChanges: undoChangesOperation,
  find: findOperation,
  searchFiles: searchFilesOperation,
  searchContent: searchContentOperation,
  listComments: listCommentsOperation,
  startThread: startThreadOperation,
  addReply: addReplyOperation,
  setResolved: setResolvedOperation,
  readPinnedContent: readPinnedContentOperation,
  readChanges: readChangesOperation,
  listShares: listSharesOperation,
  createShare: createShareOperation,
  updateShare: updateShareOperation,
  revokeShare: revokeShareOperation,
};
