import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysText, pressMatches } from '../../src/ui/keys.ts';

const press = (key: string, held: readonly ('ctrl' | 'meta' | 'alt' | 'shift')[] = []) => ({
  key,
  ctrlKey: held.includes('ctrl'),
  metaKey: held.includes('meta'),
  altKey: held.includes('alt'),
  shiftKey: held.includes('shift'),
});

test('Mod is Ctrl, and Command on a Mac', () => {
  assert.ok(pressMatches(press('k', ['ctrl']), 'Mod+K', false));
  assert.ok(!pressMatches(press('k', ['meta']), 'Mod+K', false));
  assert.ok(pressMatches(press('k', ['meta']), 'Mod+K', true));
  assert.ok(!pressMatches(press('k', ['ctrl']), 'Mod+K', true));
});

test('a letter with Shift is another key than without, a sign on a shifted key is not', () => {
  assert.ok(pressMatches(press('n'), 'n', false));
  assert.ok(!pressMatches(press('N', ['shift']), 'n', false));
  assert.ok(pressMatches(press('N', ['shift']), 'Shift+N', false));
  assert.ok(pressMatches(press('?', ['shift']), '?', false));
  assert.ok(pressMatches(press('ArrowUp', ['alt', 'shift']), 'Alt+Shift+ArrowUp', false));
  assert.ok(!pressMatches(press('ArrowUp', ['alt']), 'Alt+Shift+ArrowUp', false));
});

test('keys are shown as the keyboard names them', () => {
  assert.equal(keysText('Mod+Shift+K', false), 'Ctrl+Shift+K');
  assert.equal(keysText('Mod+Shift+K', true), '⌘⇧K');
  assert.equal(keysText('Alt+Shift+ArrowUp', false), 'Alt+Shift+↑');
  assert.equal(keysText('g h', true), 'g h');
});
