import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { atMost, type BenchCase, type Row } from '../../bench-case.ts';
import { alternate, type Contestant, type Rounds } from '../../measure/alternate.ts';
import { compareRow, missingRow, resultsOf } from '../../measure/compare.ts';
import { type Measured, runMeasured } from '../../measure/run-measured.ts';
import { findProgram } from '../../sides/find-program.ts';
import { missingRclone, startRclone } from '../../sides/start-rclone.ts';
import { startCountingProxy } from '../../sync/counting-proxy.ts';
import { makeTree } from '../../sync/make-tree.ts';
import { allowedRow, limitRow } from '../../sync/rows.ts';
import { openSyncDesk } from '../../sync/sync-desk.ts';

const filesUsual = 10_000;
const bodyBytes = 4096;
const adoptRequestsMax = 10;
const names = { sync: 'stoa sync', bare: '8 bare requests at a time', rclone: 'rclone over WebDAV' };
const missingRsync = { name: 'rsync', install: 'apt-get install rsync' };

/** Uploads, downloads and compares a folder of many small files, and links one that both sides already have. */
export const syncCopies: BenchCase = {
  id: 'sync-copies',
  measures: 'stoa sync of 10,000 files of 4 KiB: first upload, clone, no change, an equal folder',
  async run(bench) {
    const { workbench, rounds } = bench;
    const files = Math.max(20, Math.round(filesUsual * bench.scale));
    await using desk = await openSyncDesk(bench);
    const tree = await makeTree(await desk.makeFolder('tree'), files, bodyBytes);
    const served = await desk.makeFolder('served');
    const rclone = await startRclone(workbench, served);
    const measureAll = (contestants: readonly Contestant<Measured>[]) =>
      alternate(contestants, { rounds, settle: true });
    let numbered = 0;
    const rcloneRound = (words: () => readonly string[]): Contestant<Measured>[] =>
      rclone === null
        ? []
        : [
            {
              name: names.rclone,
              measure: () =>
                runMeasured(workbench, {
                  command: rclone.command,
                  words: ['copy', '--transfers', '8', ...words()],
                  variables: rclone.variables,
                }),
            },
          ];

    const ups = await measureAll([
      {
        name: names.sync,
        async measure() {
          const folder = await desk.link(await desk.makeWorkspace(), tree);
          const run = await desk.sync(folder);
          assert.equal(run.report.up, files);
          await desk.remove(folder);
          return run;
        },
      },
      {
        name: names.bare,
        measure: async () => desk.bare('up', await desk.makeWorkspace(), tree.folder, tree.paths),
      },
      ...rcloneRound(() => {
        numbered += 1;
        return [tree.folder, rclone?.remote(`up-${numbered}`) ?? ''];
      }),
    ]);

    const shared = await desk.makeWorkspace();
    await desk.bare('up', shared, tree.folder, tree.paths);
    const down = `up-${numbered}`;
    const downs = await measureAll([
      {
        name: names.sync,
        async measure() {
          const folder = await desk.link(shared, null);
          const run = await desk.sync(folder);
          assert.equal(run.report.down, files);
          await desk.remove(folder);
          return run;
        },
      },
      {
        name: names.bare,
        async measure() {
          const folder = await desk.makeFolder('bare');
          const run = await desk.bare('down', shared, folder, tree.paths);
          await desk.remove(folder);
          return run;
        },
      },
      ...rcloneRound(() => {
        numbered += 1;
        return [rclone?.remote(down) ?? '', join(served, `down-${numbered}`)];
      }),
    ]);

    const rsync = await findProgram('rsync');
    const synced = await desk.link(shared, tree);
    await desk.sync(synced);
    const nodeStart = { command: process.execPath, words: ['-e', '0'] };
    const same = await measureAll([
      {
        name: names.sync,
        async measure() {
          const run = await desk.sync(synced);
          assert.equal(Number(run.report.up) + Number(run.report.down), 0);
          return run;
        },
      },
      { name: 'node', measure: () => runMeasured(workbench, nodeStart) },
      ...(rsync === null
        ? []
        : [
            {
              name: missingRsync.name,
              measure: () =>
                runMeasured(workbench, {
                  command: rsync,
                  words: ['-an', '--delete', '--exclude', '.stoa', `${synced}/`, `${tree.folder}/`],
                }),
            },
          ]),
    ]);

    const meetings = await measureAll([
      {
        name: names.sync,
        async measure() {
          await rm(join(synced, '.stoa', 'state.db'));
          for (const end of ['-wal', '-shm'])
            await rm(join(synced, '.stoa', `state.db${end}`), { force: true });
          const run = await desk.sync(synced);
          assert.equal(Number(run.report.bytesUp) + Number(run.report.bytesDown), 0);
          return run;
        },
      },
      { name: 'bare hashing', measure: () => desk.bare('hash', shared, tree.folder, tree.paths) },
    ]);
    const proxy = await startCountingProxy(workbench, desk.stoa.port);
    await desk.sync(await desk.link(shared, tree, proxy.origin));
    await rclone?.[Symbol.asyncDispose]();

    const seconds = (run: Measured) => run.seconds;
    const cpu = (run: Measured) => run.cpuSeconds;
    const what = files.toLocaleString('en');
    const up = `first upload of ${what} files`;
    const clone = `first download of ${what} files`;
    const over = (figure: string, these: Rounds<Measured>, limit: number | null): Row =>
      rclone === null
        ? missingRow(figure, missingRclone, atMost(limit ?? 1))
        : compareRow(
            figure,
            these,
            [names.sync, names.rclone],
            seconds,
            limit === null ? null : atMost(limit),
          );
    const noChange = `no change in ${what} files`;
    const allowed = (value: (run: Measured) => number) => {
      const starts = resultsOf(same, 'node').map(value);
      return resultsOf(same, missingRsync.name).map((run, round) => 2 * value(run) + (starts[round] ?? 0));
    };
    const noChangeRows: Row[] =
      rsync === null
        ? [missingRow(noChange, missingRsync, atMost(1))]
        : (
            [
              ['', seconds],
              [', processor time', cpu],
            ] as const
          ).map(([ending, value]) =>
            allowedRow(
              noChange + ending,
              '2 × rsync -an --delete + start of Node',
              resultsOf(same, names.sync).map(value),
              allowed(value),
            ),
          );
    return {
      rows: [
        compareRow(up, ups, [names.sync, names.bare], seconds, atMost(1.5)),
        compareRow(`${up}, processor time`, ups, [names.sync, names.bare], cpu, null),
        over(up, ups, null),
        compareRow(clone, downs, [names.sync, names.bare], seconds, atMost(1.6)),
        compareRow(`${clone}, processor time`, downs, [names.sync, names.bare], cpu, atMost(2)),
        over(clone, downs, 1.5),
        ...noChangeRows,
        compareRow(
          `${what} files that both sides have`,
          meetings,
          [names.sync, 'bare hashing'],
          seconds,
          atMost(2),
        ),
        limitRow('requests for it', `${adoptRequestsMax}`, [proxy.counted().requests], adoptRequestsMax),
      ],
      raw: {
        ups: Object.fromEntries(ups),
        downs: Object.fromEntries(downs),
        same: Object.fromEntries(same),
        meetings: Object.fromEntries(meetings),
      },
    };
  },
};
