import { deleteFileScript } from './files/delete-file.ts';
import { moveFileScript } from './files/move-file.ts';
import { moveFolderScript } from './files/move-folder.ts';
import { restoreFileScript } from './files/restore-file.ts';
import { writeFileScript } from './files/write-file-script.ts';
import { insertKeyScript } from './keys/create-key.ts';
import { revokeKeyScript } from './keys/revoke-key.ts';
import { touchKeyScript } from './keys/touch-key.ts';
import { setNodeIconScript } from './nodes/set-node-icon.ts';
import { setNodeOrderScript } from './nodes/set-node-order.ts';
import { setNodePrivateScript } from './nodes/set-node-private.ts';
import { countAttemptScript } from './people/count-attempt.ts';
import { executeLibraryStatementScript } from './people/execute-library-statement.ts';
import { registerPersonScript } from './people/register-person.ts';
import type { Script } from './ports/script.ts';
import { createWorkspaceScript } from './workspaces/create-workspace.ts';
import { operateWorkspaceScript } from './workspaces/operate-workspace.ts';
import { updateWorkspaceScript } from './workspaces/update-workspace.ts';

/**
 * Every transaction script, one line each: a writer in a thread of its own finds them here by name. Commands are checked
 * by the types of the use cases that send them, so the list itself need not know them.
 */
export const scripts: readonly Script<never, unknown>[] = [
  countAttemptScript,
  createWorkspaceScript,
  deleteFileScript,
  executeLibraryStatementScript,
  insertKeyScript,
  moveFileScript,
  moveFolderScript,
  operateWorkspaceScript,
  registerPersonScript,
  restoreFileScript,
  revokeKeyScript,
  setNodeIconScript,
  setNodeOrderScript,
  setNodePrivateScript,
  touchKeyScript,
  updateWorkspaceScript,
  writeFileScript,
];
