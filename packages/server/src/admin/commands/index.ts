import type { Command } from '../command.ts';
import { afterRestore } from './after-restore.ts';
import { audit } from './audit.ts';
import { backup } from './backup.ts';
import { backupList } from './backup-list.ts';
import { backupPrune } from './backup-prune.ts';
import { check } from './check.ts';
import { contentIndexRebuild } from './content-index-rebuild.ts';
import { contentsForget } from './contents-forget.ts';
import { exportWorkspace } from './export.ts';
import { importWorkspace } from './import.ts';
import { importDiscard } from './import-discard.ts';
import { keyRevoke } from './key-revoke.ts';
import { moveForget } from './move-forget.ts';
import { moveTo } from './move-to.ts';
import { privacyList } from './privacy-list.ts';
import { privacyReclaim } from './privacy-reclaim.ts';
import { repair } from './repair.ts';
import { restore } from './restore.ts';
import { secretForget } from './secret-forget.ts';
import { userCreate } from './user-create.ts';
import { userDisable } from './user-disable.ts';
import { userEnable } from './user-enable.ts';
import { userEndSessions } from './user-end-sessions.ts';
import { userHandOver } from './user-hand-over.ts';
import { userList } from './user-list.ts';
import { userRemove } from './user-remove.ts';
import { userResetLink } from './user-reset-link.ts';
import { userSetPassword } from './user-set-password.ts';
import { workspaceLapse } from './workspace-lapse.ts';
import { workspaceList } from './workspace-list.ts';
import { workspacePlan } from './workspace-plan.ts';
import { workspaceRenew } from './workspace-renew.ts';

/** Every operator command, in the order of the help. */
export const commands: readonly Command[] = [
  userCreate,
  userList,
  userSetPassword,
  userResetLink,
  userEndSessions,
  userDisable,
  userEnable,
  userHandOver,
  userRemove,
  workspaceList,
  workspaceLapse,
  workspaceRenew,
  workspacePlan,
  privacyList,
  privacyReclaim,
  keyRevoke,
  audit,
  secretForget,
  contentsForget,
  contentIndexRebuild,
  check,
  repair,
  backup,
  backupList,
  backupPrune,
  restore,
  afterRestore,
  exportWorkspace,
  importWorkspace,
  importDiscard,
  moveTo,
  moveForget,
];
