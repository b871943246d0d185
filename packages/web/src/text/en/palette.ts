import { numberText } from '@stoa/core';

/** Finding files, folders and commands. */
export const palette = {
  find: 'Find',
  findByName: 'Find by name or path',
  results: 'Results',
  commands: 'Commands',
  recent: 'Recent files',
  nothing: 'No file or folder has such a name.',
  noCommand: 'No command has such a name.',
  more: (count: number) => `${numberText(count)} more: type further`,
  inFiles: 'In files',
  line: (path: string, line: number, text: string) => `${path}, line ${numberText(line)}: ${text}`,
  hint: 'Type > for commands',
} as const;
