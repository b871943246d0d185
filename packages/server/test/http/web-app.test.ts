import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { chooseCoding } from '../../src/http/web-app/choose-coding.ts';
import { appUrlProblem } from '../../src/start/app-url-problem.ts';
import { type StartedServer, startedServer } from './support/started-server.ts';
import { type MadeBuild, makeWebBuild, pictureName, scriptName } from './support/web-build.ts';

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

const navigation = { 'sec-fetch-mode': 'navigate', accept: 'text/html' };

let build: MadeBuild;
let stoa: StartedServer;
before(async () => {
  build = await makeWebBuild();
  stoa = await startedServer({}, { web: build.directory });
});
after(async () => {
  await stoa[Symbol.asyncDispose]();
  await build[Symbol.asyncDispose]();
});

/** Sends the target unchanged, which `fetch` would not do. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET', on = stoa): Promise<Got> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: on.port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes,
          text: bytes.toString(),
        });
      });
    });
    asked.on('error', reject).end();
  });
}

describe('the document of the web app', () => {
  const pages = [
    '/',
    '/signin?next=/account',
    '/signup',
    '/invite/inv_token',
    '/invite/%ZZ',
    '/account',
    '/account/keys',
    '/w/ws_1',
    '/w/ws_1/d/notes?view=calendar&month=2026-11',
    '/w/ws_1/f/a/../../../etc/passwd',
    '/w/%2e%2e/%2e%2e/api/me',
    '/w/%ZZ/%00/%FF',
    '/w//\\<script>',
    '/w/ws_1/d/%E2%80%AEname?month=%ZZ',
  ];
  for (const page of pages) {
    it(`is served at ${page} without sign-in`, async () => {
      const { status, headers, text } = await get(page);
      assert.equal(status, 200);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.match(text, /^<!doctype html>/);
      const head = await get(page, {}, 'HEAD');
      assert.equal(head.status, 200);
      assert.equal(head.headers['content-length'], headers['content-length']);
      assert.equal(head.text, '');
    });
  }

  it('allows its own scripts by a nonce that no other response has', async () => {
    const responses = await Promise.all([get('/'), get('/'), get('/', { cookie: stoa.cookie })]);
    const nonces = responses.map(({ headers, text }) => {
      const policy = String(headers['content-security-policy']);
      const [, nonce = ''] = /script-src 'nonce-([\w-]{24})' 'strict-dynamic'/.exec(policy) ?? [];
      assert.equal(
        policy,
        `default-src 'none'; script-src 'nonce-${nonce}' 'strict-dynamic'; style-src 'self' 'nonce-${nonce}'; img-src 'self' blob: data:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; frame-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      );
      assert.equal(text.split(`nonce="${nonce}"`).length - 1, 2);
      assert.doesNotMatch(text, /\{\{/);
      return { nonce, rest: text.replaceAll(nonce, '') };
    });
    assert.equal(new Set(nonces.map(({ nonce }) => nonce)).size, responses.length);
    assert.equal(new Set(nonces.map(({ rest }) => rest)).size, 1, 'it is the same for everybody otherwise');
  });

  it('is neither cached nor framed, and sends no referrer', async () => {
    const { headers } = await get('/w/ws_1');
    for (const [name, value] of Object.entries({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-robots-tag': 'noindex',
    })) {
      assert.equal(headers[name], value, name);
    }
  });

  it('is served with status 404 to a browser at an unknown address', async () => {
    for (const headers of [navigation, { accept: 'text/html,*/*;q=0.8' }, { 'sec-fetch-mode': 'navigate' }]) {
      for (const path of [
        '/nothing',
        '/w',
        '/index.html',
        '/invite/',
        '/invite/a/b',
        '/signin/',
        '/assets',
      ]) {
        const response = await get(path, headers);
        assert.equal(response.status, 404, path);
        assert.match(response.text, /^<!doctype html>/, path);
        assert.match(String(response.headers['content-security-policy']), /strict-dynamic/);
      }
    }
  });

  it('is not served to programs, nor below /api and /s', async () => {
    for (const [path, headers] of [
      ['/nothing', {}],
      ['/nothing', { accept: '*/*' }],
      ['/nothing', { 'sec-fetch-mode': 'cors', accept: 'text/html' }],
      ['/api', navigation],
      ['/api/nothing', navigation],
      ['/s', navigation],
      ['/s/token/nothing', navigation],
    ] as const) {
      const { status, headers: got, text } = await get(path, headers);
      assert.equal(status, 404, path);
      assert.match(String(got['content-type']), /^application\/json/, path);
      assert.equal(JSON.parse(text).statusCode, 404);
    }
    assert.equal(
      (await get('/nothing', navigation, 'POST')).headers['content-type'],
      'application/json; charset=utf-8',
    );
  });

  it('accepts no other method', async () => {
    for (const path of ['/', '/w/ws_1', `/assets/${scriptName}`]) {
      const { status, headers } = await get(path, {}, 'POST');
      assert.equal(status, 405, path);
      assert.equal(headers.allow, 'GET, HEAD');
    }
  });
});

