/** Why an earlier version could not be restored, and what to do about it. */
export const restoring = {
  somebodyWasFaster: (copy: string) =>
    `Others kept writing to it. What was to be restored is kept as ${copy}.`,
  workspaceFull: 'The workspace is full.',
  seeUsage: 'See what uses the space',
  historyFull: 'The workspace keeps no more earlier versions.',
  nothingKept: 'No version of it is kept.',
} as const;
