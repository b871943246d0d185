import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { atMost, type BenchCase, type Row } from '../../bench-case.ts';
import { readCpuSeconds } from '../../measure/cpu-seconds.ts';
import { readMemory } from '../../measure/memory.ts';
import { shareOf } from '../../measure/ratio.ts';
import { type Measured, runMeasured } from '../../measure/run-measured.ts';
import { startCountingProxy } from '../../sync/counting-proxy.ts';
import { makeTree } from '../../sync/make-tree.ts';
import { allowedRow, limitRow, unmeasuredRow } from '../../sync/rows.ts';
import { openSyncDesk } from '../../sync/sync-desk.ts';

const filesUsual = 100_000;
const idleSecondsUsual = 120;
const coreShareMax = 0.005;
const memoryBytesMax = 250 * 1024 * 1024;
const requestsAMinuteMax = 3;
const bytesAMinuteMax = 4096;
const noProc = 'this system has no /proc';

/** Measures the start of a watch on a large idle folder, and its cost while it waits. */
export const syncIdle: BenchCase = {
  id: 'sync-idle',
  measures:
    'stoa watch over 100,000 files: its start, and processor time, memory and requests while nothing happens',
  async run(bench) {
    const { workbench } = bench;
    const files = Math.max(50, Math.round(filesUsual * bench.scale));
    const idleSeconds = Math.max(2, Math.round(idleSecondsUsual * Math.min(1, bench.scale)));
    await using desk = await openSyncDesk(bench);
    const proxy = await startCountingProxy(workbench, desk.stoa.port);
    const tree = await makeTree(await desk.makeFolder('tree'), files, 64);
    const workspace = await desk.makeWorkspace();
    const folder = await desk.link(workspace, tree, proxy.origin);
    // The second run reads the files again that were just written. After it the state is final.
    const first = await desk.sync(folder);
    await desk.sync(folder);
    const find = { command: 'find', words: [folder, '-printf', '%i %s %T@ %C@ %p\\n'] };
    const finds: Measured[] = [];
    const nodes: Measured[] = [];
    const starts: number[] = [];
    const scans: Measured[] = [];
    for (let round = 0; round < bench.rounds; round += 1) {
      finds.push(await runMeasured(workbench, find));
      nodes.push(await runMeasured(workbench, { command: process.execPath, words: ['-e', '0'] }));
      scans.push(await desk.sync(folder));
      const started = await desk.watch(folder);
      starts.push(started.startSeconds);
      await started.end();
    }
    const watch = await desk.watch(folder);
    await wait(1000);
    const [cpuBefore, before] = [await readCpuSeconds(watch.pid), proxy.counted()];
    await wait(idleSeconds * 1000);
    const [cpuAfter, after] = [await readCpuSeconds(watch.pid), proxy.counted()];
    const memory = await readMemory(watch.pid);
    const watches = await countWatches(watch.pid);
    await watch.end();
    const folders = new Set(tree.paths.flatMap((path) => [dirname(path), dirname(dirname(path))]));

    const what = files.toLocaleString('en');
    const minutes = idleSeconds / 60;
    const cpu = cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / idleSeconds;
    const share = (figure: string, against: string, value: number | null, limit: number): Row =>
      value === null
        ? unmeasuredRow(figure, against, noProc, atMost(1))
        : limitRow(figure, against, [value], limit);
    const allowedStart = finds.map(({ seconds }, round) => 4 * seconds + (nodes[round]?.seconds ?? 0));
    const allowedScan = finds.map(
      ({ cpuSeconds }, round) => 2 * cpuSeconds + (nodes[round]?.cpuSeconds ?? 0),
    );
    return {
      rows: [
        allowedRow(
          `watch of ${what} files, start until in sync`,
          '4 × find + start of Node',
          starts,
          allowedStart,
        ),
        allowedRow(
          `sync of ${what} files with no change, processor time`,
          '2 × find + start of Node',
          scans.map(({ cpuSeconds }) => cpuSeconds),
          allowedScan,
        ),
        share('idle watch, processor time', '0.5 % of a core', cpu, coreShareMax),
        share('idle watch, memory', '250 MiB', memory?.nowBytes ?? null, memoryBytesMax),
        share('idle watch, folders that the system watches', 'folders + 2', watches, folders.size + 2),
        limitRow(
          'idle watch, requests',
          '3 a minute',
          [(after.requests - before.requests) / minutes],
          requestsAMinuteMax,
        ),
        limitRow(
          'idle watch, bytes',
          '4 KiB a minute',
          [(after.bytes - before.bytes) / minutes],
          bytesAMinuteMax,
        ),
        {
          figure: `memory of a sync that sends ${what} files`,
          against: '250 MiB',
          result:
            first.peakBytes === null
              ? { kind: 'not_measured', reason: noProc }
              : { kind: 'ratio', ratio: shareOf([first.peakBytes], memoryBytesMax) },
          target: null,
        },
      ],
      raw: { first, finds, nodes, scans, starts, idleSeconds, cpu, memory, watches, before, after },
    };
  },
};

/** Returns null on systems that do not report it. */
async function countWatches(pid: number): Promise<number | null> {
  const location = `/proc/${pid}/fdinfo`;
  const names = await readdir(location).catch(() => null);
  if (names === null) return null;
  const texts = await Promise.all(
    names.map((name) => readFile(`${location}/${name}`, 'utf8').catch(() => '')),
  );
  return texts.join('\n').match(/^inotify wd:/gm)?.length ?? 0;
}
