import { listedMax } from '@stoa/core';
import { readFolderSource } from '../config/source.ts';
import { askOther, openFolder, readState } from '../create-engine.ts';
import type { SyncRequest } from '../engine/ports/request-box.ts';
import type { TrashRow } from '../engine/ports/state-rows.ts';
import { requireYes } from '../output/ask.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';
import type { Host } from '../output/host.ts';
import { columns, counted, shownSize, shownTime } from '../output/human.ts';
import { shownText } from '../output/shown-text.ts';
import type { AddCommand } from './context.ts';
import { wholeNumber } from './parse-words.ts';

const answerMs = 60_000;
const dayMs = 24 * 3600_000;
const everything = 100_000;

export const addTrash: AddCommand = ({ command, act }) => {
  const trash = command('trash', 'what sync replaced or removed here');
  trash
    .command('list', { isDefault: true })
    .description('newest first')
    .action(
      act(async ({ host, output, dir }) => {
        const { folder } = await readFolderSource(host.cwd, dir);
        const rows = await listTrash(folder, listedMax);
        output.data({ trash: rows });
        const cells = rows.map(({ id, at, sizeBytes, why, path }) => [
          id,
          shownTime(at),
          shownSize(sizeBytes),
          why.replaceAll('_', ' '),
          shownText(path),
        ]);
        for (const row of columns(cells)) output.line(row);
        if (rows.length > 0) output.note('Bring one back: stoa trash restore <id>');
        return exitCodes.done;
      }),
    );
  trash
    .command('restore')
    .description('put one back where it was, if nothing is there now')
    .argument('<id>', 'as listed; its beginning is enough')
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
    .description('remove for good')
    .option('--older-than <days>', 'only what is older', wholeNumber(0))
    .action(
      act(async ({ host, output, dir, yes }, { olderThan = 0 }: { readonly olderThan?: number }) => {
        const { folder } = await readFolderSource(host.cwd, dir);
        const rows = await rowsOlderThan(folder, olderThan);
        if (rows.length > 0) await requireYes(host, `Remove ${counted(rows.length, 'file')} for good?`, yes);
        await drop(host, folder, rows, olderThan);
        output.data({ removed: rows.length });
        output.line(`Removed ${counted(rows.length, 'file')}.`);
        return exitCodes.done;
      }),
    );
  return trash;
};

async function listTrash(folder: string, limit: number): Promise<readonly TrashRow[]> {
  return (await readState(folder, (state) => state.listTrash(limit))) ?? [];
}

async function findRow(folder: string, typed: string): Promise<TrashRow> {
  const found = (await listTrash(folder, everything)).filter(({ id }) => id.startsWith(typed));
  const [row] = found;
  if (row !== undefined && found.length === 1) return row;
  throw new Failure({
    code: 'not_found',
    message: row === undefined ? `Nothing in the trash is called ${typed}.` : `${typed} begins several ids.`,
    next: '`stoa trash` lists them.',
  });
}

async function rowsOlderThan(folder: string, days: number): Promise<readonly TrashRow[]> {
  const until = Date.now() - days * dayMs;
  return (await listTrash(folder, everything)).filter(({ at }) => at <= until);
}

async function restore(host: Host, folder: string, { id, file, path }: TrashRow): Promise<void> {
  const opened = await openFolder(folder);
  if (opened === null) return ask(host, folder, { kind: 'restore_trash', id });
  try {
    const placed = await opened.local.putBack(file, path);
    if (placed.kind !== 'placed') {
      throw new Failure({
        code: placed.kind,
        message:
          placed.kind === 'taken'
            ? `Something is at ${path} now.`
            : `${path} cannot be put back (${placed.kind}).`,
        next: placed.kind === 'taken' ? 'Rename that first; nothing was changed.' : null,
      });
    }
    await opened.store.commit([{ table: 'trash', id, row: null }], 'durable');
  } finally {
    await opened[Symbol.asyncDispose]();
  }
}

async function drop(
  host: Host,
  folder: string,
  rows: readonly TrashRow[],
  olderThanDays: number,
): Promise<void> {
  if (rows.length === 0) return;
  const opened = await openFolder(folder);
  if (opened === null) return ask(host, folder, { kind: 'empty_trash', olderThanDays });
  try {
    for (const { id, file } of rows) {
      await opened.local.dropTrashed(file);
      await opened.store.commit([{ table: 'trash', id, row: null }], 'grouped');
    }
  } finally {
    await opened[Symbol.asyncDispose]();
  }
}

async function ask({ signal }: Host, folder: string, request: SyncRequest): Promise<void> {
  const answer = await askOther(folder, request, { timeoutMs: answerMs, signal });
  if (typeof answer === 'object' && answer !== null && !('error' in answer)) return;
  throw new Failure({
    code: 'busy',
    exit: exitCodes.busy,
    message: `Another stoa works on ${folder}, and did not do it.`,
    next: 'Try again when it has ended.',
  });
}
