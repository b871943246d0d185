import { sizeText } from '@stoa/core';
import { people } from './people.ts';

/** Texts of saving: the save state, and what is said about saves, merges and conflicts. */
export const saving = {
  saveState: 'Save state',
  saved: 'Saved',
  notSavedYet: 'Not saved yet',
  savingNow: 'Saving…',
  offline: 'Offline: kept on this device',
  signedOut: 'Signed out: kept on this device',
  conflict: 'Conflict: kept on this device',
  deleted: 'Deleted: kept on this device',
  readOnly: 'Read-only',
  empty: 'Not saved: a file cannot be empty',
  tooLarge: (limitBytes: number) => `Not saved: larger than ${sizeText(limitBytes)}`,
  full: 'Not saved: the workspace is full',
  refused: (message: string) => `Not saved: ${message}`,
  notKept: 'Not saved, and not kept on this device',
  notSavedYetForComment: 'Your text has to be saved first, and it is not saved yet. Try again when it is.',
  notText: 'what stands there now is not text',

  somebody: people.somebody,
  youElsewhere: 'You, elsewhere',
  changedBy: (who: string) => `${who} changed this file.`,
  seeVersion: (version: number) => `See version ${version}`,
  broughtBack: (name: string) => `${name} had been deleted. Your save brought it back.`,
  moved: (name: string, path: string, who: string) => `${name} was moved to ${path} by ${who}.`,
  mergedSaved: (version: number) => `Merged and saved as version ${version}.`,
  keptAs: (copyName: string) => `Your text is kept as ${copyName}.`,
  replaced: (version: number) => `Replaced with your text (version ${version}).`,
  draftBack: (time: string) => `Unsaved changes from ${time} are back.`,
  discardThem: 'Discard them',
  downloadMyText: 'Download my text',
} as const;
