import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ContentHash, imageHashOf, imageIconOf, parseIcon, parseWorkspaceIcon } from '@stoa/core';

const hash = 'a'.repeat(64) as ContentHash;
const image = imageIconOf(hash);

test('an uploaded image differs from an emoji and from a name', () => {
  assert.equal(imageHashOf(image), hash);
  for (const icon of [
    null,
    '🦉',
    'rocket',
    'lucide:rocket',
    'image:owl',
    `image:${'A'.repeat(64)}`,
    `${image}0`,
  ]) {
    assert.equal(imageHashOf(icon), null, String(icon));
  }
});

test('emoji, names and nothing can be set', () => {
  for (const icon of [null, '🦉', '👩‍🚀', 'rocket', 'lucide:rocket']) {
    assert.equal(parseWorkspaceIcon(icon, image), icon);
  }
});

test('the image that is there can be sent back, another one cannot be named', () => {
  assert.equal(parseWorkspaceIcon(image, image), image);
  assert.throws(() => parseWorkspaceIcon(imageIconOf('b'.repeat(64) as ContentHash), image), {
    code: 'invalid_request',
  });
  assert.throws(() => parseWorkspaceIcon(image, null), { code: 'invalid_request' });
});

test('text that a client could run, load or treat as markup is not an icon', () => {
  for (const icon of [
    'javascript:alert(1)',
    'javascript:name',
    'VBScript:x',
    'data:x',
    '<svg onload=1>',
    'a b',
    '🦉<b>',
    '12 3',
    '"x"',
  ]) {
    assert.throws(() => parseWorkspaceIcon(icon, null), { code: 'invalid_request' }, icon);
    assert.throws(() => parseIcon(icon), { code: 'invalid_request' }, icon);
  }
  for (const icon of ['👍🏽', '🇫🇷', '1️⃣', '🗂', '❤️', 'file-text', 'FolderOpen', 'star_2', '7', '👩‍👩‍👧‍👦🎉']) {
    assert.equal(parseIcon(icon), icon);
  }
});

test('an address is rejected as an icon', () => {
  for (const icon of [
    'https://evil.example/pixel.png',
    '//evil.example',
    '/api/me',
    'a\\b',
    'data:image/png;a/b',
  ]) {
    assert.throws(() => parseWorkspaceIcon(icon, null), { code: 'invalid_request' }, icon);
  }
});
