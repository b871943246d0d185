import { exitCodes } from '../output/exit-codes.ts';
import type { AddCommand } from './context.ts';
import { type LinkFlags, linkFolder } from './link.ts';
import { syncOnce } from './sync.ts';

export const addClone: AddCommand = ({ command, act }) =>
  command('clone', 'link an empty folder to a workspace and fetch its files')
    .argument('<server>', 'address of the server: files.example.org, localhost:4700')
    .argument('[dir]', 'the folder, created if missing (default: the name of the workspace)')
    .option('--allow-http', 'send the key over plain http, in a network that you trust')
    .option('--key-stdin', 'read a key from standard input instead of asking a person')
    .option('--workspace <id>', 'with --key-stdin: the workspace')
    .action(
      act(async (context, server: string, dir: string | undefined, flags: LinkFlags) => {
        const { folder } = await linkFolder(context, server, dir ?? context.dir ?? null, {
          ...flags,
          onlyEmpty: true,
        });
        if (context.host.signal.aborted) return exitCodes.failed;
        return syncOnce(context, folder, {});
      }),
    );
