import { listedMax, sizeText } from '@stoa/core';
import { readFolderSource } from '../config/source.ts';
import { openFolder, readState } from '../create-engine.ts';
import type { TrashRow } from '../engine/ports/state-rows.ts';
import {
  emptyTrash,
  olderThan as olderRows,
  restoreTrashed,
  type Trash,
  trashRowsMax,
} from '../engine/trash.ts';
import { requireYes } from '../output/ask.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';
import type { Host } from '../output/host.ts';
import { columns, counted, shownTime } from '../output/human.ts';
import { shownText } from '../output/shown-text.ts';
import { askWorking } from './ask-working.ts';
import type { AddCommand } from './context.ts';
import { wholeNumber } from './parse-words.ts';

/** Long enough to be unique in most cases, and short enough to type. */
const shownIdLength = 8;

export const addTrash: AddCommand = ({ command, act }) => {
  const trash = command('trash', 'list and restore files that sync replaced or removed here');
  trash
    .command('list', { isDefault: true })
    .description('list items, newest first')
    .action(
      act(async ({ host, output, dir }) => {
        const { folder } = await readFolderSource(host.cwd, dir);
        const rows = await listTrash(folder, listedMax);
        output.data({ trash: rows });
        const cells = rows.map(({ id, at, sizeBytes, why, path }) => [
          id.slice(0, shownIdLength),
          shownTime(at),
          sizeText(sizeBytes),
          why.replaceAll('_', ' '),
          shownText(path),
        ]);
        for (const row of columns(cells)) output.line(row);
        output.note(rows.length === 0 ? 'The trash is empty.' : 'Bring one back: stoa trash restore <id>');
        return exitCodes.done;
      }),
    );
  trash
    .command('restore')
    .description('restore an item to its path, if no file is there now')
    .argument('<id>', 'id from the list, or its beginning')
    .action(
      act(async ({ host, output, dir }, typed: string) => {
        const { folder } = await readFolderSource(host.cwd, dir);
        const row = await findRow(folder, typed);
        await restore(host, folder, row);
        output.data({ restored: row.path, id: row.id });
        output.line(`${shownText(row.path)} is back. The next sync sends it.`);
        return exitCodes.done;
      }),
    );
  trash
    .command('empty')
    .description('delete permanently')
    .option('--older-than <days>', 'only items older than this', wholeNumber(0))
    .action(
      act(async ({ host, output, dir, yes }, { olderThan = 0 }: { readonly olderThan?: number }) => {
        const { folder } = await readFolderSource(host.cwd, dir);
        const { length } = olderRows(await listTrash(folder, trashRowsMax), olderThan, Date.now());
        if (length > 0) await requireYes(host, `Remove ${counted(length, 'file')} for good?`, yes);
        const removed = length === 0 ? 0 : await empty(host, folder, olderThan);
        output.data({ removed });
        output.line(`Removed ${counted(removed, 'file')}.`);
        return exitCodes.done;
      }),
    );
  return trash;
};

async function listTrash(folder: string, limit: number): Promise<readonly TrashRow[]> {
  return (await readState(folder, (state) => state.listTrash(limit))) ?? [];
}

async function findRow(folder: string, typed: string): Promise<TrashRow> {
  const found = (await listTrash(folder, trashRowsMax)).filter(({ id }) => id.startsWith(typed));
  const [row] = found;
  if (row !== undefined && found.length === 1) return row;
  if (row === undefined) throw notInTrash(typed);
  throw new Failure({
    code: 'not_found',
    message: `${typed} begins several ids.`,
    next: '`stoa trash` lists them.',
  });
}

async function restore(host: Host, folder: string, { id, path }: TrashRow): Promise<void> {
  const restored = await withTrash(
    folder,
    (trash) => restoreTrashed(trash, id),
    () => askWorking(host, folder, { kind: 'restore_trash', id }),
  );
  const kind = 'kind' in restored ? restored.kind : 'failed';
  if (kind === 'restored') return;
  if (kind === 'unknown') throw notInTrash(id);
  const isTaken = kind === 'taken';
  throw new Failure({
    code: String(kind),
    message: isTaken ? `Something is at ${path} now.` : `${path} cannot be put back (${kind}).`,
    next: isTaken
      ? 'Rename that first; nothing was changed.'
      : 'It is still in .stoa/trash: make room for it here, then run the command again.',
  });
}

async function empty(host: Host, folder: string, olderThanDays: number): Promise<number> {
  const emptied = await withTrash(
    folder,
    (trash) => emptyTrash(trash, olderThanDays, Date.now()),
    () => askWorking(host, folder, { kind: 'empty_trash', olderThanDays }),
  );
  return 'files' in emptied && typeof emptied.files === 'number' ? emptied.files : 0;
}

/** Acts in this process, or sends a request to the one that works on the folder. */
async function withTrash(
  folder: string,
  act: (trash: Trash) => Promise<object>,
  ask: () => Promise<object>,
): Promise<object> {
  const opened = await openFolder(folder);
  if (opened === null) return ask();
  const { local, store } = opened;
  try {
    const commit: Trash['commit'] = (changes, durability) => store.commit(changes, durability);
    return await act({ folder: local, store, commit });
  } finally {
    await opened[Symbol.asyncDispose]();
  }
}

function notInTrash(typed: string): Failure {
  return new Failure({
    code: 'not_found',
    message: `Nothing in the trash is called ${typed}.`,
    next: '`stoa trash` lists its contents.',
  });
}
