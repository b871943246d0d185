import { requireLinkedFolder } from '../config/find-folder.ts';
import { isWorkedOn, openFolder, readState } from '../create-engine.ts';
import { countUnsent } from '../engine/observe/count-unsent.ts';
import { unlinkFolder } from '../link/unlink-folder.ts';
import { requireYes } from '../output/ask.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { counted } from '../output/human.ts';
import { busyFailure } from './ask-working.ts';
import type { AddCommand } from './context.ts';
import { shownFolder } from './shown-folder.ts';

export const addUnlink: AddCommand = ({ command, act }) =>
  command('unlink', 'unlink a folder; its files stay')
    .alias('logout')
    .option('--purge', 'also delete files that sync replaced or rescued here')
    .action(
      act(async ({ host, output, dir, yes }, { purge = false }: { readonly purge?: boolean }) => {
        const folder = await requireLinkedFolder(host.cwd, dir);
        if (isWorkedOn(folder)) {
          throw busyFailure(folder, 'Stop it first, then run the command again.');
        }
        const unsent = await readUnsent(folder);
        if (unsent > 0) {
          const what = counted(unsent, 'change was', 'changes were');
          await requireYes(host, `${what} not sent. End the link all the same?`, yes);
        }
        const kept = await unlinkFolder(folder, { purge });
        output.data({ unlinked: folder, kept });
        output.line(`${shownFolder(host.home, folder)} is no longer linked. Your files are as they were.`);
        if (kept.length > 0) {
          output.note(
            `Still there: ${counted(kept.length, 'thing')} in .stoa (${kept.join(', ')}). \`rm -r\` it when you need nothing of it.`,
          );
        }
        output.note('Its key still works until you revoke it in the app, under API keys.');
        return exitCodes.done;
      }),
    );

/**
 * Number of unsent changes. A folder that was never synced counts as 0, because its user knows that nothing was sent.
 * An unreadable state counts as 0, so that it does not prevent unlinking.
 */
async function readUnsent(folder: string): Promise<number> {
  try {
    const phase = await readState(folder, async (state) => (await state.readMeta()).phase);
    const opened = phase === null ? null : await openFolder(folder);
    if (opened === null) return 0;
    try {
      return await countUnsent(opened.local, await opened.store.load());
    } finally {
      await opened[Symbol.asyncDispose]();
    }
  } catch {
    return 0;
  }
}
