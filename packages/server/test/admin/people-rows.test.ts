import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type PostgresServer, startPostgres } from '../../../../tests/support/postgres.ts';
import { executeLibraryStatementScript } from '../../src/service/people/execute-library-statement.ts';
import { type Installation, openInstallation } from './support/admin-process.ts';

let server: PostgresServer;
before(async () => {
  server = await startPostgres();
});
after(() => server[Symbol.asyncDispose]());

const settingsOf: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>> = {
  SQLite: async () => ({}),
  PostgreSQL: async () => ({ STOA_DATABASE_URL: await server.createDatabase() }),
};

for (const [name, settings] of Object.entries(settingsOf)) {
  describe(`rows of people on ${name}`, () => {
    let installation: Installation;
    let made = 0;
    before(async () => {
      installation = await openInstallation(await settings());
    });
    after(() => installation[Symbol.asyncDispose]());
    const select = (sql: string) => installation.deps.service.store.reader.library.select(sql, []);
    const done = async (args: readonly string[], input = '') => {
      const { code, out, err } = await installation.admin([...args, '--json'], input);
      assert.deepEqual([code, err], [0, '']);
      return JSON.parse(out);
    };
    const newPerson = async (): Promise<string> => {
      made += 1;
      const args = ['user', 'create', '--email', `p${made}@example.com`, '--name', 'P', '--password-stdin'];
      return (await done(args, 'analytical engine')).user.id;
    };
    const addProvider = async (userId: string) => {
      const sql = `insert into "account" ("id", "accountId", "providerId", "userId", "createdAt", "updatedAt")
        values ('by_${userId}', 'sub_${userId}', 'oidc', '${userId}', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`;
      await installation.deps.service.store.transact(executeLibraryStatementScript, { sql, parameters: [] });
    };
    const signInsOf = async (userId: string) =>
      (await select(`select "providerId" as provider from "account" where "userId" = '${userId}'`))
        .map(({ provider }) => String(provider))
        .toSorted();

    test('disabling a user keeps their provider sign-ins, and removing a user deletes them', async () => {
      const [bob, ada] = [await newPerson(), await newPerson()];
      await addProvider(bob);
      await addProvider(ada);
      await done(['user', 'disable', bob]);
      assert.deepEqual(await signInsOf(bob), ['credential', 'oidc']);
      await done(['user', 'enable', bob]);
      await done(['user', 'remove', bob, '--yes']);
      assert.deepEqual(await signInsOf(bob), []);
      assert.deepEqual(await signInsOf(ada), ['credential', 'oidc']);
    });

    test('the audit log records a password link once when it is made and once when it is used', async () => {
      const bob = await newPerson();
      const { url } = await done(['user', 'reset-link', bob]);
      const reported = async () =>
        (
          await select(`select action, details from audit_entry where person_id = '${bob}'
            and action in ('reset-link.make', 'password.reset') order by created_at, action desc`)
        ).map(({ action, details }) => [String(action), Object.keys(JSON.parse(String(details)))]);
      assert.deepEqual(await reported(), [['reset-link.make', ['expiresAt']]]);
      const token = String(url).split('#')[1] ?? '';
      const reset = () =>
        installation.deps.auth.answer({
          method: 'POST',
          path: 'reset-password',
          query: '',
          body: { token, password: 'another horse' },
          ...{ cookie: null, userAgent: null, origin: null, secFetchSite: null, clientAddress: '10.9.0.1' },
        });
      await reset();
      await assert.rejects(reset(), { code: 'reset_link_gone' });
      assert.deepEqual(await reported(), [
        ['reset-link.make', ['expiresAt']],
        ['password.reset', ['sessions']],
      ]);
      const all = JSON.stringify(await select('select * from audit_entry'));
      assert.ok(!all.includes(token), 'no entry has the token');
    });
  });
}
