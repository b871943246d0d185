import { counted } from '../plurals.ts';

/** Texts of conflicts: the bar, compare and merge, the page of conflicted copies. */
export const conflicts = {
  conflict: 'Conflict',
  savedWhileTyping: (who: string, version: number) =>
    `${who} saved version ${version} while you were typing.`,
  safeIn: 'Your text is safe in',
  keptHere: 'Your text is kept on this device.',
  compareAndMerge: 'Compare and merge',
  mergeBoth: 'Merge automatically',
  keepBoth: 'Keep both',
  replaceWithMine: 'Replace with mine',
  deletedBy: (who: string) => `${who} deleted this file.`,
  saveItAgain: 'Save it again',
  discardMyText: 'Discard my text',
  restore: (name: string) => `Restore ${name}`,

  compareTitle: (name: string) => `Compare and merge ${name}`,
  currentVersion: 'Current version',
  currentFacts: (who: string, version: number, size: string) => `Version ${version} by ${who}, ${size}`,
  mergedText: 'Merged text',
  previousDifference: 'Previous difference',
  nextDifference: 'Next difference',
  takeTheirs: 'Take theirs',
  theirsHere: (text: string) => (text === '' ? 'Removed in theirs.' : `Theirs: ${text}`),
  takeMine: 'Take mine',
  takeBoth: 'Take both',
  differences: 'Differences',
  differencesLeft: (count: number) => counted(count, 'difference left', 'differences left'),
  saveMergedText: 'Save merged text',
  savedJustNow: (who: string, version: number) =>
    `${who} saved version ${version} just now. It is shown on the left.`,

  deleteTheCopy: 'Delete the conflicted copy?',
  deleteCopy: 'Delete copy',
  keepIt: 'Keep it',
  copyDeleted: (name: string) => `${name} deleted.`,
  copyChanged: (name: string) => `${name} has changed since you looked. It was not deleted.`,
  notDeleted: (name: string, reason: string) => `${name} could not be deleted: ${reason}`,

  conflictedCopies: 'Conflicted copies',
  none: 'No conflicts. When two people change the same lines, both versions wait here.',
  originalGone: 'The original is gone.',
  keepAsAFile: 'Keep both files',
  deleteQuestion: (name: string) => `Delete ${name}?`,
  original: 'Original',
  madeBy: (who: string) => `by ${who}`,
  theConflicts: 'Conflicts',
  notText: (name: string) => `${name} is not text. Download it to open it.`,
} as const;
