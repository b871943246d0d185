import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSecret, sealSecret } from '../../src/service/device/seal-secret.ts';

test('only the code that a secret was sealed for opens it', () => {
  const sealed = sealSecret('stoa_secret', 'the code');
  assert.equal(openSecret(sealed, 'the code'), 'stoa_secret');
  assert.throws(() => openSecret(sealed, 'another code'));
});

test('a sealed secret that was changed anywhere does not open', () => {
  const sealed = sealSecret('stoa_secret', 'the code');
  for (const at of sealed.keys()) {
    const changed = Uint8Array.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.throws(() => openSecret(changed, 'the code'), `byte ${at}`);
  }
  assert.throws(() => openSecret(sealed.subarray(0, 20), 'the code'));
});

test('sealed data does not show the secret, and is never the same twice', () => {
  const text = (sealed: Uint8Array) => Buffer.from(sealed).toString('latin1');
  const one = text(sealSecret('stoa_secret', 'the code'));
  assert.ok(!one.includes('secret'));
  assert.notEqual(one, text(sealSecret('stoa_secret', 'the code')));
});
