import { sizeText } from '@stoa/core';
import { listFiles } from '../files/list-files.ts';
import { parseFolderArgument } from '../files/path-argument.ts';
import { openWorkspace } from '../files/workspace.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { columns } from '../output/human.ts';
import { shownText } from '../output/shown-text.ts';
import type { AddCommand } from './context.ts';

interface Flags {
  readonly match?: string;
  readonly long?: boolean;
  readonly all?: boolean;
}

export const addLs: AddCommand = ({ command, act }) =>
  command('ls', 'list files')
    .argument('[folder]', 'only files in this folder')
    .option('--match <glob>', 'only paths that match, as in "docs/**/*.md"')
    .option('-l, --long', 'also version, size and type')
    .option('-a, --all', 'also the files that keep empty folders')
    .action(
      act(async ({ host, output, dir }, folder: string | undefined, flags: Flags) => {
        const workspace = await openWorkspace(host, dir);
        // Without an argument the whole workspace, whatever the current folder.
        const prefix = folder === undefined ? '' : parseFolderArgument(workspace, folder);
        const { match, long = false, all = false } = flags;
        const files = await listFiles(workspace, prefix, { match, all });
        output.data({
          files: files.map(({ path, version, size, contentType }) => ({
            path,
            version,
            size,
            type: contentType,
          })),
        });
        const rows = files.map(({ path, version, size, contentType }) =>
          long ? [`v${version}`, sizeText(size), contentType, path].map(shownText) : [shownText(path)],
        );
        for (const row of columns(rows)) output.line(row);
        if (rows.length === 0) output.note('There are no such files.');
        return exitCodes.done;
      }),
    );
