import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileView } from '../../src/reading/file-view.ts';
import { resolveLink } from '../../src/reading/resolve-link.ts';

const links: readonly (readonly [href: string, expected: string])[] = [
  ['plan.md', 'workspace notes/a/plan.md'],
  ['./plan.md', 'workspace notes/a/plan.md'],
  ['../plan.md', 'workspace notes/plan.md'],
  ['../../plan.md#goals', 'workspace plan.md#goals'],
  ['/plan.md', 'workspace plan.md'],
  ['/', 'workspace '],
  ['..', 'workspace notes'],
  ['b/', 'workspace notes/a/b'],
  ['a%20b%23.md?raw=1', 'workspace notes/a/a b#.md'],
  ['#goals%20x', 'fragment goals x'],
  ['../../../up.md', 'nowhere'],
  ['%ff.md', 'nowhere'],
  ['%00.md', 'nowhere'],
  ['a%5cb.md', 'nowhere'],
  ['', 'nowhere'],
  ['javascript:x', 'nowhere'],
  ['data:text/html,x', 'nowhere'],
  ['file:///etc/passwd', 'nowhere'],
  ['https://e.example/a?b#c', 'elsewhere https://e.example/a?b#c e.example'],
  ['//e.example/a', 'elsewhere https://e.example/a e.example'],
  ['HTTP://E.example', 'elsewhere http://e.example/ e.example'],
  ['mailto:a@e.example', 'mail mailto:a@e.example'],
];

for (const [href, expected] of links) {
  test(`${JSON.stringify(href)} in notes/a/x.md leads to ${expected}`, () => {
    const target = resolveLink('notes/a/x.md', href);
    switch (target.kind) {
      case 'workspace':
        return assert.equal(
          `workspace ${target.path}${target.fragment === null ? '' : `#${target.fragment}`}`,
          expected,
        );
      case 'fragment':
        return assert.equal(`fragment ${target.fragment}`, expected);
      case 'elsewhere':
        return assert.equal(`elsewhere ${target.href} ${target.host}`, expected);
      case 'mail':
        return assert.equal(`mail ${target.href}`, expected);
      case 'nowhere':
        return assert.equal('nowhere', expected);
    }
  });
}

test('a file is shown by its type and size', () => {
  const view = (path: string, contentType: string, sizeBytes = 10) =>
    fileView({ path, contentType, sizeBytes }).kind;
  assert.equal(view('a.md', 'text/markdown'), 'markdown');
  assert.equal(view('a.md', 'text/markdown', 2 * 1024 * 1024 + 1), 'source');
  assert.equal(view('a.md', 'text/markdown', 6 * 1024 * 1024), 'none');
  assert.equal(view('a.csv', 'text/csv; charset=utf-8'), 'csv');
  assert.equal(view('a.svg', 'image/svg+xml'), 'picture');
  assert.equal(view('a.tiff', 'image/tiff'), 'none');
  assert.equal(view('a.html', 'TEXT/HTML'), 'html');
  assert.equal(view('a.pdf', 'application/pdf', 50_000_001), 'none');
  assert.equal(view('a.mp4', 'video/mp4'), 'none');
  assert.equal(view('a', 'application/octet-stream'), 'source');
});
