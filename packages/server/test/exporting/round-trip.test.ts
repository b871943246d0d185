import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { type ContentHash, fullGrant, parsePathPrefix, WorkspaceError } from '@stoa/core';
import { type Entry, extract, type Headers, pack } from 'tar-stream';
import { startPostgres } from '../../../../tests/support/postgres.ts';
import { threadOf } from '../../../../tests/support/thread-of.ts';
import { createSemaphore } from '../../src/concurrency/semaphore.ts';
import { unlimitedPlan } from '../../src/config/plans-file.ts';
import { discardImport } from '../../src/exporting/discard-import.ts';
import { type ImportOptions, type ImportPlan, importExport } from '../../src/exporting/import-export.ts';
import { makeExport } from '../../src/exporting/make-export.ts';
import { parsePeopleFile } from '../../src/exporting/people-file.ts';
import type { WorkspaceAccess } from '../../src/service/access.ts';
import { checkInstallation } from '../../src/service/checking/check-installation.ts';
import { quarantineScript } from '../../src/service/contents/quarantine.ts';
import { downloadWorkspace } from '../../src/service/exporting/download-workspace.ts';
import { RejectedExport } from '../../src/service/exporting/format.ts';
import {
  beginImportScript,
  discardImportScript,
  insertRowsScript,
  keepContentsScript,
} from '../../src/service/exporting/import-scripts.ts';
import { streamExport } from '../../src/service/exporting/stream-export.ts';
import { registerPersonScript } from '../../src/service/people/register-person.ts';
import type { MetadataStore } from '../../src/service/ports/metadata-store.ts';
import { scripts } from '../../src/service/scripts.ts';
import { openDiskBlobStore } from '../../src/storage/blobs/disk/open-disk-blob-store.ts';
import { openSqliteStore } from '../../src/storage/sqlite/open-sqlite-store.ts';
import { openPostgresTestStore } from '../storage/support/open-postgres-test-store.ts';
import { signedIn, signOut } from '../support/signed-in.ts';

const fixture = join(import.meta.dirname, '../../../../tests/upgrade/fixtures/0.1.0/sqlite-disk');

/** The parts of an installation that an export or an import uses. */
type Installation = Parameters<typeof importExport>[0] & AsyncDisposable;

let folder: string;
let source: Installation;
let workspaceId: string;
/** The export that all tests begin with. */
let original: string;
const said = () => {};
const noOptions: ImportOptions = {
  ownerId: null,
  accounts: new Map(),
  planId: null,
  approve: async () => {},
};

const plans = { defaultPlanId: unlimitedPlan.id, plans: [unlimitedPlan], maxFileBytes: 1_000_000 };

