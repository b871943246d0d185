import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attachmentNamed, isActiveType } from '../../src/http/routes/files/readable-response.ts';

describe('the name of a download', () => {
  const cases: readonly [name: string, header: string][] = [
    ['plan.md', 'attachment; filename="plan.md"'],
    ['a b.txt', 'attachment; filename="a b.txt"'],
    ['na"me.md', `attachment; filename="na_me.md"; filename*=UTF-8''na%22me.md`],
    ['Füße 100%.txt', `attachment; filename="F__e 100_.txt"; filename*=UTF-8''F%C3%BC%C3%9Fe%20100%25.txt`],
    ["it's (1)*.txt", `attachment; filename="it's (1)*.txt"`],
    ["é's (1)*", `attachment; filename="_'s (1)*"; filename*=UTF-8''%C3%A9%27s%20%281%29%2A`],
    ['🎉', `attachment; filename="__"; filename*=UTF-8''%F0%9F%8E%89`],
  ];
  for (const [name, header] of cases) {
    it(`${name} survives the header`, () => {
      assert.equal(attachmentNamed(name), header);
      assert.match(attachmentNamed(name), /^[\x20-\x7e]+$/);
    });
  }
});

describe('types that could act in a browser', () => {
  for (const type of [
    'text/html',
    'TEXT/HTML; charset=utf-8',
    'image/svg+xml',
    'application/xhtml+xml',
    'text/xml',
  ]) {
    it(`${type} is only sent as a download`, () => assert.equal(isActiveType(type), true));
  }
  for (const type of ['text/javascript', 'text/css', 'application/pdf', 'x/unheard-of', '']) {
    it(`${type || '(empty)'} is only sent as a download`, () => assert.equal(isActiveType(type), true));
  }
  for (const type of [
    'text/plain',
    'text/markdown; charset=utf-8',
    'image/png',
    'application/json',
    'video/mp4',
  ]) {
    it(`${type} may be shown`, () => assert.equal(isActiveType(type), false));
  }
});
