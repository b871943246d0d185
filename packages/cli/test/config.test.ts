import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect, promisify } from 'node:util';
import { readFolderConfig, writeFolderConfig } from '../src/config/folder-config.ts';
import { parseServerAddress } from '../src/config/server-address.ts';
import { readSource } from '../src/config/source.ts';
import { unlinkFolder } from '../src/link/unlink-folder.ts';
import { Failure } from '../src/output/failure.ts';
import { makeFolder } from './support/temporary-folder.ts';

const fields = {
  api_base: 'https://files.example.org/',
  workspace_id: 'ws_1',
  api_key_id: 'key_1',
  api_key: 'stoa_canary',
  future: { kept: true },
};

function unusable(pattern: RegExp) {
  return (error: unknown) =>
    error instanceof Failure && error.exit === 3 && pattern.test(`${error.message} ${error.next}`);
}

test('the configuration is readable by its user alone, whatever the umask', async () => {
  await using folder = await makeFolder();
  const umasks = [0o000, 0o022, 0o077, 0o777];
  // A umask applies to the whole process, so a child process sets it.
  const program = `
    import { mkdir } from 'node:fs/promises';
    import { writeFolderConfig } from ${JSON.stringify(new URL('../src/config/folder-config.ts', import.meta.url).pathname)};
    for (const umask of ${JSON.stringify(umasks)}) {
      process.umask(0);
      const place = ${JSON.stringify(folder.path)} + '/' + umask;
      await mkdir(place);
      process.umask(umask);
      await writeFolderConfig(place, {});
    }`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  for (const umask of umasks) {
    const hidden = join(folder.path, String(umask), '.stoa');
    assert.equal((await stat(join(hidden, 'config.json'))).mode & 0o777, 0o600, umask.toString(8));
    assert.equal((await stat(hidden)).mode & 0o077, 0, umask.toString(8));
  }
});

test('the configuration keeps unknown fields and never prints the key', async () => {
  await using folder = await makeFolder();
  await writeFolderConfig(folder.path, fields);
  const config = await readFolderConfig(folder.path);
  assert.deepEqual(
    [config.apiBase, config.workspaceId, config.apiKeyId],
    ['https://files.example.org', 'ws_1', 'key_1'],
  );
  assert.deepEqual(config.fields.future, { kept: true });
  const { fields: _raw, ...shown } = config;
  assert.doesNotMatch(`${inspect(shown, { depth: 9 })} ${JSON.stringify(shown)} ${config.apiKey}`, /canary/);
  assert.equal(await readFile(join(folder.path, '.stoa/.gitignore'), 'utf8'), '*\n');
});

test('a configuration with unsafe permissions, a large size or a symlink is rejected', async () => {
  await using folder = await makeFolder();
  await writeFolderConfig(folder.path, fields);
  const file = join(folder.path, '.stoa/config.json');
  for (const mode of [0o640, 0o604, 0o620]) {
    await chmod(file, mode);
    await assert.rejects(readFolderConfig(folder.path), unusable(/chmod 600/), mode.toString(8));
  }
  await chmod(file, 0o600);
  await truncate(file, 1024 * 1024);
  await assert.rejects(readFolderConfig(folder.path), unusable(/larger than/));
  await rename(file, `${file}.real`);
  await symlink('config.json.real', file);
  await assert.rejects(readFolderConfig(folder.path), unusable(/symbolic link/));
});

test('a configuration of another user is rejected', async (t) => {
  await using folder = await makeFolder();
  await writeFolderConfig(folder.path, fields);
  await readFolderConfig(folder.path);
  // Only root can change the owner of a file, so the test changes the user id instead.
  const { getuid } = process;
  assert.ok(getuid !== undefined);
  process.getuid = () => getuid() + 1;
  t.after(() => {
    process.getuid = getuid;
  });
  await assert.rejects(readFolderConfig(folder.path), unusable(/another user/));
});

