import { counted } from '../plurals.ts';

/** Texts of the line authors of a file. */
export const writers = {
  title: 'Who wrote what',
  hide: 'Hide who wrote what',
  what: 'Who wrote what',
  onlyText: 'Available for text only.',
  onlyCurrent: 'Available for the current version only.',
  loading: 'Loading authors…',
  lookedUp: 'Loading the authors of the newest lines…',
  unsaved: 'You, not saved',
  arrived: 'Just changed',
  orEarlier: 'or earlier',
  cut: '“or earlier”: we only looked back this far.',
  lines: (from: number, to: number) => (from === to ? `Line ${from}` : `Lines ${from} to ${to}`),
  version: (version: number) => `Version ${version}`,
  versionOf: (version: number, path: string) => `Version ${version} of ${path}`,
  andOthers: (name: string, others: number) => `${name} and ${counted(others, 'other', 'others')}`,
  changes: (name: string, versions: number) => `${name}, ${counted(versions, 'change', 'changes')}`,
  more: (count: number) => `${counted(count, 'more part', 'more parts')} not listed here.`,
} as const;
