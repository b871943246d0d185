import type { SecretReader, SecretWriter } from '../../service/ports/secrets.ts';
import type { Executor } from './executor.ts';
import { compileQuery, type Placeholders } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

export type SecretQueries = ReturnType<typeof secretQueries>;

export function secretQueries({ db }: QueryDialect) {
  return {
    find: compileQuery(({ name }: Placeholders<{ name: string }>) =>
      db.selectFrom('server_secret').select('value').where('name', '=', name),
    ),
    keep: compileQuery((row: Placeholders<{ name: string; value: string; created_at: number }>) =>
      db
        .insertInto('server_secret')
        .values({ name: row.name, value: row.value, created_at: row.created_at })
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
    async keepSecret({ name, value, createdAt }) {
      await queries.keep.run(executor, { name, value, created_at: createdAt });
    },
    async forgetSecret(name) {
      await queries.forget.run(executor, { name });
    },
  };
}
