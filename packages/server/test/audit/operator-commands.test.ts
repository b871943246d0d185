import assert from 'node:assert/strict';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import type { AuditEntry } from '@stoa/contract';
import { WorkspaceError } from '@stoa/core';
import { commands } from '../../src/admin/commands/index.ts';
import { listBackups, locationsIn, readManifest } from '../../src/backup/manifest.ts';
import { openObjectFolder } from '../../src/backup/object-folder.ts';
import { assemble } from '../../src/backup/put-back.ts';
import { openWorkspace } from '../../src/service/access.ts';
import { exportAudit, readAuditPage } from '../../src/service/audit/read-audit.ts';
import { forgetAudit } from '../../src/service/auditing/forget-audit.ts';
import { recordOperatorCommand } from '../../src/service/auditing/record-operator-command.ts';
import type { MetadataStore } from '../../src/service/ports/metadata-store.ts';
import { createWorkspace } from '../../src/service/workspaces/create-workspace.ts';
import { openInstallation } from '../admin/support/admin-process.ts';
import { signedIn } from '../support/signed-in.ts';

const server = await openInstallation();
after(() => server[Symbol.asyncDispose]());
const { service } = server.deps;
const owner = await signedIn(service.store, 'user_owner', 'Olga');
const { id: workspaceId } = await createWorkspace(service, owner, { name: 'Notes', icon: null, color: null });

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'stoa-audited-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

const run = async (args: readonly string[], input = '') => {
  const { code, out, err } = await server.admin(args, input);
  assert.deepEqual([code, err], [0, ''], args.join(' '));
  return out;
};

async function logged(...args: readonly string[]): Promise<readonly AuditEntry[]> {
  const out = await run(['audit', ...args]);
  return out === ''
    ? []
    : out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as AuditEntry);
}

/** The audit rows of commands that write them in their scripts. The user `person` is disabled before. */
const byScripts: Readonly<Record<string, readonly [actions: readonly string[], ...args: string[]]>> = {
  'user create': [['person.make'], '--email', 'bob@example.com', '--name', 'Bob', '--password-stdin'],
  'user set-password': [['password.set'], 'bob@example.com'],
  'user reset-link': [['reset-link.make'], 'bob@example.com'],
  'user end-sessions': [['session.end'], 'user_owner'],
  'workspace plan': [['workspace.plan'], workspaceId, 'unlimited'],
  'workspace lapse': [['workspace.lapse'], workspaceId],
  'workspace renew': [['workspace.renew'], workspaceId],
  'user disable': [['person.disable'], 'user_owner'],
  'user hand-over': [['workspace.hand-over'], 'user_owner', '--to', 'bob@example.com', '--yes'],
  'user enable': [['person.enable'], 'user_owner'],
  'user remove': [['person.disable', 'member.remove', 'person.remove'], 'user_owner', '--yes'],
};

/** Other tests check the rows of their scripts. */
const ofOtherTests = ['privacy reclaim', 'key revoke', 'import'];

test('every command that changes data by scripts leaves their rows, with the operator as actor', async () => {
  const named = commands.filter(({ audit }) => audit === 'by its scripts').map(({ name }) => name);
  assert.deepEqual(named.toSorted(), [...Object.keys(byScripts), ...ofOtherTests].toSorted());
  for (const [name, [actions, ...args]] of Object.entries(byScripts)) {
    const before = (await logged()).length;
    await run([...name.split(' '), ...args], 'a long password');
    const added = (await logged()).slice(before);
    assert.deepEqual(
      added.map(({ action }) => action),
      actions,
      name,
    );
    for (const { by, address } of added) {
      assert.deepEqual([by?.id, by?.name, address], ['operator', 'Operator', null]);
    }
  }
});

test('another command with changes is recorded before it begins', async () => {
  const before = (await logged()).length;
  await run(['contents', 'forget']);
  const [entry] = (await logged()).slice(before);
  assert.deepEqual(
    [entry?.action, entry?.target?.name, entry?.by?.id],
    ['operator.command', 'contents forget', 'operator'],
  );
});

