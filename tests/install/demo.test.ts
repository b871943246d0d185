import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { createStoaClient } from '@stoa/client';
import { freePort } from '../support/free-port.ts';
import { repository } from './copy-tracked.ts';
import { startCommand } from './started-command.ts';

const folder = await mkdtemp(join(tmpdir(), 'stoa-demo-'));
after(() => rm(folder, { recursive: true, force: true }));

async function startDemo(directory: string) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const command = ['npm', 'run', 'demo', '--', directory];
  const started = await startCommand(command, {
    cwd: repository,
    url,
    variables: { STOA_PORT: String(port) },
  });
  await started.untilPrinted('Ctrl-C');
  return { started, url };
}

test('the demo has the content that it prints, and a second start prints its state', async () => {
  const directory = join(folder, 'demo');
  const first = await startDemo(directory);
  await using demo = first.started;
  const printed = demo.printed();
  assert.match(printed, new RegExp(`^Filled ${directory}\\.$`, 'm'));
  const { workspaceId, key } = accessIn(printed);
  const agent = createStoaClient({ baseUrl: first.url, apiKey: key });
  const { entries, icons } = await agent.list(workspaceId);
  const paths = entries.map(({ path }) => path);
  for (const suffix of ['.md', '.csv', '.png'])
    assert(
      paths.some((path) => path.endsWith(suffix)),
      suffix,
    );
  assert.equal(paths.filter((path) => path.includes('(conflicted copy')).length, 1);
  assert.equal(icons.calendar, '📅');
  const { versions } = await agent.listVersions(workspaceId, 'plans/opening-day.md');
  assert.deepEqual(
    versions.map(({ version, principal }) => [version, principal]),
    [
      [4, 'human'],
      [3, 'agent'],
      [2, 'human'],
      [1, 'human'],
    ],
  );
  const { threads } = await agent.listComments(workspaceId);
  assert.deepEqual(
    threads
      .map(({ status, anchorStatus, entries: replies }) => [status, anchorStatus, replies.length])
      .toSorted(),
    [
      ['open', 'anchored', 1],
      ['open', 'outdated', 1],
      ['resolved', 'anchored', 1],
    ],
  );
  const appointments = paths.filter((path) => path.startsWith('calendar/') && !path.endsWith('README.md'));
  assert.equal(appointments.length, 3);
  for (const path of appointments) {
    const file = await agent.readFile(workspaceId, path);
    assert(file.kind === 'file');
    assert.match(new TextDecoder().decode(await file.bytes()), /^date: \d{4}-\d{2}-\d{2}$/m, path);
  }

  const [ada, ben] = [...printed.matchAll(/^ {2}\w+ {2}(\S+@\S+) {2}(\S+)$/gm)];
  assert(ada !== undefined && ben !== undefined);
  const secret = 'notes/about-ben.md';
  assert(!(await seenBy(ben, first.url, workspaceId)).includes(secret));
  assert((await seenBy(ada, first.url, workspaceId)).includes(secret));
  const links = [...printed.matchAll(/^ {2}(http\S+\/s\/\S+)/gm)].map(([, link = '']) => link);
  assert.equal(links.length, 3);
  const pages = await Promise.all(links.map(async (link) => (await fetch(link)).text()));
  assert.match(pages[0] ?? '', /Come at nine/);
  for (const page of pages.slice(1)) assert.match(page, /<form/);

  await agent.writeFile(workspaceId, 'new.md', 'New', { kind: 'absent' });
  await demo.terminate();
  const second = await startDemo(directory);
  await using again = second.started;
  assert.match(again.printed(), /holds a demo already/);
  assert.match(again.printed(), new RegExp(`^ {2}${entries.length + 1} files`, 'm'));
  assert.deepEqual(accessIn(again.printed()), { workspaceId, key });
});

test('the demo leaves other directories alone, and a failed start leaves nothing behind', async () => {
  const other = join(folder, 'other');
  await mkdir(other);
  await writeFile(join(other, 'thesis.txt'), 'five years');
  assert.match(await failureOf(other, '0'), /holds something else/);
  assert.deepEqual(await readdir(other), ['thesis.txt']);

  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  try {
    const empty = join(folder, 'empty');
    assert.match(await failureOf(empty, String((taken.address() as AddressInfo).port)), /STOA_PORT/);
    assert.deepEqual(await readdir(empty), []);
  } finally {
    taken.close();
  }
});

/** Returns the error of the demo when it does not start. */
async function failureOf(directory: string, port: string): Promise<string> {
  const env = { ...process.env, STOA_PORT: port };
  const failed = await promisify(execFile)(process.execPath, ['demo/main.ts', directory], {
    cwd: repository,
    env,
  }).then(
    () => assert.fail('it started'),
    (error: { readonly code: unknown; readonly stderr: string }) => error,
  );
  assert.equal(failed.code, 1);
  return failed.stderr;
}

function accessIn(printed: string): { readonly workspaceId: string; readonly key: string } {
  const [, workspaceId] = /\((ws_\S+)\)/.exec(printed) ?? [];
  const [, key] = /^ {2}KEY=(\S+)$/m.exec(printed) ?? [];
  assert(workspaceId !== undefined && key !== undefined, printed);
  return { workspaceId, key };
}

async function seenBy(
  [, email, password]: readonly string[],
  url: string,
  workspaceId: string,
): Promise<readonly string[]> {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  assert.equal(response.status, 200, await response.text());
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const session = createStoaClient({
    baseUrl: url,
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, cookie } }),
  });
  return (await session.list(workspaceId)).entries.map(({ path }) => path);
}