describe('an asset of the web app', () => {
  it('is cached for good, and only for this origin', async () => {
    const { status, headers, text } = await get(`/assets/${scriptName}`);
    assert.equal(status, 200);
    assert.equal(text, build.script);
    for (const [name, value] of Object.entries({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'content-security-policy': "default-src 'none'; script-src 'self'",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    })) {
      assert.equal(headers[name], value, name);
    }
    assert.equal(headers['content-encoding'], undefined);
  });

  it('is sent in the smallest encoding that the client accepts', async () => {
    for (const [accepted, coding, decode] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
      ['identity', undefined, (bytes: Buffer) => bytes],
    ] as const) {
      const { headers, bytes } = await get(`/assets/${scriptName}`, { 'accept-encoding': accepted });
      assert.equal(headers['content-encoding'], coding, accepted);
      assert.equal(headers['content-length'], String(bytes.length));
      assert.equal(decode(bytes).toString(), build.script);
      assert.equal(headers.vary, 'Accept-Encoding');
    }
  });

  it('that was too small to compress is sent as it is', async () => {
    const { headers, text } = await get(`/assets/${pictureName}?x`, { 'accept-encoding': 'br' });
    assert.equal(headers['content-type'], 'image/svg+xml');
    assert.equal(headers['content-encoding'], undefined);
    assert.match(text, /^<svg/);
  });

  it('responds to HEAD without its bytes', async () => {
    const { status, headers, text } = await get(`/assets/${scriptName}`, {}, 'HEAD');
    assert.equal(status, 200);
    assert.equal(headers['content-length'], String(build.script.length));
    assert.equal(text, '');
  });

  for (const path of [
    '/assets/',
    '/assets/nothing-B1c2D3e4.js',
    `/assets/${scriptName}.br`,
    `/assets/${scriptName}/`,
    `/assets/${scriptName.replace('i', '%69')}`,
    '/assets/../index.html',
    '/assets/%2e%2e/not-served.txt',
    '/assets/%ZZ',
    '/assets/__proto__',
  ]) {
    it(`${path} is not one: 404, and never the document`, async () => {
      const { status, headers, text } = await get(path, navigation);
      assert.equal(status, 404);
      assert.match(String(headers['content-type']), /^application\/json/);
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(JSON.parse(text).statusCode, 404);
    });
  }
});

it('without a build the interface works, and pages say how to make one', async () => {
  await using bare = await startedServer();
  assert.equal((await get('/api/health', {}, 'GET', bare)).status, 200);
  for (const [path, headers] of [
    ['/', {}],
    ['/w/ws_1', {}],
    ['/nothing', navigation],
  ] as const) {
    const { status, headers: got, text } = await get(path, headers, 'GET', bare);
    assert.equal(status, 503, path);
    assert.equal(got['content-type'], 'text/plain; charset=utf-8');
    assert.match(text, /^[^.]*`npm run build`[^.]*\.\n$/);
  }
  assert.equal((await get(`/assets/${scriptName}`, {}, 'GET', bare)).status, 404);
  assert.ok(bare.log.some((line) => line.includes('"level":"warn"') && line.includes('npm run build')));
});

it('an encoding is used when it is accepted by name or by *, and never when it is excluded', () => {
  for (const [accepted, chosen] of [
    [null, null],
    ['', null],
    ['*', 'br'],
    ['*;q=0', null],
    ['br;q=0, *', 'gzip'],
    ['BR', 'br'],
    ['gzip ; q=0.000, br ; q=0.001', 'br'],
    ['deflate', null],
    [',;,', null],
  ] as const) {
    assert.equal(chooseCoding(accepted, ['br', 'gzip']), chosen, String(accepted));
  }
});

it('a start reports an app address at which the app is not served', async () => {
  const at = (baseUrl: string, appUrl: string) => appUrlProblem({ baseUrl, appUrl });
  assert.equal(at('https://stoa.example.org', 'https://stoa.example.org'), null);
  assert.match(
    at('https://stoa.example.org', 'https://app.example.org') ?? '',
    /at https:\/\/stoa\.example\.org\//,
  );
  assert.match(at('http://127.0.0.1:4700', 'http://127.0.0.1:4700/app') ?? '', /STOA_APP_URL/);
  assert.match(at('https://example.org/stoa', 'https://example.org/stoa') ?? '', /https:\/\/example\.org\/:/);
  await using server = await startedServer({ STOA_APP_URL: 'http://127.0.0.1:1/app' });
  assert.ok(
    server.log.some((line) => line.includes('"level":"warn"') && line.includes('http://127.0.0.1:1/app')),
  );
});
