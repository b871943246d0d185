import type { SecretReader, SecretWriter } from '../../service/ports/secrets.ts';
import type { Executor } from './executor.ts';
import { columns, compileQuery, type Placeholders, type StoredOf, type TableOf } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

const secret = columns<{ name: string; value: string; createdAt: number }>()('server_secret', {
  name: 'name',
  value: 'value',
  createdAt: 'created_at',
});

export type ServerSecretTable = TableOf<typeof secret>;

export type SecretQueries = ReturnType<typeof secretQueries>;

export function secretQueries({ db }: QueryDialect) {
  return {
    find: compileQuery(({ name }: Placeholders<{ name: string }>) =>
      db.selectFrom('server_secret').select('value').where('name', '=', name),
    ),
    keep: compileQuery((row: Placeholders<StoredOf<typeof secret>>) =>
      db
        .insertInto('server_secret')
        .values(secret.values(row))
        .onConflict((conflict) => conflict.column('name').doNothing()),
    ),
    forget: compileQuery(({ name }: Placeholders<{ name: string }>) =>
      db.deleteFrom('server_secret').where('name', '=', name),
    ),
  };
}

export function createSecretReader(executor: Executor, queries: SecretQueries): SecretReader {
  return {
    find: async (name) => (await queries.find.get(executor, { name }))?.value ?? null,
  };
}

export function createSecretWriter(executor: Executor, queries: SecretQueries): SecretWriter {
  return {
    async keepSecret(row) {
      await queries.keep.run(executor, row);
    },
    async forgetSecret(name) {
      await queries.forget.run(executor, { name });
    },
  };
}
