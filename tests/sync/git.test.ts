import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { textAt } from '../support/response.ts';
import { useServer } from './support/shared-workspace.ts';
import { hashOf, type SyncedFolder } from './support/synced-folder.ts';

const server = await useServer();
const scale = Number(process.env.STOA_SYNC_SCALE ?? '') || 1;
const convergeMs = 60_000;

describe('git in a synced folder', () => {
  it('syncs the result of switched branches, a stash and a repack, and leaves `.git` alone', async () => {
    const count = Math.min(1000, 60 * scale);
    const fileOf = (n: number) => `src/${n % 5}/${n}.txt`;
    const changed = Math.round(count / 3);
    const shared = await server.workspace();
    await using ada = await shared.folder();
    // Git does no background work after a command has ended.
    const settings = [
      'user.name=Ada',
      'user.email=ada@example.org',
      'gc.auto=0',
      'maintenance.auto=false',
    ].flatMap((setting) => ['-c', setting]);
    const git = (...args: string[]) =>
      execFileSync('git', [...settings, ...args], {
        cwd: ada.path,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
      }).toString();
    const writeAll = (from: number, to: number, text: string) =>
      Promise.all(
        Array.from({ length: to - from }, (_, n) => ada.write(fileOf(from + n), `${text} ${from + n}`)),
      );
    await ada.write('.gitignore', '.stoa/\n');
    await writeAll(0, count, 'main');
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-q', '-m', 'main');
    git('switch', '-q', '-c', 'other');
    await writeAll(0, changed, 'other');
    await ada.remove(fileOf(count - 1));
    await ada.write('src/new/file.txt', 'new');
    git('add', '-A');
    git('commit', '-q', '-m', 'other');
    const watch = await ada.watch();
    await shared.untilSame([ada], convergeMs);
    const settled = async (): Promise<void> => {
      const own = await readOwnFiles(ada);
      await shared.untilSame([ada], convergeMs);
      assert.deepEqual(await readOwnFiles(ada), own);
      assert.equal(git('status', '--porcelain'), '');
    };
    // Git removes a file before it writes it. A watch that scans at that moment would rightly report a delete.
    for (const branch of ['main', 'other', 'main']) {
      watch.stoppedDuring(() => git('switch', '-q', branch));
      await settled();
    }
    // Each branch has all of them, so each of these paths had a file between the switches.
    const kept = new Set(Array.from({ length: count - 1 }, (_, n) => fileOf(n)));
    const deleted = (await shared.workspace.changes()).filter(
      (record) => textAt(record, 'op') === 'delete' && kept.has(textAt(record, 'path')),
    );
    assert.deepEqual(deleted, []);
    for (const branch of ['other', 'main']) {
      git('switch', '-q', branch);
      await settled();
    }
    await writeAll(changed, 2 * changed, 'not committed');
    await shared.untilSame([ada], convergeMs);
    assert.equal((await shared.hashes()).get(fileOf(changed)), hashOf(`not committed ${changed}`));
    git('stash', '-q');
    await settled();
    git('stash', 'pop', '-q');
    await shared.untilSame([ada], convergeMs);
    git('commit', '-q', '-a', '-m', 'committed');
    git('gc', '-q', '--prune=now');
    await settled();
    assert([...(await shared.hashes()).keys()].every((path) => !path.startsWith('.git/')));
    assert.equal(await ada.read(fileOf(0)), 'main 0');
  });
});

/** Reads the files of `.git`, except those that git also writes when it only reads. */
async function readOwnFiles(folder: SyncedFolder): Promise<Map<string, string>> {
  const entries = await readdir(join(folder.path, '.git'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'index');
  const hashed = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path, hashOf(await readFile(path))] as const;
    }),
  );
  return new Map(hashed.sort(([a], [b]) => (a < b ? -1 : 1)));
}
