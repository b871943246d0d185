import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { atMost, type BenchCase } from '../../bench-case.ts';
import { alternate } from '../../measure/alternate.ts';
import { compareRow, resultsOf } from '../../measure/compare.ts';
import type { Measured } from '../../measure/run-measured.ts';
import { startCountingProxy } from '../../sync/counting-proxy.ts';
import { makeTree } from '../../sync/make-tree.ts';
import { allowedRow } from '../../sync/rows.ts';
import { type DeskWorkspace, openSyncDesk } from '../../sync/sync-desk.ts';

const changesUsual = 20_000;
const files = 50;
const [sync, bare, nothing] = ['stoa sync', 'bare reading of the feed', 'sync of nothing'];
/** A sync reads files again that are younger than this. */
const untilSettledMs = 2500;

/** Syncs a folder after a long time: reads the feed and fetches each file once, however often it changed. */
export const syncOffline: BenchCase = {
  id: 'sync-offline',
  measures: 'stoa sync after 20,000 changes to 50 files while it was away',
  async run(bench) {
    const changes = Math.max(files, Math.round((changesUsual * bench.scale) / files) * files);
    await using desk = await openSyncDesk(bench);
    const proxy = await startCountingProxy(bench.workbench, desk.stoa.port);
    const tree = await makeTree(await desk.makeFolder('tree'), files, 4096);
    const workspace = await desk.makeWorkspace();
    const locations = await Promise.all(
      Array.from({ length: bench.rounds + 1 }, () => desk.link(workspace, tree, proxy.origin)),
    );
    for (const location of locations) await desk.sync(location);
    await wait(untilSettledMs);
    await changeOften(workspace, tree.paths, changes / files);
    const requests: number[] = [];
    const rounds = await alternate<Measured>(
      [
        {
          name: sync,
          async measure() {
            const before = proxy.counted().requests;
            const run = await desk.sync(locations[requests.length] ?? '');
            assert.equal(run.report.down, files);
            requests.push(proxy.counted().requests - before);
            return run;
          },
        },
        { name: bare, measure: () => desk.bare('pages', workspace, '', []) },
        { name: nothing, measure: () => desk.sync(locations[requests.length - 1] ?? '') },
      ],
      { rounds: bench.rounds, settle: false },
    );
    const what = `${changes.toLocaleString('en')} changes to ${files} files while away`;
    const needed = Math.ceil(changes / 1000) + files;
    const allowed = resultsOf(rounds, bare).map(
      ({ seconds }, round) => 1.5 * seconds + (resultsOf(rounds, nothing)[round]?.seconds ?? 0),
    );
    return {
      rows: [
        compareRow(what, rounds, [sync, bare], ({ seconds }) => seconds, atMost(1.5)),
        allowedRow(
          what,
          `1.5 × ${bare} + ${nothing}`,
          resultsOf(rounds, sync).map(({ seconds }) => seconds),
          allowed,
        ),
        allowedRow(
          'requests for it',
          'one for a page, one for a file, and 10',
          requests.slice(1),
          requests.slice(1).map(() => needed + 10),
        ),
      ],
      raw: { ...Object.fromEntries(rounds), requests },
    };
  },
};

/** Changes each file the given number of times, all files at once. */
async function changeOften(
  { address, key }: DeskWorkspace,
  paths: readonly string[],
  times: number,
): Promise<void> {
  await Promise.all(
    paths.map(async (path) => {
      const file = `${address}/files/${path.split('/').map(encodeURIComponent).join('/')}`;
      for (let version = 1; version <= times; version += 1) {
        const headers = { 'x-api-key': key, 'if-match': String(version) };
        const response = await fetch(file, {
          method: 'PUT',
          body: `change ${version} of ${path}\n`,
          headers,
        });
        const reported = await response.text();
        if (response.status !== 200) throw new Error(`PUT ${path}: ${response.status} ${reported}`);
      }
    }),
  );
}
