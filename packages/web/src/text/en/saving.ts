import { sizeText } from '@stoa/core';
import { people } from './people.ts';

/** Texts of saving: the save state, and notices of saves, merges and conflicts. */
export const saving = {
  saveState: 'Save state',
  saved: 'Saved',
  notSavedYet: 'Unsaved',
  savingNow: 'Saving…',
  offline: 'Offline: kept on this device',
  signedOut: 'Signed out: kept on this device',
  conflict: 'Conflict. Your text is safe on this device.',
  deleted: 'Deleted: kept on this device',
  readOnly: 'Read-only',
  tooLarge: (limitBytes: number) => `Not saved: larger than ${sizeText(limitBytes)}`,
  full: 'Not saved: the workspace is full',
  refused: (message: string) => `Not saved: ${message}`,
  notKept: 'Not saved, and not kept on this device',
  notSavedYetForComment: 'Your text is not saved yet. Try again once it is saved.',
  notText: 'the file is no longer text',

  somebody: people.somebody,
  youElsewhere: 'You, elsewhere',
  changedElsewhere: 'You changed this file in another tab.',
  changedBy: (who: string) => `${who} changed this file.`,
  seeVersion: (version: number) => `See version ${version}`,
  broughtBack: (name: string) => `${name} had been deleted. Your save brought it back.`,
  moved: (name: string, path: string, who: string) => `${name} was moved to ${path} by ${who}.`,
  mergedSaved: (version: number) => `Merged and saved as version ${version}.`,
  keptAs: (copyName: string) => `Your text is kept as ${copyName}.`,
  replaced: (version: number) => `Replaced with your text (version ${version}).`,
  draftBack: (time: string) => `We kept your unsaved changes from ${time}.`,
  discardThem: 'Discard them',
  downloadMyText: 'Download my text',
} as const;
