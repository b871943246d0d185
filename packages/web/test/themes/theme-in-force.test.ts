import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseThemePreference, themeInForce } from '../../src/themes/theme-in-force.ts';

test("the user's preference overrides the workspace's, which overrides the system's", () => {
  const facts = { preference: 'workspace', workspaceTheme: 'nord', systemIsDark: true } as const;
  assert.equal(themeInForce(facts), 'nord');
  assert.equal(themeInForce({ ...facts, preference: 'rose-pine' }), 'rose-pine');
  assert.equal(themeInForce({ ...facts, preference: 'system' }), 'dark');
  assert.equal(themeInForce({ ...facts, workspaceTheme: null }), 'dark');
  assert.equal(themeInForce({ ...facts, workspaceTheme: null, systemIsDark: false }), 'light');
});

test('without a valid preference, the workspace decides', () => {
  assert.equal(parseThemePreference('system'), 'system');
  assert.equal(parseThemePreference('service'), 'service');
  for (const text of [null, '', 'hotdog']) assert.equal(parseThemePreference(text), 'workspace');
});