test('a backup is recorded, and contains its own row', async () => {
  await using folder = await temporaryFolder();
  const directory = join(folder.path, 'backups');
  const before = (await logged()).length;
  await run(['backup', directory]);
  const [entry, ...more] = (await logged()).slice(before);
  assert.deepEqual(
    [entry?.action, entry?.target?.name, entry?.by?.id, entry?.details, more],
    ['operator.command', 'backup', 'operator', { operands: directory }, []],
  );
  const [name = ''] = await listBackups(directory);
  const { database } = await readManifest(directory, name);
  assert.ok(database.kind === 'sqlite');
  const copy = join(folder.path, 'copy.db');
  await assemble(openObjectFolder(locationsIn(directory).objects), database, copy);
  using backedUp = new DatabaseSync(copy, { readOnly: true });
  const last = backedUp.prepare('select id from audit_entry order by rowid desc limit 1').get();
  assert.equal(last?.id, entry?.id);
});

test('a backup without room in the database is made, and reports that it is not recorded', async () => {
  await using folder = await temporaryFolder();
  const full: MetadataStore = {
    ...service.store,
    transact: () => Promise.reject(new WorkspaceError('storage_full')),
  };
  const made = await server.admin(['backup', join(folder.path, 'backups')], '', full);
  assert.deepEqual(
    [made.code, made.err],
    [0, 'The database is full: this command is not in the audit log.\n'],
  );
  assert.match(made.out, /^Backup /);
  // An export gives all data away, so it never runs unrecorded.
  const file = join(folder.path, 'export.tar');
  assert.equal((await server.admin(['export', workspaceId, file], '', full)).code, 1);
  await assert.rejects(access(file));
});

test('an owner sees that the operator ran a command, but not its operands', async () => {
  const another = await signedIn(service.store, 'user_another', 'Ann');
  const { id } = await createWorkspace(service, another, { name: 'Plans', icon: null, color: null });
  await recordOperatorCommand(service, { name: 'export', operands: [id, '/srv/out/plans.tar'], about: id });
  const access = await openWorkspace(service, another, id);
  const filter = { kind: 'operator', personId: null, since: null, until: null } as const;
  const { entries } = await readAuditPage(service, access, filter, { cursor: null, limit: 10 });
  const lines = (await Array.fromAsync(exportAudit(service, access, filter))).flat();
  for (const read of [entries, lines]) {
    assert.deepEqual(
      read.map(({ targetName, details }) => [targetName, details]),
      [['export', '{}']],
    );
  }
  assert.deepEqual((await logged('--workspace', id)).at(-1)?.details, {
    operands: `${id} /srv/out/plans.tar`,
  });
});

test('entries of one millisecond are in the order of their commands', async () => {
  const [{ length: before }, at] = [await logged(), service.clock()];
  const still = { ...service, clock: () => at };
  const names = Array.from({ length: 20 }, (_, index) => `command ${index}`);
  for (const name of names) await recordOperatorCommand(still, { name, operands: [], about: null });
  const added = (await logged()).slice(before);
  assert.equal(new Set(added.map((entry) => entry.at)).size, 1);
  assert.deepEqual(
    added.map(({ target }) => target?.name),
    names,
  );
});

test('the log is printed for one workspace, one person or a time', async () => {
  const ofWorkspace = await logged('--workspace', workspaceId);
  assert.deepEqual([...new Set(ofWorkspace.map((entry) => entry.workspaceId))], [workspaceId]);
  assert.equal(ofWorkspace[0]?.action, 'workspace.make');
  const about = await logged('--person', 'user_owner');
  assert.ok(about.length > 0 && about.every(({ person, by }) => [person?.id, by?.id].includes('user_owner')));
  // The account is gone, and its name with it.
  assert.equal(about.at(-1)?.person?.name, '');
  assert.deepEqual(await logged('--since', '2999-01-01'), []);
  assert.deepEqual(await logged('--until', '2000-01-01'), []);
  assert.equal((await server.admin(['audit', '--workspace', 'none'])).code, 1);
  assert.equal((await server.admin(['audit', '--since', 'soon'])).code, 1);
});

test('rows are forgotten after the retention, and never with a retention of 0 days', async () => {
  const later = { ...service, clock: () => service.clock() + 10 * 24 * 60 * 60 * 1000 };
  const before = (await logged()).length;
  assert.deepEqual(await forgetAudit(later, 0), { forgotten: 0 });
  assert.deepEqual(await forgetAudit(later, 11), { forgotten: 0 });
  assert.deepEqual(await forgetAudit(later, 9), { forgotten: before });
  assert.deepEqual(await logged(), []);
});
