import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { listBackups } from '../../packages/server/src/backup/manifest.ts';
import { backUp, restore } from '../support/backups-here.ts';
import { openHttpClient } from '../support/http-client.ts';
import { signUp } from '../support/people.ts';
import { seededRandom, seedFrom, sizeFrom } from '../support/random.ts';
import { checkFolder, serveFolder } from '../support/served-folder.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import type { BackupsMade } from './back-up-and-put-back.ts';
import { assertUnderstood, type Drawing, layOut, type RecordedDisk, recordDisk } from './disk-states.ts';
import { drawCuts, lookAtEach, noTracer } from './look-at-states.ts';
import { readTrace, traceEnded, tracingTo } from './read-trace.ts';

const run = promisify(execFile);
const seed = seedFrom('STOA_BACKUP_POWER_SEED');

const work = await mkdtemp(join(tmpdir(), 'stoa-backup-power-'));
after(() => rm(work, { recursive: true, force: true }));

interface Recorded {
  readonly disk: RecordedDisk;
  readonly made: BackupsMade;
  /** The folder of the real backups, of which only the newer one is left. */
  readonly backups: string;
  readonly newerData: string;
  /** The counts of a check, for each of the two backups. */
  readonly counts: Readonly<Record<string, unknown>>;
}

/** Backs up two states of an installation and restores one, and records every call to the disk. */
async function record(): Promise<Recorded> {
  const [olderData, newerData] = [join(work, 'older'), join(work, 'newer')];
  await mkdir(olderData);
  const workspace = await withService(olderData, async (url) => {
    const client = openHttpClient(url);
    const made = await createWorkspace(await signUp(client));
    await writeSome(made, 'first');
    await client.close();
    return made;
  });
  await cp(olderData, newerData, { recursive: true });
  await withService(newerData, async (url) => {
    const client = openHttpClient(url).as({ ...workspace.credentials, origin: url });
    await writeSome(workspace.as(client), 'second');
    await client.close();
  });
  const top = join(work, 'disk');
  await mkdir(top);
  const [trace, backups] = [join(work, 'calls'), join(top, 'backups')];
  const program = join(import.meta.dirname, 'back-up-and-put-back.ts');
  const [command = '', ...args] = tracingTo(trace);
  const paths = [olderData, newerData, backups, join(top, 'restored')];
  const { stdout } = await run(command, [...args, process.execPath, program, ...paths]);
  await traceEnded(trace);
  const disk = recordDisk(await readTrace(trace), top);
  await assertUnderstood(disk);
  const made: BackupsMade = JSON.parse(stdout);
  const countsOf = async (folder: string) => (await checkFolder(folder)).checked;
  const counts = { [made.older]: await countsOf(olderData), [made.newer]: await countsOf(newerData) };
  return { disk, made, backups, newerData, counts };
}

async function withService<Result>(folder: string, use: (url: string) => Promise<Result>): Promise<Result> {
  await using served = await serveFolder(folder);
  return await use(served.url);
}

async function writeSome(workspace: WorkspaceClient, name: string): Promise<void> {
  for (const [n, size] of [10, 3000, 60_000, 70_000, 150_000, 400_000].entries()) {
    const response = await workspace.put(`${name}/${n}.bin`, randomBytes(size));
    assert.equal(response.status, 201, response.bytes.toString());
  }
}

/** Returns the faults of the backups and of the restored installation after a power loss at this moment. */
async function problemsAfter(
  { disk, made, backups, newerData, counts }: Recorded,
  cut: number,
  drawing: Drawing,
) {
  const top = await mkdtemp(join(work, 'state-'));
  const problems: string[] = [];
  const expectCounts = async (folder: string, name: string, what: string) => {
    const report = await checkFolder(folder);
    try {
      assert.deepEqual([report.problems, report.checked], [[], counts[name]]);
    } catch (error) {
      problems.push(`${what}: ${String(error)}`);
    }
  };
  try {
    await layOut(disk, cut, drawing, top);
    const directory = join(top, 'backups');
    const listed = await listBackups(directory);
    const mustBeListed = [
      ...(cut >= made.olderDone && cut < made.pruneBegun ? [made.older] : []),
      ...(cut >= made.newerDone ? [made.newer] : []),
    ];
    for (const name of mustBeListed) if (!listed.includes(name)) problems.push(`the backup ${name} is lost`);
    if (cut >= made.pruneDone && listed.includes(made.older)) problems.push('the pruned backup is back');
    for (const [n, name] of listed.entries()) {
      const location = join(top, `put-back-${n}`);
      await restore(directory, name, location);
      await expectCounts(location, name, `the backup ${name}`);
    }
    // The next backup works on the remains of every interrupted one.
    const next = await backUp(newerData, directory);
    await restore(directory, next, join(top, 'next'));
    await expectCounts(join(top, 'next'), made.newer, 'a backup after the power loss');

    const restored = join(top, 'restored');
    const isThere = (await readdir(restored).catch((): string[] => [])).includes('stoa.db');
    if (cut >= made.restoreDone && !isThere) problems.push('the restored installation is lost');
    if (!isThere) await restore(backups, made.newer, restored);
    await expectCounts(restored, made.newer, isThere ? 'the restored state' : 'the state restored again');
  } finally {
    await rm(top, { recursive: true });
  }
  return problems;
}

test('backups, prunes and restores survive a power loss and can be repeated, whatever the disk keeps', {
  timeout: 7_200_000,
  skip: noTracer,
}, async (t) => {
  const states = sizeFrom('STOA_BACKUP_POWER_STATES', 2);
  t.diagnostic(`STOA_BACKUP_POWER_SEED=${seed} STOA_BACKUP_POWER_STATES=${states}`);
  const recorded = await record();
  const random = seededRandom(seed);
  const cuts = drawCuts(recorded.disk, { first: 0, count: states }, random);
  await lookAtEach(cuts, async ({ cut, drawing, says }) => {
    assert.deepEqual(await problemsAfter(recorded, cut, drawing), [], `${says} of seed ${seed}`);
  });
  const { made, disk } = recorded;
  // The control: on a disk that keeps nothing the test must detect the loss.
  const lying = problemsAfter(recorded, Math.max(...disk.moments.map(({ exit }) => exit)) + 10, {
    kept: 'nothing',
    random,
    areSyncsKept: false,
  });
  assert.ok((await lying).includes(`the backup ${made.newer} is lost`));
});
