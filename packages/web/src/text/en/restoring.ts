/** Why an earlier version could not be restored. */
export const restoring = {
  somebodyWasFaster: (copy: string) =>
    `Others kept writing to it. What was to be restored is kept as ${copy}.`,
  workspaceFull: 'The workspace is full.',
  historyFull: 'The workspace keeps no more earlier versions.',
  nothingKept: 'No version of it is kept.',
} as const;
