import { addCat } from './cat.ts';
import { addChanges } from './changes.ts';
import type { AddCommand } from './context.ts';
import { addHistory } from './history.ts';
import { addLink } from './link.ts';
import { addLs } from './ls.ts';
import { addMcp } from './mcp.ts';
import { addMv } from './mv.ts';
import { addPut } from './put.ts';
import { addRestore } from './restore.ts';
import { addRm } from './rm.ts';
import { addUnlink } from './unlink.ts';

/** The commands in the order of the help, under its headings. */
export const commandFiles: readonly (readonly [heading: string, commands: readonly AddCommand[]])[] = [
  ['A folder:', [addLink, addUnlink]],
  ['Files, with or without a folder:', [addLs, addCat, addPut, addMv, addRm, addChanges]],
  ['History:', [addHistory, addRestore]],
  ['Agents:', [addMcp]],
];
