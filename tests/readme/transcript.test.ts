import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesPrinted, parseTranscript } from './transcript.ts';

test('reads a transcript command by command, each with its output', () => {
  const page = [
    'Text.',
    '```console',
    '$ one \\',
    '>   more',
    'printed',
    '> also printed',
    '$ two',
    '```',
    '```sh',
    '$ not this',
    '```',
  ];
  assert.deepEqual(parseTranscript(page.join('\n')), [
    { command: 'one \\\n  more', printed: 'printed\n> also printed', line: 3 },
    { command: 'two', printed: '', line: 7 },
  ]);
});

test('the output must match the page except for its placeholders', () => {
  assert.ok(matchesPrinted('{"version":2}', '{"version":2}', new Map()));
  assert.ok(matchesPrinted('{"id":"<id>","at":"…"}', '{"id":"ws_1","at":"today, noon"}', new Map()));
  assert.ok(!matchesPrinted('{"version":2}', '{"version":3}', new Map()));
  assert.ok(!matchesPrinted('', 'something', new Map()));
  assert.ok(!matchesPrinted('one', 'one\ntwo', new Map()));
  assert.ok(!matchesPrinted('a … b', 'a\nb', new Map()));
  assert.ok(!matchesPrinted('"<id>"', '"two words"', new Map()));
});

test('a value keeps its name through the whole page', () => {
  const bindings = new Map<string, string>();
  assert.ok(matchesPrinted('<id> and <id>', 'x.1 and x.1', bindings));
  assert.ok(matchesPrinted('again <id>', 'again x.1', bindings));
  assert.ok(!matchesPrinted('again <id>', 'again xy1', bindings));
  assert.ok(!matchesPrinted('<other> and <other>', 'x and y', new Map()));
});
