import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rawFilePath, routableTarget } from '../../src/http/request/file-target.ts';

describe('the target of a file request', () => {
  const base = '/api/workspaces/ws_1/files/';
  const paths = [
    'a.md',
    'a/../b',
    'a/%2e%2e/b',
    '%ZZ',
    'a//b',
    'a%2Fb',
    'x#y',
    'a;b',
    '',
    '%00',
    '..\\x',
    'files/z',
  ];
  for (const path of paths) {
    it(`keeps ${path || '(nothing)'} from the router and gives it back raw`, () => {
      assert.equal(routableTarget(base + path), `${base}-`);
      assert.equal(rawFilePath(base + path), path);
    });
  }

  it('leaves the query to the router and out of the path', () => {
    assert.equal(routableTarget(`${base}a?download=1`), `${base}-?download=1`);
    assert.equal(rawFilePath(`${base}a?download=1?x`), 'a');
  });

  it('understands a whole address, as clients of proxies send it', () => {
    assert.equal(routableTarget(`http://h:1${base}a/../b`), `${base}-`);
    assert.equal(rawFilePath(`http://h:1${base}a/../b`), 'a/../b');
    assert.equal(routableTarget('http://h:1/api/health'), '/api/health');
    assert.equal(routableTarget('http://h:1?x'), '/?x');
  });

  for (const target of ['/', '/api/health', '/api/workspaces/ws_1/files', '/api/workspaces//files/a', '*']) {
    it(`routes ${target} as it is`, () => {
      assert.equal(routableTarget(target), target.startsWith('/') ? target : `/${target}`);
    });
  }
});
