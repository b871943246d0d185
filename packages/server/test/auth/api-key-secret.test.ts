import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
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

test('a key ends with the CRC-32 of the rest, in base 62', () => {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const { secret } = issueApiKeySecret();
  const checksum = [...secret.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
  assert.equal(checksum, crc32(secret.slice(0, -6)));
});

test('a mistyped key is not found: it has another hash', () => {
  const { secret, secretHash } = issueApiKeySecret();
  const mistyped = secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0');
  assert.notEqual(hashApiKey(mistyped), secretHash);
});

test('text not shaped like a key is rejected without a look-up', () => {
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
