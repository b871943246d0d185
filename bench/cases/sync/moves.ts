import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { atMost, type BenchCase } from '../../bench-case.ts';
import { alternate } from '../../measure/alternate.ts';
import { compareRow } from '../../measure/compare.ts';
import type { Measured } from '../../measure/run-measured.ts';
import { makeTree } from '../../sync/make-tree.ts';
import { openSyncDesk } from '../../sync/sync-desk.ts';

const filesUsual = 500;
const [sync, bare, nothing] = ['stoa sync', 'bare moves, 8 at a time', 'sync of nothing'];
/** A sync rechecks files that have been missing for less time than this. */
const untilSettledMs = 2500;

/** Syncs a renamed folder: one move per file on the server. The client records each move before its request. */
export const syncMoves: BenchCase = {
  id: 'sync-moves',
  measures: 'stoa sync after a folder of 500 files was renamed',
  async run(bench) {
    const files = Math.max(20, Math.round(filesUsual * bench.scale));
    await using desk = await openSyncDesk(bench);
    const tree = await makeTree(await desk.makeFolder('tree'), files, 4096);
    const top = dirname(dirname(tree.paths[0] ?? ''));
    const renamed = (path: string) => path.replace(top, 'renamed');
    const rounds = await alternate<Measured>(
      [
        {
          name: sync,
          async measure() {
            const workspace = await desk.makeWorkspace();
            const folder = await desk.link(workspace, tree);
            await desk.sync(folder);
            await rename(join(folder, top), join(folder, 'renamed'));
            await wait(untilSettledMs);
            const run = await desk.sync(folder);
            assert.equal(run.report.moved, files);
            assert.equal(Number(run.report.bytesUp) + Number(run.report.bytesDown), 0);
            await desk.remove(folder);
            return run;
          },
        },
        {
          name: nothing,
          async measure() {
            const folder = await desk.link(await desk.makeWorkspace(), tree);
            await desk.sync(folder);
            const run = await desk.sync(folder);
            await desk.remove(folder);
            return run;
          },
        },
        {
          name: bare,
          async measure() {
            const workspace = await desk.makeWorkspace();
            await desk.bare('up', workspace, tree.folder, tree.paths);
            const lines = tree.paths.map((path) => `${path}\t${renamed(path)}`);
            return desk.bare('move', workspace, '', lines);
          },
        },
      ],
      { rounds: bench.rounds, settle: true },
    );
    const row = (ending: string, of: string, value: (run: Measured) => number, limit: number | null) =>
      compareRow(
        `folder of ${files} files renamed${ending}`,
        rounds,
        [of, bare],
        value,
        limit === null ? null : atMost(limit),
      );
    return {
      rows: [
        row('', sync, ({ seconds }) => seconds, 1.5),
        row(', processor time', sync, ({ cpuSeconds }) => cpuSeconds, null),
        compareRow(
          `folder of ${files} files renamed`,
          rounds,
          [sync, nothing],
          ({ seconds }) => seconds,
          null,
        ),
      ],
      raw: Object.fromEntries(rounds),
    };
  },
};
