// docs/speed.md
import type { AddCommand } from './context.ts';

/** A command by its names. Its file is loaded on demand, because each imports libraries and parts of its own. */
export interface CommandFile {
  readonly names: readonly [name: string, ...aliases: string[]];
  readonly load: () => Promise<AddCommand>;
}

export type CommandGroup = readonly [heading: string, files: readonly CommandFile[]];

/** The commands in the order of the help, under its headings. */
export const commandFiles: readonly CommandGroup[] = [
  [
    'A folder:',
    [
      { names: ['link', 'login'], load: async () => (await import('./link.ts')).addLink },
      { names: ['clone'], load: async () => (await import('./clone.ts')).addClone },
      { names: ['sync'], load: async () => (await import('./sync.ts')).addSync },
      { names: ['watch'], load: async () => (await import('./watch.ts')).addWatch },
      { names: ['status'], load: async () => (await import('./status.ts')).addStatus },
      { names: ['conflicts'], load: async () => (await import('./conflicts.ts')).addConflicts },
      { names: ['log'], load: async () => (await import('./log.ts')).addLog },
      { names: ['trash'], load: async () => (await import('./trash.ts')).addTrash },
      { names: ['ignore'], load: async () => (await import('./ignore.ts')).addIgnore },
      { names: ['doctor'], load: async () => (await import('./doctor.ts')).addDoctor },
      { names: ['unlink', 'logout'], load: async () => (await import('./unlink.ts')).addUnlink },
    ],
  ],
  [
    'Files, with or without a folder:',
    [
      { names: ['ls'], load: async () => (await import('./ls.ts')).addLs },
      { names: ['find'], load: async () => (await import('./find.ts')).addFind },
      { names: ['cat'], load: async () => (await import('./cat.ts')).addCat },
      { names: ['put'], load: async () => (await import('./put.ts')).addPut },
      { names: ['mv'], load: async () => (await import('./mv.ts')).addMv },
      { names: ['rm'], load: async () => (await import('./rm.ts')).addRm },
      { names: ['changes'], load: async () => (await import('./changes.ts')).addChanges },
    ],
  ],
  [
    'History:',
    [
      { names: ['history'], load: async () => (await import('./history.ts')).addHistory },
      { names: ['restore'], load: async () => (await import('./restore.ts')).addRestore },
    ],
  ],
  ['Agents:', [{ names: ['mcp'], load: async () => (await import('./mcp.ts')).addMcp }]],
];

/** The command of these arguments. All commands for the help, and to suggest the name nearest to an unknown one. */
export function commandFilesFor(args: readonly string[]): readonly CommandGroup[] {
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) return [];
  const word = firstWord(args);
  for (const [heading, files] of commandFiles) {
    const file = files.find(({ names }) => word !== null && names.includes(word));
    if (file !== undefined) return [[heading, [file]]];
  }
  return commandFiles;
}

/** The first word that is neither a global flag nor the folder of such a flag. */
function firstWord(args: readonly string[]): string | null {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--') return args[at + 1] ?? null;
    if (!arg.startsWith('-')) return arg;
    // `-C` may end a group of short flags.
    if (arg === '--dir' || /^-[A-Za-z]*C$/.test(arg)) at += 1;
  }
  return null;
}