test('a broken configuration is named and never replaced', async () => {
  await using folder = await makeFolder();
  await writeFolderConfig(folder.path, fields);
  const file = join(folder.path, '.stoa/config.json');
  for (const [text, reason] of [
    ['{', /not JSON/],
    ['[]', /not an object/],
    ['{}', /api_base/],
    [JSON.stringify({ ...fields, api_base: 'http://files.example.org' }), /plain http/],
    [JSON.stringify({ ...fields, api_key: 'a\nb' }), /api_key/],
    [JSON.stringify({ ...fields, max_changes: -1 }), /max_changes/],
    [JSON.stringify({ ...fields, max_deletes: -1 }), /max_deletes/],
  ] as const) {
    await writeFile(file, text);
    await assert.rejects(readFolderConfig(folder.path), unusable(reason), text);
    assert.equal(await readFile(file, 'utf8'), text);
  }
});

test('a key goes only to the address that it came with', async () => {
  await using folder = await makeFolder();
  await writeFolderConfig(folder.path, fields);
  const cwd = folder.path;
  await assert.rejects(readSource({ env: { STOA_KEY: 'k' }, cwd }, undefined), unusable(/without STOA_URL/));
  await assert.rejects(
    readSource({ env: { STOA_URL: 'x.org' }, cwd }, undefined),
    unusable(/without STOA_KEY/),
  );
  const plain = { STOA_URL: 'http://files.example.org', STOA_KEY: 'k' };
  await assert.rejects(readSource({ env: plain, cwd }, undefined), unusable(/plain http/));
  const allowed = await readSource({ env: { ...plain, STOA_ALLOW_HTTP: 'true' }, cwd }, undefined);
  assert.equal(allowed.apiBase, 'http://files.example.org');
  const own = await readSource({ env: {}, cwd }, undefined);
  assert.deepEqual([own.apiBase, own.apiKey.reveal()], ['https://files.example.org', 'stoa_canary']);
  const given = await readSource({ env: { STOA_URL: 'localhost:4700', STOA_KEY: 'k' }, cwd }, undefined);
  assert.deepEqual([given.apiBase, given.apiKey.reveal()], ['http://localhost:4700', 'k']);
  const named = await readSource({ env: { STOA_KEY: 'k' }, cwd: '/' }, folder.path);
  assert.equal(named.apiKey.reveal(), 'stoa_canary');
});

test('an address needs https unless it is this machine or plain http is allowed', () => {
  const parse = (text: string, allowHttp = false) => parseServerAddress(text, { allowHttp });
  assert.equal(parse('files.example.org'), 'https://files.example.org');
  assert.equal(parse('files.example.org:8443/stoa/'), 'https://files.example.org:8443/stoa');
  assert.equal(parse('localhost:4700'), 'http://localhost:4700');
  assert.equal(parse('127.0.0.1:443'), 'http://127.0.0.1:443');
  assert.equal(parse('[::1]:4700'), 'http://[::1]:4700');
  assert.equal(parse('http://files.example.org', true), 'http://files.example.org');
  for (const text of [
    'http://files.example.org',
    'http://127.0.0.1.example.org',
    'ftp://x',
    'https://u:p@x.org',
    'a b',
    '',
  ]) {
    assert.throws(
      () => parse(text),
      (error) => error instanceof Failure && error.exit === 2,
      text,
    );
  }
});

test('unlink keeps the ignore rules and the trash unless it purges them', async () => {
  await using folder = await makeFolder();
  const hidden = join(folder.path, '.stoa');
  const fill = async () => {
    await writeFolderConfig(folder.path, fields);
    await mkdir(join(hidden, 'trash/2026-11-25'), { recursive: true });
    await mkdir(join(hidden, 'rescued'), { recursive: true });
    await writeFile(join(hidden, 'trash/2026-11-25/a.md'), 'a');
    await writeFile(join(hidden, 'ignore'), 'secret/\n');
    await writeFile(join(hidden, 'state.db'), '');
  };
  await fill();
  assert.deepEqual((await unlinkFolder(folder.path, { purge: false })).toSorted(), ['ignore', 'trash']);
  assert.deepEqual((await readdir(hidden)).toSorted(), ['.gitignore', 'ignore', 'trash']);
  assert.equal(await readFile(join(hidden, 'ignore'), 'utf8'), 'secret/\n');
  await fill();
  assert.deepEqual(await unlinkFolder(folder.path, { purge: true }), []);
  assert.deepEqual(await readdir(folder.path), []);
});
