import { counted } from '../plurals.ts';

/** Texts of who wrote which lines of a file. */
export const writers = {
  title: 'Who wrote what',
  hide: 'Hide who wrote what',
  what: 'Who wrote what',
  onlyText: 'Only text has lines that somebody wrote.',
  onlyCurrent: 'Only of the current version.',
  loading: 'Looking up who wrote what.',
  lookedUp: 'Who wrote the newest lines is being looked up.',
  unsaved: 'You, not saved',
  unsavedSign: '✎',
  arrived: 'Just changed',
  justNow: 'just now',
  arrivedBy: (who: string) => `${who}, just now`,
  orEarlier: 'or earlier',
  cut: 'Lines marked “or earlier” may be older: that far back is as far as was looked.',
  lines: (from: number, to: number) => (from === to ? `Line ${from}` : `Lines ${from} to ${to}`),
  frontMatter: 'Front matter',
  version: (version: number) => `Version ${version}`,
  shortVersion: (version: number) => `v${version}`,
  inWords: (name: string, version: string, time: string) => `${name}, ${version}, ${time}`,
  versionOf: (version: number, path: string) => `Version ${version} of ${path}`,
  andOthers: (name: string, others: number) => `${name} and ${counted(others, 'other', 'others')}`,
  changes: (name: string, versions: number) => `${name}, ${counted(versions, 'change', 'changes')}`,
  more: (count: number) => `${counted(count, 'more part', 'more parts')} not listed here.`,
} as const;
