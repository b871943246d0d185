/** Texts of the parts that all pages share. */
export const ui = {
  cancel: 'Cancel',
  close: 'Close',
  details: 'Details',
  tryAgain: 'Try again',
  notifications: 'Notifications',
  copyByHandTitle: 'Copy',
  copyByHand: (mod: string) => `Press ${mod}+C.`,
  notLoaded: 'The server did not respond. Nothing was changed. Try again, or reload the page.',
  notWhileOffline: 'You’re offline',
  couldNotBeLoaded: (what: string) => `${what} could not be loaded.`,
  notPossible: (what: string, message: string) => `${what} was not possible: ${message}`,
  leaveQuestion: 'Leave without saving?',
  leaveText: 'Your changes on this page will be lost.',
  leaveAction: 'Leave',
  stay: 'Stay',
} as const;
