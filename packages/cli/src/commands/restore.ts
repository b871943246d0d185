import type { WorkspacePath } from '@stoa/core';
import { parsePathArgument } from '../files/path-argument.ts';
import { aboutFile, findFile } from '../files/read-file.ts';
import { openWorkspace, type Workspace } from '../files/workspace.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';
import { shownText } from '../output/shown-text.ts';
import type { AddCommand } from './context.ts';
import { wholeNumber } from './parse-words.ts';
import { printCopy } from './print-copy.ts';
import { quotaFailure } from './quota-failure.ts';

export const addRestore: AddCommand = ({ command, act }) =>
  command('restore', 'restore an earlier version or a deleted file')
    .argument('<path>')
    .option('--version <n>', 'version to restore (default for a deleted file: its last)', wholeNumber(1))
    .action(
      act(async ({ host, output, dir }, typed: string, { version }: { readonly version?: number }) => {
        const workspace = await openWorkspace(host, dir);
        const path = parsePathArgument(workspace, typed);
        const { client, workspaceId, signal } = workspace;
        const targetVersion = version ?? (await newestOfDeleted(workspace, path));
        const restoring = client.restore(workspaceId, { path, targetVersion }, { signal });
        const outcome = await aboutFile(path, restoring);
        switch (outcome.kind) {
          case 'restored':
            output.data({ path: outcome.path, version: outcome.version, restoredFrom: outcome.restoredFrom });
            output.line(`${shownText(outcome.path)} ${outcome.version}`);
            return exitCodes.done;
          case 'conflict':
            return printCopy(
              { output },
              path,
              outcome,
              `Other users kept writing ${shownText(path)}: the restored bytes are in the copy named above.`,
            );
          default:
            throw quotaFailure(outcome);
        }
      }),
    );

async function newestOfDeleted(workspace: Workspace, path: WorkspacePath): Promise<number> {
  const { client, workspaceId, signal } = workspace;
  if ((await findFile(workspace, path)) !== null) {
    throw new Failure({
      code: 'usage',
      exit: exitCodes.usage,
      message: `${path} is there: say which version of it shall come back.`,
      next: '`stoa history <path>` lists them; then --version <n>.',
    });
  }
  const { versions } = await aboutFile(path, client.listVersions(workspaceId, path, { signal }));
  const newest = versions[0];
  if (newest === undefined)
    throw new Failure({
      code: 'not_found',
      message: `There never was a file ${path}.`,
      next: '`stoa changes` lists recent changes, `stoa ls` the files.',
    });
  return newest.version;
}
