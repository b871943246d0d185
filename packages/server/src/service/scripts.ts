// docs/decisions/0002-transaction-scripts.md

import { forgetAuditScript } from './auditing/forget-audit.ts';
import { recordOperatorCommandScript } from './auditing/record-operator-command.ts';
import { jumpFeedScript, repairScript } from './checking/repair.ts';
import { recordScrubScript, takeScrubScript } from './checking/scrub-round.ts';
import { addReplyScript } from './comments/add-reply.ts';
import { insertThreadScript } from './comments/insert-thread.ts';
import { setResolvedScript } from './comments/set-resolved.ts';
import { settleConflictScript } from './conflicts/settle-conflict.ts';
import { quarantineScript, releaseContentScript, repairContentScript } from './contents/quarantine.ts';
import { approveDeviceCodeScript } from './device/approve-device-code.ts';
import { denyDeviceCodeScript } from './device/deny-device-code.ts';
import { insertDeviceCodeScript } from './device/issue-device-code.ts';
import { lookUpDeviceCodeScript } from './device/look-up-device-code.ts';
import { pollDeviceCodeScript } from './device/poll-device-code.ts';
import { sweepDeviceCodesScript } from './device/sweep-device-codes.ts';
import {
  beginImportScript,
  discardImportScript,
  finishImportScript,
  insertRowsScript,
  keepContentsScript,
} from './exporting/import-scripts.ts';
import { recordExportScript } from './exporting/stream-export.ts';
import { recordCursorScript } from './feed/record-cursor.ts';
import { deleteFileScript } from './files/delete-file.ts';
import { moveFileScript } from './files/move-file.ts';
import { moveFolderScript } from './files/move-folder.ts';
import { moveFolderFilesScript } from './files/move-folder-files.ts';
import { keepFrontMatterScript } from './files/read-unread-front-matter.ts';
import { restoreFileScript } from './files/restore-file.ts';
import { writeFileScript } from './files/write-file.ts';
import { acceptInviteScript } from './invites/accept-invite.ts';
import { createInviteScript } from './invites/create-invite.ts';
import { revokeInviteScript } from './invites/revoke-invite.ts';
import { insertKeyScript } from './keys/create-key.ts';
import { revokeKeyScript } from './keys/revoke-key.ts';
import { touchKeyScript } from './keys/touch-key.ts';
import { changeRoleScript } from './members/change-role.ts';
import { removeMemberScript } from './members/remove-member.ts';
import { setNodeIconScript } from './nodes/set-node-icon.ts';
import { setNodeOrderScript } from './nodes/set-node-order.ts';
import { setNodePrivateScript } from './nodes/set-node-private.ts';
import { admitAttemptScript } from './people/admit-attempt.ts';
import { admitByProviderScript, linkByProviderScript } from './people/admit-by-provider.ts';
import { countAttemptsScript } from './people/count-attempts.ts';
import { disablePersonScript, enablePersonScript, endSessionsScript } from './people/disable-person.ts';
import { executeLibraryStatementScript } from './people/execute-library-statement.ts';
import { handOverScript } from './people/hand-over.ts';
import { recordRejectedSignInScript } from './people/record-rejected-sign-in.ts';
import { registerPersonScript } from './people/register-person.ts';
import { endMembershipScript, erasePersonScript } from './people/remove-person.ts';
import { putPasswordResetScript, resetPasswordScript, setPasswordScript } from './people/set-password.ts';
import type { Script } from './ports/script.ts';
import { operateReclaimScript, reclaimFromFormerMemberScript } from './privacy/reclaim-from-former-member.ts';
import { forgetSecretScript, keepSecretScript } from './secrets/load-shared-secret.ts';
import { createShareScript } from './shares/create-share.ts';
import { revokeShareScript } from './shares/revoke-share.ts';
import { updateShareScript } from './shares/update-share.ts';
import { countShareViewsScript } from './shares/view-counter.ts';
import { putUndoneScript } from './undo/put-undone.ts';
import { createWorkspaceScript } from './workspaces/create-workspace.ts';
import { operateWorkspaceScript } from './workspaces/operate-workspace.ts';
import { updateWorkspaceScript } from './workspaces/update-workspace-script.ts';
import { putWorkspaceImageScript } from './workspaces/upload-workspace-image.ts';

/**
 * Every transaction script, one line each: the writer thread finds them here by name. The use cases that send commands
 * check the types, so the list itself does not need them.
 */
export const scripts: readonly Script<never, unknown>[] = [
  acceptInviteScript,
  addReplyScript,
  admitAttemptScript,
  admitByProviderScript,
  approveDeviceCodeScript,
  beginImportScript,
  changeRoleScript,
  countAttemptsScript,
  countShareViewsScript,
  createInviteScript,
  createShareScript,
  createWorkspaceScript,
  deleteFileScript,
  denyDeviceCodeScript,
  discardImportScript,
  disablePersonScript,
  enablePersonScript,
  endMembershipScript,
  endSessionsScript,
  erasePersonScript,
  executeLibraryStatementScript,
  finishImportScript,
  recordExportScript,
  forgetAuditScript,
  forgetSecretScript,
  handOverScript,
  insertDeviceCodeScript,
  insertKeyScript,
  insertRowsScript,
  insertThreadScript,
  jumpFeedScript,
  keepContentsScript,
  keepFrontMatterScript,
  keepSecretScript,
  linkByProviderScript,
  lookUpDeviceCodeScript,
  repairContentScript,
  repairScript,
  moveFileScript,
  moveFolderFilesScript,
  moveFolderScript,
  recordCursorScript,
  recordOperatorCommandScript,
  recordRejectedSignInScript,
  recordScrubScript,
  operateReclaimScript,
  operateWorkspaceScript,
  pollDeviceCodeScript,
  putPasswordResetScript,
  putUndoneScript,
  putWorkspaceImageScript,
  quarantineScript,
  reclaimFromFormerMemberScript,
  registerPersonScript,
  releaseContentScript,
  removeMemberScript,
  resetPasswordScript,
  restoreFileScript,
  revokeInviteScript,
  revokeKeyScript,
  revokeShareScript,
  setNodeIconScript,
  setNodeOrderScript,
  setNodePrivateScript,
  setPasswordScript,
  setResolvedScript,
  settleConflictScript,
  sweepDeviceCodesScript,
  takeScrubScript,
  touchKeyScript,
  updateShareScript,
  updateWorkspaceScript,
  writeFileScript,
];
