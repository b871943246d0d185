import { fileNameOf } from '@stoa/core';
import { baseIsOfOneFile, moveFile, moveFolder, seeFile } from '../files/change-files.ts';
import { parsePathArgument, parseTargetArgument } from '../files/path-argument.ts';
import { openWorkspace } from '../files/workspace.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { counted } from '../output/human.ts';
import { shownText } from '../output/shown-text.ts';
import type { AddCommand } from './context.ts';
import { wholeNumber } from './parse-words.ts';

interface Flags {
  readonly base?: number;
  readonly recursive?: boolean;
}

export const addMv: AddCommand = ({ command, act }) =>
  command('mv', 'move or rename a file with its history and its comments')
    .argument('<from>')
    .argument('<to>', 'new path; ending in / or . a folder to move into')
    .option('--base <n>', 'only if the file is at this version', wholeNumber(1))
    .option('-r, --recursive', 'move a folder with its contents')
    .action(
      act(async ({ host, output, dir }, typedFrom: string, typedTo: string, flags: Flags) => {
        if (flags.base !== undefined && flags.recursive === true) throw baseIsOfOneFile();
        const workspace = await openWorkspace(host, dir);
        const from = parsePathArgument(workspace, typedFrom);
        const to = parseTargetArgument(workspace, typedTo, fileNameOf(from));
        if (flags.recursive === true) {
          const moved = await moveFolder(workspace, from, to);
          output.data({ moved });
          output.line(`${shownText(from)}/ → ${shownText(to)}/  ${counted(moved.length, 'file')}`);
          return exitCodes.done;
        }
        const moved = await moveFile(workspace, await seeFile(workspace, from, flags.base), to);
        output.data({ moved: [moved] });
        output.line(`${shownText(to)} ${moved.version}`);
        return exitCodes.done;
      }),
    );
