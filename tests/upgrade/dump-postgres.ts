import { openSession } from '../../packages/server/src/storage/postgres/open-session.ts';
import { postgresColumnTypes } from '../../packages/server/src/storage/schema/column-types.ts';
import { migrations } from '../../packages/server/src/storage/schema/migrations.ts';

/**
 * Dumps the database as SQL for any driver: the current statements of the migrations, then all rows but those of the
 * index of words. Tables are in the order of their creation, so that referenced rows come first.
 */
export async function dumpPostgres(url: string): Promise<string> {
  const statements = [
    'create table schema_migration (number bigint not null primary key, name text not null)',
    ...migrations.flatMap((migration) => migration.statements(postgresColumnTypes)),
  ];
  const tables = statements.flatMap((statement) => {
    const [, name] = /^\s*create table "?(\w+)"?/.exec(statement) ?? [];
    // Nodes rebuild the index of words.
    return name === undefined || name.startsWith('word_index') ? [] : [name];
  });
  const session = await openSession(url, 'read');
  try {
    const lines = statements.map((statement) => `${statement.replaceAll(/\s+/g, ' ').trim()};`);
    for (const table of tables) {
      const { rows: columns } = await session.once(
        "select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1 order by ordinal_position",
        [table],
      );
      const names = columns.map(({ name }) => `"${name}"`);
      const values = names.map((name) => `quote_nullable(${name}::text)`).join(` || ', ' || `);
      const { rows } = await session.once(`select ${values} as row from "${table}" order by 1`, []);
      for (const { row } of rows) lines.push(`insert into "${table}" (${names.join(', ')}) values (${row});`);
    }
    return `${lines.join('\n')}\n`;
  } finally {
    await session.close();
  }
}
