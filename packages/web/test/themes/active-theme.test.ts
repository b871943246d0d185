import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activeTheme, parseThemePreference } from '../../src/themes/active-theme.ts';

test("the user's preference overrides the workspace's, which overrides the system's", () => {
  const facts = { preference: 'workspace', workspaceTheme: 'nord', systemIsDark: true } as const;
  assert.equal(activeTheme(facts), 'nord');
  assert.equal(activeTheme({ ...facts, preference: 'rose-pine' }), 'rose-pine');
  assert.equal(activeTheme({ ...facts, preference: 'system' }), 'dark');
  assert.equal(activeTheme({ ...facts, workspaceTheme: null }), 'dark');
  assert.equal(activeTheme({ ...facts, workspaceTheme: null, systemIsDark: false }), 'light');
});

test('without a valid preference, the workspace decides', () => {
  assert.equal(parseThemePreference('system'), 'system');
  assert.equal(parseThemePreference('service'), 'service');
  for (const text of [null, '', 'hotdog']) assert.equal(parseThemePreference(text), 'workspace');
});
