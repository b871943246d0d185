import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { rawConnection } from './support/raw-connection.ts';
import { type StartedServer, startedServer } from './support/started-server.ts';

const text = 'The quick brown fox';
const large = Buffer.alloc(300_000, 'abcdefghij');

let stoa: StartedServer;
before(async () => {
  stoa = await startedServer();
  const put = (path: string, body: string | Buffer) =>
    stoa.call(stoa.at(`files/${path}`), { method: 'PUT', body: Buffer.from(body) });
  assert.equal((await put('a.md', text)).status, 201);
  assert.equal((await put('page.html', '<script>alert(1)</script>')).status, 201);
  assert.equal((await put('large.bin', large)).status, 201);
  assert.equal((await put('F%C3%BC%C3%9Fe.txt', 'x')).status, 201);
});
after(() => stoa[Symbol.asyncDispose]());

const get = (path: string, headers: Record<string, string> = {}) =>
  stoa.call(stoa.at(`files/${path}`), { headers });

describe('reading a file', () => {
  it('returns its version, hash and type', async () => {
    const response = await get('a.md');
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('x-service-version'), '1');
    assert.equal(response.headers.get('etag'), '"1"');
    assert.equal(
      response.headers.get('x-service-content-hash'),
      createHash('sha256').update(text).digest('hex'),
    );
    assert.equal(response.headers.get('content-type'), 'text/markdown');
    assert.equal(response.headers.get('content-length'), String(text.length));
    assert.equal(response.headers.get('content-disposition'), null);
    assert.equal(await response.text(), text);
  });

  it('never lets its bytes run in a browser', async () => {
    const { headers } = await get('page.html');
    assert.equal(headers.get('content-type'), 'text/html');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox");
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
    assert.equal(headers.get('cache-control'), 'private, no-store');
    assert.equal(headers.get('content-disposition'), 'attachment; filename="page.html"');
  });

  for (const destination of ['script', 'worker', 'serviceworker', 'style', 'object', 'embed']) {
    it(`is rejected when a browser requests it as ${destination}`, async () => {
      assert.equal((await get('a.md', { 'sec-fetch-dest': destination })).status, 403);
    });
  }

  it('download=1 makes it an attachment under its own name', async () => {
    const response = await get('F%C3%BC%C3%9Fe.txt?download=1');
    const name = `attachment; filename="F__e.txt"; filename*=UTF-8''F%C3%BC%C3%9Fe.txt`;
    assert.equal(response.headers.get('content-disposition'), name);
  });

  it('304 when the caller has the current version', async () => {
    for (const sent of ['1', '"1"', 'W/"1"', '"0", "1"']) {
      const response = await get('a.md', { 'if-none-match': sent });
      assert.equal(response.status, 304);
      assert.equal(response.headers.get('x-service-version'), '1');
      assert.equal(await response.text(), '');
    }
    assert.equal((await get('a.md', { 'if-none-match': '2' })).status, 200);
  });

  it('HEAD returns only the headers', async () => {
    const response = await stoa.call(stoa.at('files/a.md'), { method: 'HEAD' });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-length'), String(text.length));
    assert.equal(response.headers.get('x-service-version'), '1');
    assert.equal(await response.text(), '');
  });

  for (const path of ['a.md', 'large.bin']) {
    it(`a range of ${path} returns just those bytes`, async () => {
      const whole = path === 'a.md' ? Buffer.from(text) : large;
      const response = await get(path, { range: 'bytes=4-8' });
      assert.equal(response.status, 206);
      assert.equal(response.headers.get('content-range'), `bytes 4-8/${whole.length}`);
      assert.equal(response.headers.get('content-length'), '5');
      assert.equal(await response.text(), whole.subarray(4, 9).toString());
    });
  }

  it('a range outside is 416 with the size', async () => {
    const response = await get('a.md', { range: 'bytes=500-' });
    assert.equal(response.status, 416);
    assert.equal(response.headers.get('content-range'), `bytes */${text.length}`);
    assert.equal(((await response.json()) as { statusCode: number }).statusCode, 416);
  });

  it('a range of an outdated version is sent whole', async () => {
    assert.equal((await get('a.md', { range: 'bytes=0-1', 'if-range': '"2"' })).status, 200);
  });

  it('large files come back whole', async () => {
    const response = await get('large.bin');
    assert.equal(response.headers.get('content-length'), String(large.length));
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), large);
  });
});

describe('listing', () => {
  it('a long list is streamed and is one valid JSON document', async () => {
    const longName = 'n'.repeat(180);
    for (let i = 0; i < 500; i += 1) {
      const path = `many/${longName}-${String(i).padStart(4, '0')}.txt`;
      await stoa.call(stoa.at(`files/${path}`), { method: 'PUT', body: 'x' });
    }
    const response = await stoa.call(stoa.at('list?prefix=many/'));
    const list = (await response.json()) as { entries: { path: string }[]; nextCursor: null };
    assert.equal(response.headers.get('content-length'), null);
    assert.equal(list.entries.length, 500);
    assert.equal(list.entries[499]?.path, `many/${longName}-0499.txt`);
    assert.equal(list.nextCursor, null);
  });

  it('a short list is sent with its length', async () => {
    const response = await stoa.call(stoa.at('list?prefix=a.md'));
    assert.ok(Number(response.headers.get('content-length')) > 0);
    assert.deepEqual(await response.json(), {
      entries: [{ path: 'a.md', size: text.length, contentType: 'text/markdown', version: 1 }],
      icons: {},
      orders: {},
      privatePaths: [],
      nextCursor: null,
    });
  });
});

