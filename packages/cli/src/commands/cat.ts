import { parsePathArgument } from '../files/path-argument.ts';
import { readFile } from '../files/read-file.ts';
import { openWorkspace } from '../files/workspace.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';
import { startProgress } from '../output/progress.ts';
import type { AddCommand } from './context.ts';
import { wholeNumber } from './parse-words.ts';

export const addCat: AddCommand = ({ command, act }) =>
  command('cat', "print a file's bytes")
    .argument('<path>')
    .option('--version <n>', 'an earlier version', wholeNumber(1))
    .action(
      act(async ({ host, output, dir }, typed: string, { version }: { readonly version?: number }) => {
        if (output.isJson) {
          throw new Failure({
            code: 'usage',
            exit: exitCodes.usage,
            message: '`stoa cat` prints the bytes of a file, which are not JSON.',
            next: 'Omit --json; `stoa history --json` lists the versions of the file.',
          });
        }
        const workspace = await openWorkspace(host, dir);
        const path = parsePathArgument(workspace, typed);
        // On a terminal, the printed bytes themselves show the progress.
        const progress =
          host.stdout.isTTY === true ? null : startProgress(output, host.pace, 'Waiting for the server …');
        try {
          await readFile(workspace, path, version ?? null, {
            begin: (bytes) => progress?.expect({ up: 0, down: 0, bytes }),
            async take(chunk) {
              await output.bytes(chunk);
              progress?.moved(path, chunk.length);
            },
          });
        } finally {
          progress?.end();
        }
        return exitCodes.done;
      }),
    );
