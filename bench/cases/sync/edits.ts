import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atMost, type BenchCase, type Row } from '../../bench-case.ts';
import { missingRow } from '../../measure/compare.ts';
import { runMeasured } from '../../measure/run-measured.ts';
import { findProgram } from '../../sides/find-program.ts';
import { missingRclone } from '../../sides/start-rclone.ts';
import { startSyncthing } from '../../sides/start-syncthing.ts';
import { makeTree } from '../../sync/make-tree.ts';
import { allowedRow, limitRow, percentile } from '../../sync/rows.ts';
import { type DeskWorkspace, openSyncDesk } from '../../sync/sync-desk.ts';
import { untilFile } from '../../sync/until-file.ts';
import { watchWorkspaceFeed } from '../../sync/workspace-watch.ts';
import type { Workbench } from '../../workbench.ts';

const editsUsual = 100;
const files = 200;
const settleMs = 200;
const slackMs = 50;
const missingSyncthing = { name: 'Syncthing', install: 'apt-get install syncthing' };

/** Measures one change at a time until the other end has it, as users of a watched folder see it. */
export const syncEdits: BenchCase = {
  id: 'sync-edits',
  measures:
    'stoa watch: one edit, delete or rename at a time, until it is on the server and in another folder',
  async run(bench) {
    const { workbench } = bench;
    const edits = Math.max(3, Math.round(editsUsual * bench.scale));
    const few = Math.max(2, Math.round(edits / 10));
    await using desk = await openSyncDesk(bench);
    const tree = await makeTree(await desk.makeFolder('tree'), files, 4096);
    const workspace = await desk.makeWorkspace();
    const here = await desk.link(workspace, tree);
    await desk.sync(here);
    const other = await desk.link(workspace, tree);
    const watches = [await desk.watch(here), await desk.watch(other)];
    const feed = await watchWorkspaceFeed(workspace);
    const pathOf = (number: number) => tree.paths[number % tree.paths.length] ?? '';
    const isChangeOf = (path: string) => (change: { path: string }) => change.path === path;

    const toServer: number[] = [];
    const toOther: number[] = [];
    for (let number = 0; number < edits; number += 1) {
      const path = pathOf(number);
      const text = `# Edit ${number}\n`;
      const sent = feed.until(isChangeOf(path));
      const startedAt = performance.now();
      await writeFile(join(here, path), text);
      const arrived = untilFile(join(other, path), text);
      toServer.push((await sent) - startedAt);
      toOther.push((await arrived) - startedAt);
    }

    // The control of the next measurement: long poll, GET and rename in this process.
    const location = await desk.makeFolder('bare');
    const fromServer: number[] = [];
    const bare: number[] = [];
    const puts: number[] = [];
    for (let number = 0; number < edits; number += 1) {
      const path = pathOf(number);
      const text = `# Edit ${number} there\n`;
      const reported = feed.until(isChangeOf(path));
      const startedAt = performance.now();
      await putText(workspace, path, text);
      const respondedAt = performance.now();
      puts.push(respondedAt - startedAt);
      const arrived = untilFile(join(here, path), text);
      await reported;
      const got = await fetch(addressOf(workspace, path), { headers: { 'x-api-key': workspace.key } });
      await writeFile(join(location, 'file.part'), new Uint8Array(await got.arrayBuffer()));
      await rename(join(location, 'file.part'), join(location, 'file'));
      bare.push(performance.now() - respondedAt);
      fromServer.push(Math.max(0, (await arrived) - respondedAt));
    }

    const goneAndRenamed: number[] = [];
    for (let number = 0; number < few; number += 1) {
      const [gone, moved] = [pathOf(number), pathOf(number + few)];
      const startedAt = performance.now();
      await rm(join(here, gone));
      goneAndRenamed.push((await untilFile(join(other, gone), null)) - startedAt);
      const renamedAt = performance.now();
      await rename(join(here, moved), join(here, `renamed ${number}.md`));
      goneAndRenamed.push((await untilFile(join(other, moved), null)) - renamedAt);
    }
    await feed.end();
    for (const watch of watches) await watch.end();

    const bisync = await timeBisync(workbench, few, tree.folder);
    const syncthing = await timeSyncthing(workbench, few, tree.folder);

    const p50 = (values: readonly number[]) => percentile(values, 0.5);
    const p95 = (values: readonly number[]) => percentile(values, 0.95);
    const overPeer = (name: string, values: readonly number[]): Row =>
      // The aim is half of the peer's time, so the row shows half of it as the allowance.
      allowedRow(
        'edit, until another folder has it, median',
        `half of ${name}`,
        [p50(toOther)],
        [p50(values) / 2],
      );
    const peers: Row[] = [
      bisync === null
        ? missingRow('edit, until another folder has it', missingRclone, atMost(1))
        : overPeer('two runs of rclone bisync', bisync),
      syncthing === null
        ? missingRow('edit, until another folder has it', missingSyncthing, atMost(1))
        : overPeer('Syncthing', syncthing),
    ];
    return {
      rows: [
        allowedRow(
          'save, until the server has it, median',
          `${settleMs} ms + bare PUT + ${slackMs} ms`,
          [p50(toServer)],
          [settleMs + p50(puts) + slackMs],
        ),
        limitRow('save, until the server has it, p95', '1 s', [p95(toServer)], 1000),
        allowedRow(
          'change there, until the file here is new, median',
          `3 × bare held feed, GET, rename + ${slackMs} ms`,
          [p50(fromServer)],
          [3 * p50(bare) + slackMs],
        ),
        limitRow('change there, until the file here is new, p95', '1 s', [p95(fromServer)], 1000),
        ...peers,
        limitRow('delete or rename, until another folder has it, p95', '4 s', [p95(goneAndRenamed)], 4000),
      ],
      raw: { toServer, toOther, fromServer, bare, puts, goneAndRenamed, bisync, syncthing },
    };
  },
};

