/**
 * Agents have read these texts, so a change must be deliberate. The pinned form is in `tools-pinned.test.ts.snapshot`.
 * To change it:
 *
 *   npx -c 'node --test --test-update-snapshots packages/contract/test/tools-pinned.test.ts'
 *
 * and review the difference in the commit.
 */
import { snapshot, test } from 'node:test';
import { extendedInstructions, instructions, publishTools } from '@stoa/contract';

const asJson = (value: unknown) => JSON.stringify(value, null, 2);
snapshot.setDefaultSnapshotSerializers([(value) => (typeof value === 'string' ? value : asJson(value))]);

test('the tools of an account-wide key are the pinned ones', (t) => {
  t.assert.snapshot(publishTools('account-wide'));
});

test('the tools of a scoped key are the pinned ones', (t) => {
  t.assert.snapshot(publishTools('scoped'));
});

for (const set of ['extended', 'files'] as const) {
  test(`the tools of the ${set} set are the pinned ones`, (t) => {
    t.assert.snapshot(publishTools('scoped', set));
  });
}

test('the instructions of the extended set are the pinned ones', (t) => {
  t.assert.snapshot(extendedInstructions);
});

test('the instructions are the pinned ones', (t) => {
  t.assert.snapshot(instructions);
});
