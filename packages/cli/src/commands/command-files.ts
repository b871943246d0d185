import { addCat } from './cat.ts';
import { addChanges } from './changes.ts';
import { addClone } from './clone.ts';
import { addConflicts } from './conflicts.ts';
import type { AddCommand } from './context.ts';
import { addDoctor } from './doctor.ts';
import { addHistory } from './history.ts';
import { addIgnore } from './ignore.ts';
import { addLink } from './link.ts';
import { addLog } from './log.ts';
import { addLs } from './ls.ts';
import { addMcp } from './mcp.ts';
import { addMv } from './mv.ts';
import { addPut } from './put.ts';
import { addRestore } from './restore.ts';
import { addRm } from './rm.ts';
import { addStatus } from './status.ts';
import { addSync } from './sync.ts';
import { addTrash } from './trash.ts';
import { addUnlink } from './unlink.ts';
import { addWatch } from './watch.ts';

/** The commands in the order of the help, under its headings. */
export const commandFiles: readonly (readonly [heading: string, commands: readonly AddCommand[]])[] = [
  [
    'A folder:',
    [
      addLink,
      addClone,
      addSync,
      addWatch,
      addStatus,
      addConflicts,
      addLog,
      addTrash,
      addIgnore,
      addDoctor,
      addUnlink,
    ],
  ],
  ['Files, with or without a folder:', [addLs, addCat, addPut, addMv, addRm, addChanges]],
  ['History:', [addHistory, addRestore]],
  ['Agents:', [addMcp]],
];
