import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WorkspaceError } from '@stoa/core';
import { z } from 'zod';
import { queryParser } from '../../src/http/request/query-parser.ts';

/** A request as the framework gives it, and a schema that counts what it checks. */
function counted() {
  let checks = 0;
  const schema = z.object({ limit: z.string().optional() }).transform((value, context) => {
    checks += 1;
    if (value.limit === 'no number') context.addIssue({ code: 'custom', message: 'must be a number' });
    return { limit: Number(value.limit ?? 20) };
  });
  const parse = queryParser(schema);
  return {
    checks: () => checks,
    parse: (target: string) => {
      const query = Object.fromEntries(new URLSearchParams(target.replace(/^[^?#]*[?#]?/, '')));
      return parse({ raw: { url: target } as never, query });
    },
  };
}

describe('the query of a route', () => {
  it('is checked once for one text, whatever the path', () => {
    const { parse, checks } = counted();
    assert.deepEqual(parse('/a?limit=7'), { limit: 7 });
    assert.deepEqual(parse('/b?limit=7'), { limit: 7 });
    assert.deepEqual(parse('/b#limit=8'), { limit: 8 });
    assert.deepEqual([parse('/a'), parse('/b')], [{ limit: 20 }, { limit: 20 }]);
    assert.equal(checks(), 3);
  });

  it('is rejected every time it is wrong', () => {
    const { parse, checks } = counted();
    for (let times = 0; times < 2; times += 1)
      assert.throws(() => parse('/a?limit=no+number'), WorkspaceError);
    assert.equal(checks(), 2);
  });

  it('is shared by requests, so none can change it', () => {
    const { parse } = counted();
    const query = parse('/a?limit=7') as { limit: number };
    assert.throws(() => (query.limit = 8), TypeError);
    assert.deepEqual(parse('/a?limit=7'), { limit: 7 });
  });

  it('is not cached when it is long, and the cache is bounded', () => {
    const { parse, checks } = counted();
    const long = `/a?limit=7&other=${'x'.repeat(100)}`;
    for (const target of [long, long]) parse(target);
    assert.equal(checks(), 2);
    for (let limit = 0; limit <= 200; limit += 1) parse(`/a?limit=${limit}`);
    parse('/a?limit=0');
    assert.equal(checks(), 2 + 201 + 1);
  });
});
