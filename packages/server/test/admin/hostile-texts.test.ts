import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pack } from 'tar-stream';
import { registerPersonScript } from '../../src/service/people/register-person.ts';
import { type AdminRun, type Installation, openInstallation } from './support/admin-process.ts';

/** An older import, a restored database or another program may have left such names. */
const hostile = '\u001b]0;PWNED\u0007\u001b[2J\r\u009b31m\u202eW';

let server: Installation;
before(async () => {
  server = await openInstallation();
  await server.deps.service.store.transact(registerPersonScript, {
    ...{ userId: 'user_1', accountRowId: 'account_1', name: hostile, email: `a${hostile}@example.com` },
    ...{ passwordHash: 'none', registrar: { kind: 'operator' }, createdAt: Date.now() },
  });
});
after(() => server[Symbol.asyncDispose]());

function assertHarmless({ out, err }: AdminRun, title: string): void {
  const shown = out + err;
  assert.doesNotMatch(
    shown,
    /[^\P{Cc}\n]|[\u202a-\u202e\u2028\u2029]/u,
    `${title}: ${JSON.stringify(shown)}`,
  );
}

const commands: readonly (readonly string[])[] = [
  ['user', 'list'],
  ['audit'],
  ['user', 'reset-link', 'user_1'],
  ['user', 'end-sessions', 'user_1'],
  ['user', 'set-password', 'user_1', '--password-stdin'],
  ['user', 'disable', 'user_1'],
  ['user', 'enable', 'user_1'],
  ['user', 'enable', hostile],
  ['workspace', 'plan', hostile, 'none'],
  ['export', hostile, join(tmpdir(), randomUUID())],
  ['import', join(tmpdir(), hostile.replaceAll('/', ''))],
  ['import', '--owner', hostile, '--yes', import.meta.filename],
  [hostile],
  ['user', 'list', hostile],
];
for (const words of commands) {
  for (const form of [[], ['--json']]) {
    const title = JSON.stringify([...words, ...form]);
    test(`no name acts on the operator's terminal: ${title}`, async () => {
      const run = await server.admin([...words, ...form], 'a long password');
      assertHarmless(run, title);
      if (words.includes(import.meta.filename)) assert.equal(run.code, 1);
      if (words[1] === 'list') assert.match(run.out + run.err, /PWNED/);
      if (form.length > 0 && run.code === 0) assert.ok(JSON.parse(run.out.split('\n')[0] ?? ''));
      if (words[1] === 'list' && form.length > 0 && run.code === 0) {
        assert.equal(JSON.parse(run.out).users[0].name, hostile);
      }
    });
  }
}

test('the name of an archive entry cannot act on the terminal', async () => {
  const file = join(tmpdir(), `stoa-hostile-${randomUUID()}.tar`);
  const tar = pack();
  tar.entry({ name: `${hostile}stoa: import complete` }, 'x');
  tar.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of tar as AsyncIterable<Uint8Array>) chunks.push(chunk);
  await writeFile(file, Buffer.concat(chunks));
  try {
    for (const form of [[], ['--json']]) {
      const run = await server.admin(['import', file, ...form]);
      assert.equal(run.code, 1);
      assertHarmless(run, 'import');
      assert.match(run.err, /PWNED/);
      const inProcess = await server.adminProcess(['import', file, ...form]);
      assertHarmless(inProcess, 'import in a process of its own');
    }
  } finally {
    await rm(file);
  }
});