async function openSqlite(directory: string) {
  const writerUrl = threadOf(new URL('../../src/workers/writer-worker.ts', import.meta.url));
  const store = await openSqliteStore({
    file: join(directory, 'stoa.db'),
    plans,
    writerUrl,
    onFatal: assert.fail,
  });
  return { store, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

async function installation(
  opened: { readonly store: MetadataStore } & AsyncDisposable,
  directory: string,
): Promise<Installation> {
  return {
    store: opened.store,
    blobs: await openDiskBlobStore({ directory, onFatal: assert.fail }),
    clock: Date.now,
    ids: (prefix) => `${prefix}_${randomUUID()}`,
    plans,
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

async function emptySqlite(): Promise<Installation> {
  const directory = join(folder, randomUUID());
  await mkdir(directory);
  return await installation(await openSqlite(directory), join(directory, 'blobs'));
}

/** Makes an account for each person of an export. @returns options that give each person theirs */
async function makeAccounts(store: MetadataStore): Promise<ImportOptions> {
  const accounts = new Map<string, string>();
  for (const line of (await entriesOf(original)).get('records/people.jsonl')?.toString().trim().split('\n') ??
    []) {
    const { person, name, email } = JSON.parse(line);
    const userId = `user_${randomUUID()}`;
    accounts.set(String(person), userId);
    await store.transact(registerPersonScript, {
      ...{ userId, accountRowId: randomUUID(), name, email },
      ...{ passwordHash: 'none', registrar: { kind: 'operator' }, createdAt: Date.now() },
    });
  }
  return { ...noOptions, accounts };
}

/** The entries of a tar in their order. */
async function entriesOf(file: string): Promise<Map<string, Buffer>> {
  const entries = new Map<string, Buffer>();
  for await (const entry of createReadStream(file).pipe(extract()) as AsyncIterable<Entry>) {
    assert.equal(entry.header.type, 'file');
    assert.ok(!entries.has(entry.header.name));
    entries.set(entry.header.name, await buffer(entry));
  }
  return entries;
}

/** The content that an import must preserve, without the workspace id and the time of the header. */
async function meaningOf(file: string): Promise<Record<string, string>> {
  const entries = await entriesOf(file);
  const { exportedAt, workspace, ...header } = JSON.parse(String(entries.get('stoa-export.json')));
  assert.ok(exportedAt);
  const { id, ...settings } = workspace;
  assert.ok(id);
  return Object.fromEntries(
    [...entries].map(([name, bytes]) => [
      name,
      name === 'stoa-export.json'
        ? JSON.stringify({ ...header, settings })
        : name.startsWith('records/')
          ? String(bytes)
          : createHash('sha256').update(bytes).digest('hex'),
    ]),
  );
}

async function assertClean(deps: Installation): Promise<void> {
  assert.deepEqual((await checkInstallation(deps, { readBytes: true }, said)).problems, []);
}

/** @returns where the export is, and what it says. */
async function exported(deps: Installation, id: string) {
  const file = join(folder, `${randomUUID()}.tar`);
  await makeExport(deps, id, file, Date.now(), said);
  return { file, meaning: await meaningOf(file) };
}

/** @returns the data directory. */
async function copyFixture(name: string): Promise<string> {
  const data = join(folder, name);
  await cp(join(fixture, 'data'), data, { recursive: true });
  // Migrated first.
  await (await openSqlite(data))[Symbol.asyncDispose]();
  const database = new DatabaseSync(join(data, 'stoa.db'));
  // The version that made these rows did not record yet what the writers of conflicted copies had read.
  database.exec(`update change set conflict_base = 1 where op = 'conflict'`);
  database.exec(
    `update file_version set conflict_base = 1, conflict_base_hash = content_hash where op = 'conflict'`,
  );
  database.close();
  return data;
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stoa-export-'));
  const data = await copyFixture('source');
  const opened = await openSqlite(data);
  source = await installation(opened, join(data, 'blobs'));
  workspaceId = (await opened.store.reader.workspaces.page('', 1))[0]?.id ?? '';
  original = (await exported(source, workspaceId)).file;
});

after(async () => {
  await source[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

test('an export has current files as files, and everything else in human-readable lines', async () => {
  const entries = await entriesOf(original);
  const linesOf = (kind: string) =>
    String(entries.get(`records/${kind}.jsonl`))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const byHash = new Set(
    [...entries.values()].map((bytes) => createHash('sha256').update(bytes).digest('hex')),
  );
  for (const { path, contentHash } of linesOf('files')) {
    const bytes = entries.get(`files/${path}`);
    assert.ok(bytes, path);
    assert.equal(createHash('sha256').update(bytes).digest('hex'), contentHash);
  }
  for (const { contentHash } of linesOf('versions')) assert.ok(byHash.has(contentHash));
  const ops = new Set(linesOf('changes').map(({ op }) => op));
  for (const op of ['write', 'move', 'delete', 'conflict', 'restore', 'comment_created'])
    assert.ok(ops.has(op), op);
  assert.ok(linesOf('privacy').length > 0);
  assert.ok(linesOf('threads').every(({ anchor }) => typeof anchor.kind === 'string'));
  assert.ok(entries.has('workspace-image'));
});

test('no secret is in an export', async () => {
  const database = new DatabaseSync(join(folder, 'source', 'stoa.db'), { readOnly: true });
  const text = await readFile(original, 'latin1');
  for (const column of [
    'password from account where password is not null',
    'token from session',
    'secret_hash from api_key',
    'token_hash from share',
    'token_hash from invite',
  ]) {
    const rows = database.prepare(`select ${column}`).all();
    assert.ok(rows.length > 0, column);
    for (const secret of rows.flatMap(Object.values)) assert.ok(!text.includes(String(secret)), column);
  }
  database.close();
  assert.ok(!text.includes(await readFile(join(fixture, 'data/session-secret'), 'latin1')));
});

describe('from SQLite to PostgreSQL and back', () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server[Symbol.asyncDispose]());

  test('exporting an imported workspace gives the same records, and the check finds no problem', async () => {
    const expected = await meaningOf(original);
    await using onPostgres = await installation(
      await openPostgresTestStore(await server.createDatabase(), { scripts }),
      join(folder, 'postgres-blobs'),
    );
    const there = await importExport(onPostgres, original, await makeAccounts(onPostgres.store), said);
    assert.equal(there.formerPeople, 0);
    await assertClean(onPostgres);
    const second = await exported(onPostgres, there.workspaceId);
    assert.deepEqual(second.meaning, expected);

    await using onSqlite = await emptySqlite();
    const back = await importExport(onSqlite, second.file, await makeAccounts(onSqlite.store), said);
    await assertClean(onSqlite);
    assert.deepEqual((await exported(onSqlite, back.workspaceId)).meaning, expected);
  });
});

test('people without an account become former members, and their private items stay private', async () => {
  await using other = await emptySqlite();
  await assert.rejects(importExport(other, original, noOptions, said), /--owner/);
  await other.store.transact(registerPersonScript, {
    ...{ userId: 'user_op', accountRowId: 'account_op', name: 'Op', email: 'op@example.com' },
    ...{ passwordHash: 'none', registrar: { kind: 'operator' }, createdAt: Date.now() },
  });
  const { workspaceId: id, formerPeople } = await importExport(
    other,
    original,
    { ...noOptions, ownerId: 'user_op' },
    said,
  );
  assert.ok(formerPeople > 1);
  await assertClean(other);
  const members = await other.store.reader.members.listOf(id);
  assert.deepEqual(
    members.map(({ userId, role }) => [userId, role]),
    [['user_op', 'owner']],
  );
  const { meaning } = await exported(other, id);
  const expected = await meaningOf(original);
  for (const name of Object.keys(expected)) {
    if (['records/people.jsonl', 'stoa-export.json'].includes(name)) continue;
    assert.equal(meaning[name], expected[name], name);
  }
  assert.ok(!meaning['records/people.jsonl']?.includes('former.invalid'));
});

test('an import gives no access by an e-mail address', async () => {
  await using other = await emptySqlite();
  const { accounts } = await makeAccounts(other.store);
  const people = String((await entriesOf(original)).get('records/people.jsonl'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  await other.store.transact(registerPersonScript, {
    ...{ userId: 'user_op', accountRowId: 'account_op', name: 'Op', email: 'op@example.com' },
    ...{ passwordHash: 'none', registrar: { kind: 'operator' }, createdAt: Date.now() },
  });
  const plans: ImportPlan[] = [];
  const approve = async (plan: ImportPlan) => void plans.push(plan);
  const byOwner = { ...noOptions, ownerId: 'user_op', approve };
  const { workspaceId: id, knownPeople } = await importExport(other, original, byOwner, said);
  assert.equal(knownPeople, 0);
  const ids = (await other.store.reader.members.listOf(id)).map(({ userId }) => userId);
  assert.deepEqual(ids, ['user_op']);
  assert.equal(plans[0]?.former.length, people.length);
  assert.equal(plans[0]?.owner?.id, 'user_op');

  const [first] = people;
  const mapped = new Map([[String(first.email).toLowerCase(), accounts.get(String(first.person)) ?? '']]);
  const one = await importExport(other, original, { ...byOwner, accounts: mapped }, said);
  assert.equal(one.knownPeople, 1);
  assert.deepEqual(
    plans[1]?.matches.map(({ person, account }) => [person, account.id]),
    [[first.person, accounts.get(String(first.person))]],
  );
});

test('an import without approval, or with a wrong list of people, writes no data', async () => {
  await using other = await emptySqlite();
  const { accounts } = await makeAccounts(other.store);
  const deny = async () => {
    throw new RejectedExport('not approved');
  };
  const [[person = '', id = ''] = [], [second = ''] = []] = [...accounts];
  const rejected = async (options: Partial<ImportOptions>, says: RegExp) =>
    assert.rejects(importExport(other, original, { ...noOptions, accounts, ...options }, said), says);
  await rejected({ approve: deny }, /not approved/);
  await rejected({ ownerId: 'user_none' }, /no account user_none/);
  await rejected({ accounts: new Map([...accounts, ['99', id]]) }, /no person 99/);
  await rejected({ accounts: new Map([...accounts, [person, 'user_none']]) }, /no account user_none/);
  await rejected({ accounts: new Map([...accounts, [second, id]]) }, /for two people/);
  await rejected({ accounts: new Map() }, /--owner/);
  const { reader } = other.store;
  assert.deepEqual(await reader.workspaces.page('', 10), []);
});

test('a list of people has a line for each', () => {
  assert.deepEqual(
    [...parsePeopleFile('\ufeff# people\r\n1 user_a\r\n\n  Ada@Example.org\tuser_b  \n')],
    [
      ['1', 'user_a'],
      ['ada@example.org', 'user_b'],
    ],
  );
  for (const wrong of ['1', '1 a@example.org', '1 user_a user_b', '1 user_a\n1 user_b', 'A@b.c x\na@B.c y']) {
    assert.throws(() => parsePeopleFile(wrong), RejectedExport, wrong);
  }
});

describe('an import that cannot be done', () => {
  let target: Installation;
  let options: ImportOptions;
  before(async () => {
    target = await emptySqlite();
    options = await makeAccounts(target.store);
  });
  after(() => target[Symbol.asyncDispose]());

  async function rejected(bytes: Uint8Array, pattern: RegExp): Promise<void> {
    const file = join(folder, `${randomUUID()}.tar`);
    await writeFile(file, bytes);
    await assert.rejects(importExport(target, file, options, said), (error) => {
      assert.ok(error instanceof RejectedExport, String(error));
      assert.match(error.message, pattern);
      return true;
    });
    await assertNothing();
  }

  async function assertNothing(): Promise<void> {
    const { problems, checked } = await checkInstallation(target, { readBytes: false }, said);
    assert.deepEqual(problems, []);
    assert.deepEqual([checked.workspaces, checked.contents, checked.changes], [0, 0, 0]);
    assert.deepEqual(await Array.fromAsync(target.blobs.list(Number.MAX_SAFE_INTEGER)), []);
  }

  /** Packs the original again, with changed entries. */
  async function packed(change: (entries: [Headers, Buffer][]) => void): Promise<Buffer> {
    const entries = [...(await entriesOf(original))].map(([name, bytes]): [Headers, Buffer] => [
      { name },
      bytes,
    ]);
    change(entries);
    const tar = pack();
    for (const [header, bytes] of entries) tar.entry(header, bytes);
    tar.finalize();
    return await buffer(tar);
  }

  /** Changes records, and updates the header to match. */
  const withRecords = (kind: string, change: (lines: string[]) => void) =>
    packed((entries) => {
      const find = (name: string) => entries.find(([header]) => header.name === name) ?? assert.fail(name);
      const records = find(`records/${kind}.jsonl`);
      const lines = String(records[1]).trimEnd().split('\n');
      change(lines);
      records[1] = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      const head = find('stoa-export.json');
      const header = JSON.parse(String(head[1]));
      header.records[kind] = {
        lines: lines.length,
        bytes: records[1].byteLength,
        sha256: createHash('sha256').update(records[1]).digest('hex'),
      };
      head[1] = Buffer.from(JSON.stringify(header));
    });

  const edited = (kind: string, line: number, fields: object) =>
    withRecords(kind, (lines) => {
      lines[line] = JSON.stringify({ ...JSON.parse(lines[line] ?? ''), ...fields });
    });

  test('is rejected wherever the file is cut off, and leaves no data behind', async () => {
    const bytes = await readFile(original);
    const entries = await entriesOf(original);
    assert.ok(entries.size > 20);
    for (const share of [0.01, 0.3, 0.6, 0.9]) {
      await rejected(bytes.subarray(0, Math.floor(bytes.byteLength * share)), /cut off|damaged/);
    }
    // Cut at the end of an entry: everything before it is whole.
    await rejected(await packed((all) => all.pop()), /cut off/);
  });

  test('is rejected for a flipped bit in a content or in a record', async () => {
    for (const prefix of ['files/', 'contents/', 'records/versions']) {
      await rejected(
        await packed((entries) => {
          const [, bytes] = entries.find(([{ name }]) => name.startsWith(prefix)) ?? assert.fail(prefix);
          bytes[3] = (bytes[3] ?? 0) ^ 1;
        }),
        /damaged/,
      );
    }
  });

  test('is rejected for entries that an export does not have', async () => {
    // The types of the library omit `pax`.
    const longHeader: object = { pax: { comment: 'x'.repeat(3_000_000) } };
    const insteadOfFile = (header: Headers) =>
      packed((entries) => {
        const at = entries.findIndex(([{ name }]) => name.startsWith('files/'));
        entries[at] = [header, entries[at]?.[1] ?? Buffer.alloc(0)];
      });
    await rejected(await insteadOfFile({ name: '../../etc/passwd' }), /should be/);
    await rejected(await insteadOfFile({ name: '/etc/passwd' }), /should be/);
    const link = (type: 'symlink' | 'link' | 'directory') =>
      packed((entries) => {
        const at = entries.findIndex(([{ name }]) => name.startsWith('files/'));
        const [{ name }] = entries[at] ?? assert.fail();
        entries[at] = [{ name, type, linkname: '/etc/passwd' }, Buffer.alloc(0)];
      });
    for (const type of ['symlink', 'link', 'directory'] as const)
      await rejected(await link(type), /should be/);
    await rejected(
      await packed((entries) => entries.push([{ name: 'more' }, Buffer.from('more')])),
      /more entries/,
    );
    await rejected(await packed((entries) => entries.splice(5, 0, entries[5] ?? assert.fail())), /should be/);
    await rejected(await packed((entries) => entries.reverse()), /should be/);
    await rejected(Buffer.from('not a tar at all'.repeat(100)), /not an export/);
    await rejected(
      await packed((entries) => entries.unshift([{ name: 'x', ...longHeader }, Buffer.alloc(0)])),
      /too large a header/,
    );
  });

  test('is rejected for another version of the format, and for records that do not match it', async () => {
    const header = (text: string) =>
      packed((entries) => {
        (entries[0] ?? assert.fail())[1] = Buffer.from(text);
      });
    await rejected(await header('{"format":"stoa-export-2"}'), /newer release/);
    await rejected(await header('{"format":"other"}'), /not an export/);
    await rejected(await header('['.repeat(100_000)), /nested too deeply/);
    await rejected(await edited('files', 0, { path: '../x' }), /not a path/);
    await rejected(await edited('versions', 0, { contentType: 'text/html\r\nX: y' }), /media type/);
    await rejected(await edited('versions', 0, { surplus: 1 }), /does not match the format/);
    await rejected(await edited('changes', 1, { seq: 1 }), /out of order/);
    await rejected(await edited('changes', 0, { person: 99 }), /not in the export/);
    for (const bad of ['W\u001b[31m', '\u009b31m', '\u202e', 'two\nlines']) {
      await rejected(await edited('people', 0, { name: bad }), /control characters/);
      await rejected(await edited('changes', 0, { keyLabel: bad }), /control characters/);
      await rejected(await edited('versions', 0, { keyLabel: bad }), /control characters/);
    }
    await rejected(await withRecords('changes', (lines) => lines.pop()), /gap/);
    await rejected(
      await withRecords('icons', (lines) => lines.push('['.repeat(2_000_000))),
      /too long|nested/,
    );
  });

  test('is rejected when the records contradict each other, and leaves no data behind', async () => {
    await rejected(await edited('files', 0, { size: 1 }), /size|contradict each other/);
    await rejected(await edited('changes', 0, { op: 'delete' }), /contradict each other/);
    await rejected(await withRecords('versions', (lines) => lines.shift()), /contradict each other/);
    await rejected(await edited('privacy', 0, { kind: 'planet' }), /does not match the format/);
  });

  test('is rejected where a plan or the server does not allow such content', async () => {
    const file = original;
    const plans = { ...target.plans, maxFileBytes: 1000 };
    await assert.rejects(
      importExport({ ...target, plans }, file, options, said),
      /a file may have 1000 here/,
    );
    await assert.rejects(importExport(target, file, { ...options, planId: 'none' }, said), /no plan "none"/);
    await assertNothing();
  });

  test('that meets a full disk while it cleans up says how to remove the rest', async () => {
    const isFull = new Set<string>([insertRowsScript.name, discardImportScript.name]);
    const store: MetadataStore = {
      ...target.store,
      transact: async (script, command) => {
        if (isFull.has(script.name)) throw new WorkspaceError('storage_full');
        return target.store.transact(script, command);
      },
    };
    let left = '';
    await assert.rejects(importExport({ ...target, store }, original, options, said), (error: Error) => {
      left = /there is no space left.*`npm run admin -- import-discard (\S+)`/.exec(error.message)?.[1] ?? '';
      return left !== '';
    });
    assert.equal(await discardImport(target, left), true);
    await assertNothing();
  });

  test('that loses its store says how to remove the contents that are left', async () => {
    const away = async () => {
      throw new WorkspaceError('overloaded');
    };
    const store: MetadataStore = {
      ...target.store,
      transact: async (script, command) => {
        if (script.name === insertRowsScript.name) throw new WorkspaceError('overloaded');
        return target.store.transact(script, command);
      },
    };
    const failing = importExport(
      { ...target, store, blobs: { ...target.blobs, remove: away } },
      original,
      options,
      said,
    );
    let left = '';
    await assert.rejects(failing, (error: Error) => {
      left = /could not be removed.*`npm run admin -- import-discard (\S+)`/.exec(error.message)?.[1] ?? '';
      return left !== '';
    });
    const { reader } = target.store;
    assert.equal(await reader.workspaces.find(left), null);
    assert.equal(await discardImport(target, left), true);
    assert.equal(await discardImport(target, left), false);
    await assertNothing();
  });

  test('that a crash cut off is reported by the check, stays invisible, and can be discarded', async () => {
    const begun = { workspaceId: 'ws_begun', name: 'Begun', icon: null, color: null, theme: null };
    await target.store.transact(beginImportScript, { ...begun, themeCss: null, planId: null, createdAt: 1 });
    assert.equal(await target.store.reader.workspaces.find('ws_begun'), null);
    // The scrub can read stored contents concurrently and quarantine wrong ones.
    const lost = { workspaceId: 'ws_begun', contentHash: 'a'.repeat(64) as ContentHash };
    const wrong = { sizeBytes: 1, location: { kind: 'inline', bytes: Buffer.from('?') } } as const;
    await target.store.transact(keepContentsScript, { ...lost, contents: [{ ...lost, ...wrong }], now: 1 });
    const put = { ...lost, generation: null, fault: 'stored_bytes_wrong', now: 2 } as const;
    assert.equal(await target.store.transact(quarantineScript, put), true);
    const { problems } = await checkInstallation(target, { readBytes: false }, said);
    assert.deepEqual(
      problems.map(({ rule }) => rule),
      ['content_quarantined', 'workspace_without_counter', 'workspace_without_owner'],
    );
    assert.equal(await discardImport(target, 'ws_begun'), true);
    assert.equal(await discardImport(target, 'ws_begun'), false);
    await assertNothing();
  });
});

test('an export does not overwrite a file, and reports wrong bytes', async () => {
  await assert.rejects(makeExport(source, workspaceId, original, Date.now(), said), /exists already/);
  const database = new DatabaseSync(join(folder, 'source', 'stoa.db'));
  database.exec(`update blob set bytes = zeroblob(size_bytes) where bytes is not null`);
  database.close();
  const file = join(folder, 'never.tar');
  await assert.rejects(makeExport(source, workspaceId, file, Date.now(), said), /missing or wrong/);
  await assert.rejects(readFile(file), /ENOENT/);
  assert.equal(await discardImport(source, workspaceId), false);
  assert.notDeepEqual(await Array.fromAsync(source.blobs.list(Number.MAX_SAFE_INTEGER, workspaceId)), []);
});

describe('an export that an owner takes', () => {
  const now = Date.UTC(2031, 0, 1);
  let data: string;
  let deps: Installation;
  let owner: WorkspaceAccess;
  const downloads = createSemaphore(1, { waitingMax: 0 });
  const begin = () => streamExport({ ...deps, clock: () => now, downloads }, owner);
  before(async () => {
    data = await copyFixture('owned');
    const opened = await openSqlite(data);
    deps = await installation(opened, join(data, 'blobs'));
    const members = await deps.store.reader.members.listOf(workspaceId);
    const { userId = '', role = 'member' } = members.find((member) => member.role === 'owner') ?? {};
    const workspace = await deps.store.reader.workspaces.find(workspaceId);
    assert.ok(workspace);
    const { actor, credential } = await signedIn(deps.store, userId, 'Ada');
    owner = { workspace, role, viewer: { userId, within: parsePathPrefix('') }, actor, credential };
  });
  after(() => deps[Symbol.asyncDispose]());

  test('it is not made for a client that has left', async () => {
    const left = streamExport({ ...deps, clock: () => now, downloads }, owner, () => false);
    await assert.rejects(left.next(), new WorkspaceError('overloaded'));
    const zip = downloadWorkspace({ ...deps, downloads }, owner, () => false);
    await assert.rejects(zip.next(), new WorkspaceError('overloaded'));
    // Both have released their permits.
    (await downloads.acquire())();
  });

  test('it is rejected while it would show private items of other members', async () => {
    await assert.rejects(begin().next(), new WorkspaceError('private_item', {}, privateText));
    const database = new DatabaseSync(join(data, 'stoa.db'));
    database.prepare('update node_privacy set owner_id = ?').run(owner.actor.userId);
    await assert.rejects(begin().next(), new WorkspaceError('private_item', {}, privateText));
    database
      .prepare('update change set only_user_id = ? where only_user_id is not null')
      .run(owner.actor.userId);
    database.close();
  });

  test('it equals the file of the command byte for byte, and imports to the same records', async () => {
    const file = join(folder, 'by-command.tar');
    await makeExport(deps, workspaceId, file, now, said);
    const taken = Buffer.concat(await Array.fromAsync(begin()));
    assert.ok(taken.equals(await readFile(file)));
    const sent = join(folder, 'sent.tar');
    await writeFile(sent, taken);
    await using other = await emptySqlite();
    const { workspaceId: id } = await importExport(other, sent, await makeAccounts(other.store), said);
    await assertClean(other);
    assert.deepEqual((await exported(other, id)).meaning, await meaningOf(file));
  });

  test('one that the client abandons releases its permit', async () => {
    for (let taken = 1; taken <= 3; taken += 1) {
      const sending = begin();
      for (let chunks = 0; chunks < taken; chunks += 1) assert.equal((await sending.next()).done, false);
      await assert.rejects(downloads.acquire('Ada'), WorkspaceError);
      await sending.return(undefined);
      (await downloads.acquire('Ada'))();
    }
  });

  test('it is recorded before its first byte, each time, and rejected after a sign-out', async () => {
    const { userId } = owner.actor;
    const reported = () =>
      deps.store.reader.audit.page({
        ...{ workspaceId, kind: 'workspace', personId: null, since: null, until: null },
        ...{ order: 'oldest first', after: null, limit: 100 },
      });
    const before = (await reported()).length;
    const sending = begin();
    await sending.next();
    const row = (await reported()).slice(before).at(-1);
    assert.deepEqual(
      [row?.action, row?.createdAt, row?.targetName],
      ['workspace.export', now, owner.workspace.name],
    );
    await sending.return(undefined);
    await signOut(deps.store, { ...owner, scopedTo: null, grant: fullGrant });
    await assert.rejects(
      begin().next(),
      (error) => error instanceof WorkspaceError && error.code === 'unauthorized',
    );
    assert.equal((await reported()).length, before + 1);
    await signedIn(deps.store, userId);
  });

  test('one with missing bytes is incomplete, and an import rejects it', async () => {
    await rm(join(data, 'blobs'), { recursive: true });
    const chunks: Uint8Array[] = [];
    await assert.rejects(
      async () => {
        for await (const chunk of begin()) chunks.push(chunk);
      },
      (error) => error instanceof WorkspaceError && error.code === 'stored_bytes_missing',
    );
    const cut = join(folder, 'cut.tar');
    await writeFile(cut, Buffer.concat(chunks));
    await using other = await emptySqlite();
    const options = await makeAccounts(other.store);
    await assert.rejects(importExport(other, cut, options, said), RejectedExport);
    (await downloads.acquire('Ada'))();
  });
});

const privateText =
  'Other members have or had private items here, and an export would show them: ask the operator for one';
