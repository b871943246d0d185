import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oddNames, plainNames } from '../../../../tests/support/odd-characters.ts';
import { visibleName, visibleText } from '../../src/http/pages/shell/visible-name.ts';

const textOf = (html: string) => html.replace(/<[^>]*>/g, '').replaceAll('&#38;', '&');

test('a page shows each odd character of a name, and names in any language as they are', () => {
  for (const [name, shown] of [...oddNames, ...plainNames.map((plain) => [plain, plain] as const)]) {
    assert.equal(textOf(visibleName(name)), shown);
    assert.equal(textOf(visibleText(name)), shown);
  }
  assert.equal(visibleName('a\u202e<b>'), '<bdi>a<span class="unseen">\\u{202E}</span>&#60;b&#62;</bdi>');
  assert.equal(visibleText(' a b'), '\\u{20}a b');
});
