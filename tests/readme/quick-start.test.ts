import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startService } from '../support/service-process.ts';

const repository = join(import.meta.dirname, '../..');

async function shellBlocks(file: string): Promise<readonly string[]> {
  const text = await readFile(join(repository, file), 'utf8');
  return [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block ?? '');
}

test('the README has the commands that the tests for installing and starting run', async () => {
  const [own, folder, demo, production] = await shellBlocks('README.md');
  assert.equal(own, 'npm ci\nnpm start\n');
  // The tests of the CLI and of its guide run these.
  assert.equal(folder, 'npx stoa link 127.0.0.1:4700 ../Notes\nnpx stoa sync -C ../Notes\n');
  assert.equal(demo, 'npm run demo\n');
  assert.equal(production, 'npm ci --omit=dev\nnpm start\n');
});

test('every command of the page about curl prints what the page says', async () => {
  const blocks = await shellBlocks('docs/curl.md');
  const folder = await mkdtemp(join(tmpdir(), 'stoa-quick-start-'));
  // The default policy for sign-up, which allows the first user.
  await using service = await startService({ STOA_SIGNUP: 'first' });
  try {
    await cp(join(repository, 'docs'), join(folder, 'docs'), { recursive: true });
    // Only the address differs from the page: the usual port may be taken on this machine.
    const script = blocks.join('\n').replaceAll('http://127.0.0.1:4700', service.url);
    const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: folder });

    assert.match(stdout, /\{"path":"docs\/operations\.md","version":1\}/, 'the files were uploaded');
    assert.match(stdout, /\{"path":"docs\/operations\.md","version":2\}/, "Ada's edit won");
    assert.match(
      stdout,
      /\{"error":"version_conflict","current_version":2,"conflict_copy_path":"docs\/operations \(conflicted copy [^"]* Claude\)\.md"\}/,
    );
    assert.match(stdout, /"totalMatches":1,/, 'the search finds the conflicted copy');
    assert.match(stdout, /^# Operating Stoa, as Claude sees it$/m, "the copy has Claude's text");
    assert.match(stdout, /\{"path":"docs\/operations\.md","version":3,"restoredFrom":1\}/);
    const feed = stdout.slice(stdout.lastIndexOf('{"changes":'));
    for (const label of ['Ada at the terminal', 'Claude']) assert.ok(feed.includes(label), label);
    assert.match(feed, /"op":"conflict"/);
    assert.match(feed, /"op":"restore"/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
