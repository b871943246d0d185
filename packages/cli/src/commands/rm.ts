import { baseIsOfOneFile, deleteFiles, type SeenFile, seeFile, seeFolder } from '../files/change-files.ts';
import { parsePathArgument } from '../files/path-argument.ts';
import { openWorkspace } from '../files/workspace.ts';
import { requireYes } from '../output/ask.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { counted } from '../output/human.ts';
import { shownText } from '../output/shown-text.ts';
import type { AddCommand } from './context.ts';
import { wholeNumber } from './parse-words.ts';

interface Flags {
  readonly base?: number;
  readonly recursive?: boolean;
}

/** More files need a confirmation, because the shell may have expanded a pattern by mistake. */
const unaskedMax = 10;

export const addRm: AddCommand = ({ command, act }) =>
  command('rm', 'delete files; their versions stay in the history')
    .argument('<path...>')
    .option('--base <n>', 'only if the file is at this version', wholeNumber(1))
    .option('-r, --recursive', 'delete folders with their contents')
    .action(
      act(async ({ host, output, dir, yes }, typed: readonly string[], flags: Flags) => {
        const { base, recursive = false } = flags;
        if (base !== undefined && (typed.length > 1 || recursive)) throw baseIsOfOneFile();
        const workspace = await openWorkspace(host, dir);
        const files = new Map<string, SeenFile>();
        for (const text of typed) {
          const path = parsePathArgument(workspace, text);
          const seen = recursive ? await seeFolder(workspace, path) : [await seeFile(workspace, path, base)];
          for (const file of seen) files.set(file.path, file);
        }
        if (files.size > unaskedMax) await requireYes(host, `Delete ${counted(files.size, 'file')}?`, yes);
        await deleteFiles(workspace, [...files.values()]);
        output.data({ deleted: [...files.values()].map(({ path, version }) => ({ path, version })) });
        for (const { path } of files.values()) output.line(`deleted ${shownText(path)}`);
        return exitCodes.done;
      }),
    );
