import assert from 'node:assert/strict';
import { test } from 'node:test';
import { helpText } from '../../src/admin/help-text.ts';
import { parseCommandLine } from '../../src/admin/parse-command-line.ts';

test('a command is found by its two words, and gets its values and options', () => {
  const line = parseCommandLine(['user', 'create', '--email', 'a@example.com', '--name=Ada', '--json']);
  assert.equal(line.kind, 'run');
  if (line.kind !== 'run') return;
  assert.equal(line.command.name, 'user create');
  assert.equal(line.json, true);
  assert.deepEqual({ ...line.options }, { email: 'a@example.com', name: 'Ada' });
});

test('an invalid command line says why, and which help to read', () => {
  const wrong: [string[], RegExp][] = [
    [['workspace', 'destroy'], /^no command "workspace destroy"; `npm run admin -- --help`/],
    [['user'], /^no command "user"/],
    [['user', 'create', '--name', 'Ada'], /^--email is missing; `npm run admin -- user create --help`/],
    [['user', 'create', '--email'], /--email/],
    [['user', 'list', '--verbose'], /--verbose/],
    [['workspace', 'lapse'], /^<workspaceId> is missing/],
    [['workspace', 'plan', 'ws_1'], /^<planId> is missing/],
    [['workspace', 'lapse', 'ws_1', 'ws_2'], /^"ws_2" is a surplus value/],
  ];
  for (const [args, message] of wrong) {
    assert.throws(() => parseCommandLine(args), { name: 'UsageError', message }, args.join(' '));
  }
});

test('help names every command, and each command shows its usage', () => {
  const overview = parseCommandLine([]);
  assert.deepEqual(overview, { kind: 'help', command: null });
  const names = [
    'user create',
    'user list',
    'workspace list',
    'workspace lapse',
    'workspace renew',
    'workspace plan',
    'key revoke',
  ];
  for (const name of names) {
    assert.match(helpText(null), new RegExp(`^  ${name} `, 'm'));
    const line = parseCommandLine([...name.split(' '), '--help']);
    assert.equal(line.kind, 'help');
    if (line.kind !== 'help') return;
    assert.match(helpText(line.command), new RegExp(`^Usage: npm run admin -- ${name}`, 'm'));
  }
  for (const words of [['backup', 'prune'], ['check'], []]) {
    assert.deepEqual(parseCommandLine(['help', ...words]), parseCommandLine([...words, '--help']));
  }
  assert.match(helpText(null), /Exit codes: 0 success, 1 failure, 2 invalid command line/);
});