/** Times two runs over folders of the same disk without a network: the shortest possible time. Null: not installed. */
async function timeBisync(workbench: Workbench, edits: number, tree: string): Promise<number[] | null> {
  const rclone = await findProgram('rclone');
  if (rclone === null) return null;
  const [here, hub, other] = [
    await workbench.directory('bisync'),
    await workbench.directory('bisync'),
    await workbench.directory('bisync'),
  ];
  const home = await workbench.directory('rclone');
  const between = (folder: string, ...more: readonly string[]) =>
    runMeasured(workbench, {
      command: rclone,
      words: ['bisync', folder, hub, '--workdir', join(home, 'work'), ...more],
      variables: { RCLONE_CONFIG: join(home, 'none.conf') },
    });
  await runMeasured(workbench, { command: 'cp', words: ['-a', `${tree}/.`, here] });
  await between(here, '--resync');
  await between(other, '--resync');
  const times: number[] = [];
  for (let number = 0; number < edits; number += 1) {
    const text = `# Edit ${number} ${'x'.repeat(number)}\n`;
    await writeFile(join(here, 'edited.md'), text);
    const startedAt = performance.now();
    await between(here);
    await between(other);
    times.push((await untilFile(join(other, 'edited.md'), text)) - startedAt);
  }
  return times;
}

async function timeSyncthing(workbench: Workbench, edits: number, tree: string): Promise<number[] | null> {
  await using pair = await startSyncthing(workbench);
  if (pair === null) return null;
  const [here, other] = pair.folders;
  await runMeasured(workbench, { command: 'cp', words: ['-a', `${tree}/.`, here] });
  await writeFile(join(here, 'edited.md'), 'first\n');
  await untilFile(join(other, 'edited.md'), 'first\n');
  const times: number[] = [];
  for (let number = 0; number < edits; number += 1) {
    const text = `# Edit ${number}\n`;
    const startedAt = performance.now();
    await writeFile(join(here, 'edited.md'), text);
    times.push((await untilFile(join(other, 'edited.md'), text)) - startedAt);
  }
  return times;
}

async function putText(workspace: DeskWorkspace, path: string, text: string): Promise<void> {
  const address = addressOf(workspace, path);
  const known = await fetch(address, { method: 'HEAD', headers: { 'x-api-key': workspace.key } });
  const headers = { 'x-api-key': workspace.key, 'if-match': known.headers.get('x-service-version') ?? '' };
  const response = await fetch(address, { method: 'PUT', body: text, headers });
  if (response.status !== 200) throw new Error(`PUT ${path}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

function addressOf({ address }: DeskWorkspace, path: string): string {
  return `${address}/files/${path.split('/').map(encodeURIComponent).join('/')}`;
}
