import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assetName, rawFilePath, routableTarget } from '../../src/http/request/file-target.ts';

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

describe('the target of a page of the web app', () => {
  for (const [target, routed] of [
    ['/w/ws_1', '/w/-'],
    ['/w/ws_1/f/a/../%2e%2e/%ZZ', '/w/-'],
    ['/w/ws_1/d/x?view=list&month=%ZZ', '/w/-?view=list&month=%ZZ'],
    ['/w//', '/w/-'],
    ['/account/keys', '/account/-'],
    ['/invite/%ZZ', '/invite/-'],
    ['/assets/a-1.js', '/assets/-'],
    ['/assets/%2e%2e/index.html', '/assets/-'],
  ] as const) {
    it(`keeps ${target} from the router`, () => {
      assert.equal(routableTarget(target), routed);
      assert.equal(routableTarget(`http://h:1${target}`), routed);
    });
  }

  for (const target of ['/w', '/wx/y', '/account', '/invite/', '/invite/a/b', '/assets', '/W/x']) {
    it(`routes ${target} as it is`, () => assert.equal(routableTarget(target), target));
  }

  it('takes the name of an asset as it was sent', () => {
    assert.equal(assetName('/assets/a-1.js?x'), 'a-1.js');
    assert.equal(assetName('http://h:1/assets/%61'), '%61');
    assert.equal(assetName('/assets/'), '');
  });
});
