import { sizeText } from '@stoa/core';
import { parsePathArgument } from '../files/path-argument.ts';
import { aboutFile } from '../files/read-file.ts';
import { openWorkspace } from '../files/workspace.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { columns, shownTime } from '../output/human.ts';
import { shownText } from '../output/shown-text.ts';
import type { AddCommand } from './context.ts';

export const addHistory: AddCommand = ({ command, act }) =>
  command('history', 'list the versions of a file or a deleted file, newest first')
    .argument('<path>')
    .action(
      act(async ({ host, output, dir }, typed: string) => {
        const workspace = await openWorkspace(host, dir);
        const path = parsePathArgument(workspace, typed);
        const { client, workspaceId, signal } = workspace;
        const { versions } = await aboutFile(path, client.listVersions(workspaceId, path, { signal }));
        output.data({ path, versions });
        const rows = versions.map(({ version, size, createdAt, actorLabel, principal, op, movedFrom }) => [
          `v${version}`,
          sizeText(size),
          shownTime(createdAt),
          shownText(actorLabel ?? principal),
          movedFrom === undefined ? shownText(op) : `${shownText(op)}  at ${shownText(movedFrom)}`,
        ]);
        for (const row of columns(rows)) output.line(row);
        return exitCodes.done;
      }),
    );
