import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isPasswordLength, passwordMaxCharacters, passwordMinCharacters } from '@stoa/core';

test('a password has from the least to the most characters', () => {
  const fits = (length: number) => isPasswordLength('x'.repeat(length));
  assert.deepEqual([passwordMinCharacters - 1, passwordMaxCharacters + 1].map(fits), [false, false]);
  assert.deepEqual([passwordMinCharacters, passwordMaxCharacters].map(fits), [true, true]);
  // An emoji is two units, for the app as for the server.
  assert.equal(isPasswordLength('😀'.repeat(passwordMinCharacters / 2)), true);
});

test('only core has the limits of people', async () => {
  const root = join(import.meta.dirname, '../../..');
  const own = /(?:password|[nN]ame|[eE]mail)M(?:ax|in)Characters =|\b8 to 128\b|at most 100 characters/;
  const found: string[] = [];
  for await (const file of glob('packages/*/src/**/*.{ts,tsx}', { cwd: root })) {
    if (own.test(await readFile(join(root, file), 'utf8'))) found.push(file);
  }
  assert.deepEqual(found, ['packages/core/src/limits.ts']);
});
