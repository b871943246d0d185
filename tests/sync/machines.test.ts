import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { watch } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { assertStatus } from '../support/expect.ts';
import { type FoundProgram, findProgram } from '../support/install-program.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { startRequestRecorder } from './support/request-recorder.ts';
import { useServer } from './support/shared-workspace.ts';
import { hashOf, type SyncedFolder, until } from './support/synced-folder.ts';

const server = await useServer();
const scale = Number(process.env.STOA_SYNC_SCALE ?? '') || 1;
const convergeMs = 60_000;

const findLibfaketime = "dpkg -L libfaketime | grep 'libfaketime.so.1$'";
const libfaketime = await findProgram({
  name: 'libfaketime',
  check: findLibfaketime,
  install: 'apt-get install -y --no-install-recommends libfaketime',
});
/** Runs a program with few inotify watches: the limit applies in a user namespace only. */
const inNamespace = ['unshare', '--user', '--map-root-user'];
const namespaces = await findProgram({
  name: 'namespace of users',
  check: [...inNamespace, 'true'].join(' '),
  install: 'sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=1000',
});
const skipUnless = (found: FoundProgram) => ({ skip: found.kind === 'missing' ? found.reason : false });

describe('a machine that reports few or many changes', () => {
  it('with a limit of 20 watches polls all folders', skipUnless(namespaces), async () => {
    const shared = await server.workspace();
    const through = [
      ...inNamespace,
      ...['sh', '-c', 'echo 20 > /proc/sys/user/max_inotify_watches && exec "$@"', 'sh'],
    ];
    await using ada = await shared.folder(undefined, { through });
    for (let n = 0; n < 30; n += 1) await ada.write(`folder ${n}/a.md`, `${n}`);
    const watching = await ada.watch();
    await until(
      () => watching.told().some(({ event }) => event === 'polling'),
      convergeMs,
      () => `the watch does not report that it polls: ${JSON.stringify(watching.told())}`,
    );
    for (const n of [0, 29]) await ada.write(`folder ${n}/a.md`, 'edited');
    await shared.untilSame([ada], convergeMs);
    assert.equal((await shared.hashes()).get('folder 29/a.md'), hashOf('edited'));
    const { stderr } = await watching.end('SIGTERM');
    assert.match(stderr, /looked for every 10 seconds: .*sysctl/);
  });

  it('with thousands of changes at once ends with the state of the disk', async () => {
    const shared = await server.workspace();
    await using ada = await shared.folder();
    await ada.watch();
    const files = 50;
    const writes = Math.round(40 * scale);
    for (let round = 0; round < writes; round += 1) {
      const texts = Array.from(
        { length: files },
        (_, n) => [`${n % 7}/${n}.md`, `${round} of ${n}`] as const,
      );
      await Promise.all(texts.map(([path, text]) => ada.write(path, text)));
    }
    await ada.remove('3');
    await shared.untilSame([ada], convergeMs);
    assert.equal((await shared.hashes()).get('0/49.md'), hashOf(`${writes - 1} of 49`));
  });
});

describe('a machine whose clock is a year off, or jumps by one', () => {
  it('behaves like any other machine and sends the same requests', skipUnless(libfaketime), async () => {
    const library = execFileSync('sh', ['-c', findLibfaketime]).toString().trim();
    const clocks = [
      ['+365d', '+365d'],
      ['-365d', '-365d'],
      ['+0d', '+365d'],
      ['+0d', '+0d'],
    ] as const;
    const outcomes = await Promise.all(
      clocks.map(async ([before, after]) => {
        const env = { LD_PRELOAD: library, FAKETIME: before, DONT_FAKE_MONOTONIC: '1' };
        const shared = await server.workspace();
        await using recorder = await startRequestRecorder(Number(new URL(server.target.url).port));
        await using ada = await shared.folder(recorder.origin, { env });
        await ada.write('here.md', 'here');
        await ada.write('both.md', 'base');
        await ada.write('gone.md', 'gone');
        await shared.workspace.put('there.md', 'there');
        const first = await counts(ada);
        env.FAKETIME = after;
        await ada.write('here.md', 'edited here');
        await ada.write('both.md', 'mine');
        await ada.remove('gone.md');
        await shared.workspace.put('there.md', 'edited there', { ifMatch: 1 });
        await shared.workspace.put('both.md', 'theirs', { ifMatch: 1 });
        const second = await counts(ada);
        await shared.untilSame([ada], 1000);
        const texts = [await ada.read('here.md'), await ada.read('there.md'), await ada.read('both.md')];
        const requests = recorder.take().map((each) => {
          const inWorkspace = each.replace(shared.workspace.id, 'this');
          // The server's clock names the copy.
          return inWorkspace.replace(/copy%20\d{4}-\d\d-\d\d%20\d{6}/, 'copy%20then');
        });
        // After a day or more the client compares its state with the list. Other runs do not request the list again.
        const lists = requests.flatMap((each, at) => (/\/list\b/.test(each) ? [at] : []));
        assert.equal(lists.length, before === after ? 1 : 2, requests.join('\n'));
        const [, again] = lists;
        if (again !== undefined) requests.splice(again, 1);
        return { requests, outcome: { first, second, texts } };
      }),
    );
    const asked = outcomes.at(-1)?.requests ?? [];
    assert.ok(asked.length > 10, asked.join('\n'));
    for (const { outcome, requests } of outcomes) {
      assert.deepEqual(requests, asked);
      assert.deepEqual(outcome, {
        first: { code: 0, up: 3, down: 1, deletedThere: 0, conflicts: 0 },
        second: { code: 6, up: 1, down: 2, deletedThere: 1, conflicts: 1 },
        texts: ['edited here', 'edited there', 'theirs'],
      });
    }
  });
});

