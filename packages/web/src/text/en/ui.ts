/** Texts of the parts that all pages share. */
export const ui = {
  cancel: 'Cancel',
  close: 'Close',
  details: 'Details',
  tryAgain: 'Try again',
  notifications: 'Notifications',
  copyByHandTitle: 'Copy',
  copyByHand: (mod: string) => `Press ${mod}+C.`,
  notLoaded: 'The server did not answer. Nothing was done: try again, or load the page anew.',
  notWhileOffline: 'Not while offline',
  couldNotBeLoaded: (what: string) => `${what} could not be loaded.`,
  notPossible: (what: string, message: string) => `${what} was not possible: ${message}`,
  leaveQuestion: 'Leave without saving?',
  leaveText: 'What you changed on this page is lost.',
  leaveAction: 'Leave',
  stay: 'Stay',
} as const;