/** Sends requests one after the other on one connection, without waiting for a response. */
async function pipelined(requests: readonly string[]): Promise<readonly RawResponse[]> {
  const connection = rawConnection(stoa.port);
  const last = requests.length - 1;
  connection.send(
    requests
      .map((request, index) => {
        const [head = '', body = ''] = request.split('\n\n');
        const length = body === '' ? '' : `\nContent-Length: ${body.length}`;
        const closing = index === last ? '\nConnection: close' : '';
        return `${`${head}\nHost: localhost${length}${closing}`.replaceAll('\n', '\r\n')}\r\n\r\n${body}`;
      })
      .join(''),
  );
  let text = await connection.closed();
  const responses = requests.map((request) => {
    const headEnd = text.indexOf('\r\n\r\n');
    assert.notEqual(headEnd, -1, `no response to ${request}`);
    const head = text.slice(0, headEnd);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? assert.fail(head));
    const hasBody = !request.startsWith('HEAD ') && status !== 204 && status !== 304;
    const length = hasBody ? Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? assert.fail(head)) : 0;
    const body = text.slice(headEnd + 4, headEnd + 4 + length);
    text = text.slice(headEnd + 4 + length);
    return { status, head, body };
  });
  assert.equal(text, '', 'more bytes follow the last response');
  return responses;
}

interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

describe('requests one behind the other on one connection', () => {
  const keyed = (request: string) => `${request}\nX-API-Key: ${stoa.apiKey}`;
  const ofFile = (method: string, path: string, more = '') =>
    keyed(`${method} ${stoa.at(`files/${path}`)} HTTP/1.1${more}`);

  it('each get one response in order, whatever the outcome of each', async () => {
    const kinds: readonly (readonly [request: () => string, status: number, body: string | RegExp])[] = [
      [() => ofFile('GET', 'a.md'), 200, text],
      [() => ofFile('GET', 'a.md', '\nIf-None-Match: "1"'), 304, ''],
      [() => ofFile('GET', 'large.bin'), 200, large.toString('latin1')],
      [() => ofFile('HEAD', 'a.md'), 200, ''],
      [() => ofFile('GET', 'none.md'), 404, /"statusCode":404/],
      [() => ofFile('PATCH', 'a.md'), 405, /"statusCode":405/],
      [() => `GET ${stoa.at('files/a.md')} HTTP/1.1`, 401, /"statusCode":401/],
      [() => keyed(`GET ${stoa.at('changes?sinceSeq=0')} HTTP/1.1`), 200, /"changes":\[/],
      [() => ofFile('GET', 'a.md', '\nRange: bytes=4-8'), 206, 'quick'],
      [() => 'GET /api/nothing HTTP/1.1', 404, /"statusCode":404/],
    ];
    // More requests than responses that go out together.
    const asked = [...kinds, ...kinds.toReversed(), ...kinds];
    const responses = await pipelined(asked.map(([request]) => request()));
    for (const [index, [request, status, body]] of asked.entries()) {
      const response = responses[index] ?? assert.fail();
      assert.equal(response.status, status, `${index}: ${request()}`);
      if (typeof body === 'string') assert.ok(response.body === body, `${index}: ${request()}`);
      else assert.match(response.body, body);
    }
  });

  it('see the effect of a change before them', async () => {
    const responses = await pipelined([
      `${ofFile('PUT', 'behind.md', '\nIf-None-Match: *')}\n\nfirst`,
      ofFile('GET', 'behind.md'),
      ofFile('DELETE', 'behind.md', '\nIf-Match: "1"'),
      ofFile('GET', 'behind.md'),
    ]);
    assert.deepEqual(
      responses.map(({ status, body }) => (status === 200 ? body : status)),
      [201, 'first', 204, 404],
    );
  });

  it('may be many behind one change, without a log line', async (t) => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    t.after(() => process.off('warning', note));
    const reads = Array.from({ length: 20 }, () => ofFile('GET', 'many.md'));
    const responses = await pipelined([`${ofFile('PUT', 'many.md')}\n\nfirst`, ...reads]);
    assert.deepEqual(new Set(responses.slice(1).map(({ body }) => body)), new Set(['first']));
    assert.deepEqual(warnings, []);
  });

  it('fail with a key that is revoked before them', async () => {
    const made = await fetch(`${stoa.url}/api/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: stoa.cookie },
      body: JSON.stringify({ name: 'Revoked' }),
    });
    const { id, key } = (await made.json()) as { id: string; key: string };
    const withIt = `GET ${stoa.at('files/a.md')} HTTP/1.1\nX-API-Key: ${key}`;
    const revoked = `DELETE /api/keys/${id} HTTP/1.1\nCookie: ${stoa.cookie}\nOrigin: ${stoa.url}`;
    const responses = await pipelined([withIt, revoked, withIt, withIt]);
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 401, 401],
    );
  });
});
