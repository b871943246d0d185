import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { storedRules } from '../../src/storage/queries/check-rules.ts';
import { sqliteDialect } from '../../src/storage/queries/query-dialect.ts';
import { migrate } from '../../src/storage/sqlite/migrate.ts';
import { openConnection } from '../../src/storage/sqlite/open-connection.ts';
import { type AskedStatement, statementsOf } from './support/rule-statements.ts';

describe('query plans of the rules of a check', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-rule-plans-'));
  const db = openConnection(join(folder, 'stoa.db'), 'write');
  migrate(db);
  after(() => {
    db.close();
    rmSync(folder, { recursive: true });
  });
  const planOf = ({ sql, values }: AskedStatement) =>
    db
      .prepare(`explain query plan ${sql}`)
      .all(...(values as number[]))
      .map(({ detail }) => String(detail));

  for (const rule of storedRules) {
    for (const part of rule.parts) {
      it(`${rule.name} seeks to a later page of ${part.over.table}`, async () => {
        const { end, page } = await statementsOf(part, sqliteDialect);
        const [seek, ...others] = planOf(end);
        assert.deepEqual(others, []);
        assert.match(seek ?? '', new RegExp(`^SEARCH ${part.over.table} USING .*>`));
        const steps = planOf(page);
        const sought = steps.filter((step) => step.startsWith(`SEARCH ${part.over.table} USING `));
        assert.ok(
          sought.some((step) => step.includes('>')),
          steps.join('\n'),
        );
        assert.deepEqual(wholeReads(steps), [], steps.join('\n'));
      });
    }
  }
});

/** The tables that are read from end to end: a page that was made for the statement is not among them. */
function wholeReads(steps: readonly string[]): readonly string[] {
  const pages = steps.flatMap((step) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(step)?.[1] ?? []);
  return steps
    .filter((step) => !/^SCAN (CONSTANT ROW|above)$/.test(step))
    .flatMap((step) => /^SCAN (\S+)/.exec(step)?.[1] ?? [])
    .filter((name) => {
      const made = pages.indexOf(name);
      if (made !== -1) pages.splice(made, 1);
      return made === -1;
    });
}
