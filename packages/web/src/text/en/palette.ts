import { numberText } from '@stoa/core';

/** Finding files, folders and commands. */
export const palette = {
  find: 'Find',
  findByName: 'Find files, text and commands',
  results: 'Results',
  commands: 'Commands',
  recent: 'Recent files',
  nothing: 'No files match.',
  noCommand: 'No commands match.',
  more: (count: number) => `${numberText(count)} more. Keep typing to narrow it down.`,
  inTexts: 'In texts',
  lineOf: (path: string, line: number) => `${path}, line ${numberText(line)}`,
  line: (path: string, line: number, text: string) => `${palette.lineOf(path, line)}: ${text}`,
  unmark: 'Remove the mark of the search',
  hint: 'Type > for commands',
} as const;
