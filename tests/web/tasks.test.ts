import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStatus } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { integerAt, jsonOf } from '../support/response.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

test('ticking a task changes one character of the file and keeps other changes', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada Lovelace');
  const home = await createWorkspace(ada);
  const claude = home.as((await createKey(ada, { name: 'Claude' })).client);
  const before = '# Plan\r\n\r\n- [ ] buy chairs\r\n- [x] ask Ben\r\n';
  assertStatus(await home.put('plan.md', before, { ifNoneMatch: '*' }), 201);
  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${home.id}/f/plan.md`);
  const article = page.getByRole('article', { name: 'plan.md' });
  await article.getByRole('checkbox', { name: 'buy chairs' }).check();
  const ticked = before.replace('[ ]', '[x]');
  await untilText(ticked);

  // The page may not know this version yet when the next box is used.
  assertStatus(await claude.put('plan.md', `${ticked}- [ ] by an agent\r\n`, { ifMatch: 2 }), 200);
  await article.getByRole('checkbox', { name: 'ask Ben' }).uncheck();
  const both = `${ticked.replace('[x] ask', '[ ] ask')}- [ ] by an agent\r\n`;
  await untilText(both);
  await article.getByRole('checkbox', { name: 'by an agent' }).waitFor();
  const ops = (await home.changes()).map(({ op }) => op);
  assert.ok(!ops.includes('conflict'), ops.join());

  await page.goto(`/w/${home.id}/f/plan.md?v=1`);
  const old = page
    .getByRole('region', { name: 'Earlier version' })
    .getByRole('checkbox', { name: 'buy chairs' });
  assert.equal(await old.getAttribute('aria-disabled'), 'true');

  /** Reads the text after each change that the feed reports. */
  async function untilText(expected: string): Promise<void> {
    let seq = 0;
    for (let looks = 0; looks < 10; looks += 1) {
      if ((await home.get('plan.md')).bytes.toString() === expected) return;
      const page = jsonOf(await home.query('changes', { sinceSeq: seq, wait: 10 }));
      seq = integerAt(page, 'nextSeq');
    }
    assert.equal((await home.get('plan.md')).bytes.toString(), expected);
  }
});
