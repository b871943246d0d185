import assert from 'node:assert/strict';
import { askInPages } from '../../../src/storage/queries/check-pages.ts';
import type { RulePart } from '../../../src/storage/queries/check-rules.ts';
import type { Executor, SqlValue } from '../../../src/storage/queries/executor.ts';
import type { QueryDialect } from '../../../src/storage/queries/query-dialect.ts';

export interface AskedStatement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** The statements for the second of three pages: where it ends, and which rows break the rule. */
export async function statementsOf(
  part: RulePart,
  { pageRows = 1000, ...dialect }: QueryDialect & { readonly pageRows?: number },
): Promise<{ readonly end: AskedStatement; readonly page: AskedStatement }> {
  const asked: AskedStatement[] = [];
  const key = part.over.key.map((column) => (typeof column === 'string' ? column : column(dialect)));
  const endOfPage = Object.fromEntries(key.map((column) => [column, 1]));
  const executor: Pick<Executor, 'once' | 'breathe'> = {
    async once(sql, values) {
      asked.push({ sql, values });
      const isEnd = asked.length === 1 || asked.length === 3;
      return { rows: isEnd ? [endOfPage] : [], changedRows: 0 };
    },
    async breathe() {},
  };
  const pages = askInPages(executor as Executor, part, { pageRows, workspaceId: undefined, dialect });
  for await (const _ of pages) assert.ok(asked.length <= 6, 'three pages');
  const [, , end, page] = asked;
  assert.ok(end !== undefined && page !== undefined);
  return { end, page };
}
