import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLargeBodySlots } from '../../src/http/mcp/large-body-slots.ts';

/** Whether the turn has come, once everything that could happen has happened. */
async function hasCome(turn: Promise<unknown>): Promise<boolean> {
  let come = false;
  void turn.then(() => {
    come = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return come;
}

test('a person whose messages are slow keeps nobody else waiting', async () => {
  const slots = createLargeBodySlots();
  await slots.take('ada');
  await slots.take('ada');
  assert.equal(await hasCome(slots.take('ada')), false);
  assert.equal(await hasCome(slots.take('grace')), true);
});

test('a turn that ends lets the next one begin', async () => {
  const slots = createLargeBodySlots();
  const end = await slots.take('ada');
  await slots.take('ada');
  const third = slots.take('ada');
  end();
  assert.equal(await hasCome(third), true);
});

test('all together hold a bounded number', async () => {
  const slots = createLargeBodySlots();
  const turns = Array.from({ length: 20 }, (_, person) => slots.take(`person ${person}`));
  const come = await Promise.all(turns.map(hasCome));
  assert.equal(come.filter(Boolean).length, 8);
});
