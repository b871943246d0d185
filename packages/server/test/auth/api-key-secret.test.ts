import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { hashApiKey, issueApiKeySecret } from '../../src/service/keys/api-key-secret.ts';

test('a new key is found again by its hash, which is the SHA-256 of the whole key', () => {
  const { secret, secretHash } = issueApiKeySecret();
  assert.equal(hashApiKey(secret), secretHash);
  assert.equal(secretHash, createHash('sha256').update(secret).digest('hex'));
});

test('a key is letters and digits after its prefix, and shows only four of them in a list', () => {
  const { secret, start } = issueApiKeySecret();
  assert.match(secret, /^stoa_[0-9A-Za-z]{49}$/);
  assert.equal(start.length, 9);
  assert.ok(secret.startsWith(start));
});

test('no two keys are alike', () => {
  const secrets = new Set(Array.from({ length: 1000 }, () => issueApiKeySecret().secret));
  assert.equal(secrets.size, 1000);
});

test('one mistyped character is noticed without a look-up', () => {
  const { secret } = issueApiKeySecret();
  const character = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
  fc.assert(
    fc.property(fc.nat(secret.length - 1), character, (at, other) => {
      fc.pre(secret[at] !== other);
      assert.equal(hashApiKey(secret.slice(0, at) + other + secret.slice(at + 1)), null);
    }),
  );
});

test('what is not shaped like a key is noticed without a look-up', () => {
  const { secret } = issueApiKeySecret();
  const wrong = [
    '',
    'x',
    secret.slice(0, -1),
    `${secret}0`,
    ` ${secret}`,
    `${secret}\n`,
    secret.slice(5),
    `${secret}, ${secret}`,
  ];
  for (const presented of wrong) assert.equal(hashApiKey(presented), null, JSON.stringify(presented));
});