async function counts(folder: SyncedFolder) {
  const { code, stdout, stderr } = await folder.run('sync', '--json');
  assert.notEqual(stdout, '', stderr);
  const { up, down, deletedThere, conflicts } = JSON.parse(stdout);
  return { code, up, down, deletedThere, conflicts: conflicts.length };
}

describe('a network that is slow, silent and cut', () => {
  it('shows no half-written file, and loses nothing', async () => {
    const shared = await server.workspace();
    await using proxy = await startTcpProxy(Number(new URL(server.target.url).port));
    await using ada = await shared.folder(`http://127.0.0.1:${proxy.port}`);
    const versions = new Set<string>();
    const newVersion = (bytes: number) => {
      const content = randomBytes(bytes);
      versions.add(hashOf(content));
      return content;
    };
    // Written under another name and renamed: a delayed writer would leave a half-written file visible.
    const writeUp = async () => {
      await ada.write('up.part', newVersion(1_500_000));
      await rename(join(ada.path, 'up.part'), join(ada.path, 'up.bin'));
    };
    assertStatus(await shared.workspace.put('down.bin', newVersion(1_500_000)), 201);
    await writeUp();
    const watching = await ada.watch();

    const halves: string[] = [];
    let isOver = false;
    const looks = { here: 0, there: 0 };
    const lookHere = async () => {
      const bytes = await readFile(join(ada.path, 'down.bin')).catch(() => null);
      if (bytes === null) return;
      looks.here += 1;
      if (!versions.has(hashOf(bytes))) halves.push(`here, ${bytes.length} bytes`);
    };
    const watcher = watch(ada.path, () => void lookHere());
    const observing = (async () => {
      while (!isOver) {
        await lookHere();
        const there = await shared.workspace.get('up.bin');
        looks.there += 1;
        if (there.status === 200 && !versions.has(hashOf(there.bytes))) halves.push('there');
        await wait(50);
      }
    })();
    let version = 1;
    const change = async () => {
      assertStatus(await shared.workspace.put('down.bin', newVersion(1_500_000), { ifMatch: version }), 200);
      version += 1;
      await writeUp();
    };
    /** Waits at least this long, and until both sides were checked in that time. */
    const pass = async (ms: number) => {
      const { here, there } = looks;
      await wait(ms);
      await until(
        () => looks.here > here + 1 && looks.there > there + 1,
        convergeMs,
        () => `the checks stopped: ${JSON.stringify(looks)}`,
      );
    };
    try {
      proxy.delay(Math.min(5000, 250 * scale));
      await change();
      await pass(1500);
      const release = proxy.hold();
      await change();
      await pass(Math.min(35_000, 2000 * scale));
      proxy.cutAll();
      release();
      await change();
      await pass(1000);
      proxy.cutAll();
      proxy.delay(0);
      await shared.untilSame([ada], convergeMs);
    } finally {
      isOver = true;
      watcher.close();
      await observing;
    }
    assert.deepEqual(halves, []);
    assert.ok(looks.here > 5 && looks.there > 5, JSON.stringify(looks));
    assert.ok(watching.isRunning());
    const names = [...(await ada.hashes()).keys()];
    assert.deepEqual(names, ['down.bin', 'up.bin'], 'one writer alone makes no copy');
  });
});
