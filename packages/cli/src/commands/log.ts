import { sizeText } from '@stoa/core';
import { readFolderSource } from '../config/source.ts';
import { readState } from '../create-engine.ts';
import type { LogRow } from '../engine/ports/state-rows.ts';
import { parseFolderArgument } from '../files/path-argument.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { shownTime } from '../output/human.ts';
import type { Output } from '../output/output.ts';
import { shownText } from '../output/shown-text.ts';
import type { AddCommand } from './context.ts';
import { wholeNumber } from './parse-words.ts';

interface Flags {
  readonly count?: number;
  readonly follow?: boolean;
}

const shownAtFirst = 50;
const lookEveryMs = 1000;
const readAtOnce = 1000;

export const addLog: AddCommand = ({ command, act }) =>
  command('log', 'show the actions of sync in this folder, oldest first')
    .argument('[path]', 'only this file, or files in this folder')
    .option('-n, --count <n>', 'number of entries (default 50)', wholeNumber(1))
    .option('-f, --follow', 'wait for more until stopped')
    .action(
      act(async ({ host, output, dir }, typed: string | undefined, flags: Flags) => {
        const source = await readFolderSource(host.cwd, dir);
        const path =
          typed === undefined ? null : parseFolderArgument({ source, cwd: host.cwd }, typed) || null;
        const readLog = async (afterId: number, limit: number) =>
          (await readState(source.folder, (state) => state.readLog({ afterId, path, limit }))) ?? [];
        const first = await readLog(0, flags.count ?? shownAtFirst);
        if (flags.follow !== true) {
          output.data({ log: first });
          for (const row of first) report(output, row);
          if (first.length === 0) output.note('Sync has done nothing here yet.');
          return exitCodes.done;
        }
        let afterId = 0;
        const take = (rows: readonly LogRow[]) => {
          for (const row of rows) {
            output.data(row);
            report(output, row);
            afterId = row.id;
          }
        };
        take(first);
        while (!host.signal.aborted) {
          await host.pace.sleep(lookEveryMs, host.signal);
          take(await readLog(afterId, readAtOnce));
        }
        return exitCodes.done;
      }),
    );

function report(output: Output, { at, op, path, version, bytes, outcome }: LogRow): void {
  const facts = [
    shownTime(at),
    op.replaceAll('_', ' ').padEnd(13),
    shownText(path),
    ...(version === null ? [] : [`v${version}`]),
    ...(bytes === null ? [] : [sizeText(bytes)]),
    ...(outcome === 'done' ? [] : [shownText(outcome)]),
  ];
  output.line(facts.join('  '));
}
