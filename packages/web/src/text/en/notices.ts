/** Notices that several parts of the app use. Each text exists once; `texts.test.ts` lists all of them. */
export const notices = {
  undo: 'Undo',
  restored: (what: string) => `Restored ${what}.`,
  notRestored: (name: string, reason: string) => `${name} could not be restored: ${reason}`,
  isPrivate: (name: string) => `${name} is private. Only you can see it.`,
  isShared: (name: string) => `Members can see ${name} again.`,
  iconSet: 'Icon set.',
  iconRemoved: 'Icon removed.',
  linkCopied: 'Link copied.',
  pathCopied: 'Path copied.',
  copied: 'Copied.',
  saved: 'Saved.',
} as const;
