/** Reasons why a version could not be restored, and what to do. */
export const restoring = {
  savedByOthers: (copy: string) => `Others kept saving it. The restored text is kept as ${copy}.`,
  workspaceFull: 'The workspace is full.',
  seeUsage: 'See what uses the space',
  historyFull: 'The workspace has no room for more earlier versions.',
  nothingKept: 'No earlier version is kept.',
} as const;
