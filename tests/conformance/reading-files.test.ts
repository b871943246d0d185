import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertFile, assertStatus, sha256 } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { type HttpResponse, headerOf, jsonOf } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const robot = await createKey(ada);
const files = await createWorkspace(ada, robot.client);
await files.put('notes/plan.md', 'first');
await files.put('notes/plan.md', 'second', { ifMatch: 1 });

for (const size of [1, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 3_000_000]) {
  test(
    ...claims(['files.read.bytes', 'files.read.hash-header'], `${size} bytes come back as they were written`),
    async () => {
      const body = randomBytes(size);
      assertStatus(await files.put(`sizes/${size}.bin`, body), 201);
      const response = await files.get(`sizes/${size}.bin`);
      assertStatus(response, 200);
      assert.equal(response.bytes.length, size);
      assert.equal(sha256(response.bytes), sha256(body));
      assert.equal(headerOf(response, 'x-service-content-hash'), sha256(body));
      assert.equal(headerOf(response, 'content-length'), String(size));
    },
  );
}

test(...claims('files.read.bytes', 'line ends, a byte order mark and stray bytes survive'), async () => {
  const body = Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a, 0x00, 0xff, 0xfe, 0xc3, 0x28, 0x0a]);
  await files.put('odd.txt', body, { contentType: 'text/plain; charset=utf-8' });
  await assertFile(files, 'odd.txt', body, 1);
});

test(
  ...claims(
    ['files.read.version-header', 'files.read.etag', 'files.read.content-type'],
    'a read says which version it is and what type',
  ),
  async () => {
    const response = await files.get('notes/plan.md');
    assertStatus(response, 200);
    assert.equal(response.bytes.toString(), 'second');
    assert.equal(headerOf(response, 'x-service-version'), '2');
    assert.equal(headerOf(response, 'etag'), '"2"');
    assert.match(headerOf(response, 'content-type') ?? '', /^text\/markdown\b/);
  },
);

for (const form of ['2', '"2"', 'W/"2"', '"1", "2"', '1, 2', 'W/"7",W/"2"']) {
  test(
    ...claims(
      ['files.read.not-modified', 'files.read.not-modified-forms'],
      `a reader that has the file and sends If-None-Match ${form} gets no bytes`,
    ),
    async () => {
      const response = await files.get('notes/plan.md', { headers: { 'if-none-match': form } });
      assertStatus(response, 304);
      assert.equal(response.bytes.length, 0);
    },
  );
}

for (const form of ['1', '"3"', 'W/"1"', '"1", "3"']) {
  test(
    ...claims('files.read.not-modified-stale', `a reader with an older copy (${form}) gets the bytes`),
    async () => {
      const response = await files.get('notes/plan.md', { headers: { 'if-none-match': form } });
      assertStatus(response, 200);
      assert.equal(response.bytes.toString(), 'second');
    },
  );
}

for (const form of ['two', '"', '2.0', '-2', '""', 'W/', '"2']) {
  test(
    ...claims('files.read.not-modified-unreadable', `an If-None-Match of ${form} is ignored`),
    async () => {
      const response = await files.get('notes/plan.md', { headers: { 'if-none-match': form } });
      assertStatus(response, 200);
      assert.equal(response.bytes.toString(), 'second');
    },
  );
}

test(...claims('files.read.download', 'a download comes as an attachment'), async () => {
  const response = await files.send('GET', '/files/notes/plan.md?download=1');
  assertStatus(response, 200);
  assert.match(headerOf(response, 'content-disposition') ?? '', /^attachment\b/);
  const name = await files
    .put('für „alle“.md', 'x')
    .then(() => files.send('GET', `/files/${encodeURIComponent('für „alle“.md')}?download=1`));
  assertStatus(name, 200);
  assert.match(headerOf(name, 'content-disposition') ?? '', /^attachment\b/);
});

test(...claims(['files.read.absent', 'errors.body'], 'a file that is not there is not found'), async () => {
  assertRejection(await files.get('notes/none.md'), 404);
  assertRejection(await files.send('GET', '/files/notes/none.md?download=1'), 404);
  assertRejection(await files.get('notes/plan.md/below'), 404);
});

test(...claims('files.read.folder', 'a folder is not a file'), async () => {
  assertRejection(await files.get('notes'), 404);
});

test(...claims('files.read.head', 'a HEAD request gives the same headers without the bytes'), async () => {
  const get = await files.get('notes/plan.md');
  const head = await files.send('HEAD', '/files/notes/plan.md');
  assertStatus(head, 200);
  assert.equal(head.bytes.length, 0);
  for (const name of [
    'x-service-version',
    'etag',
    'x-service-content-hash',
    'content-type',
    'content-length',
  ]) {
    assert.equal(headerOf(head, name), headerOf(get, name), name);
  }
  assertStatus(await files.send('HEAD', '/files/notes/none.md'), 404);
});

for (const [range, content, contentRange] of [
  ['bytes=0-1', 'se', 'bytes 0-1/6'],
  ['bytes=2-', 'cond', 'bytes 2-5/6'],
  ['bytes=-3', 'ond', 'bytes 3-5/6'],
  ['bytes=4-999', 'nd', 'bytes 4-5/6'],
] as const) {
  test(...claims('files.read.range', `a part of a file (${range}) can be read`), async () => {
    const response = await files.get('notes/plan.md', { headers: { range } });
    assertStatus(response, 206);
    assert.equal(response.bytes.toString(), content);
    assert.equal(headerOf(response, 'content-range'), contentRange);
    assert.equal(headerOf(response, 'x-service-version'), '2');
  });
}

test(...claims('files.read.range', 'a part of a large file can be read'), async () => {
  const body = randomBytes(300_000);
  await files.put('large.bin', body);
  const response = await files.get('large.bin', { headers: { range: 'bytes=70000-199999' } });
  assertStatus(response, 206);
  assert.equal(sha256(response.bytes), sha256(body.subarray(70_000, 200_000)));
});

test(...claims('files.read.range-unsatisfiable', 'a part past the end is rejected'), async () => {
  const response = await files.get('notes/plan.md', { headers: { range: 'bytes=6-' } });
  assertStatus(response, 416);
  assert.equal(headerOf(response, 'content-range'), 'bytes */6');
});

for (const [path, body] of [
  ['evil.html', '<script>alert(1)</script>'],
  ['evil.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['evil.md', '<script>alert(1)</script>'],
] as const) {
  test(...claims('files.read.inert', `a browser that opens ${path} runs nothing in it`), async () => {
    await files.put(path, body);
    const response = await files.get(path);
    assertStatus(response, 200);
    assert.equal(headerOf(response, 'x-content-type-options'), 'nosniff');
    const policy = headerOf(response, 'content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /\bsandbox\b/);
    assert.doesNotMatch(policy, /allow-scripts|allow-same-origin/);
    assert.equal(headerOf(response, 'cross-origin-resource-policy'), 'same-origin');
    assert.match(headerOf(response, 'cache-control') ?? '', /private/);
  });
}

test(
  ...claims('files.read.preview-unknown-type', 'a file without a type is previewed by its extension'),
  async () => {
    const typed = async (target: string) => {
      const response = await files.send('GET', target);
      assertStatus(response, 200);
      assert.equal(headerOf(response, 'x-content-type-options'), 'nosniff');
      assert.match(headerOf(response, 'content-security-policy') ?? '', /default-src 'none'.*; ?sandbox$/);
      return [headerOf(response, 'content-type'), headerOf(response, 'content-disposition') !== null];
    };
    for (const stored of ['application/octet-stream', 'application/x-www-form-urlencoded']) {
      const folder = `sent/${stored.length}`;
      for (const name of ['a.html', 'a.svg', 'a.png', 'a']) {
        await files.put(`${folder}/${name}`, '<script>1</script>', { contentType: stored });
      }
      const isAttachment = stored !== 'application/octet-stream';
      assert.deepEqual(await typed(`/files/${folder}/a.html`), [stored, isAttachment]);
      assert.deepEqual(await typed(`/files/${folder}/a.html?preview=1`), ['text/html', false]);
      assert.deepEqual(await typed(`/files/${folder}/a.svg?preview=1`), ['image/svg+xml', true]);
      assert.deepEqual(await typed(`/files/${folder}/a.png?preview=1`), ['image/png', false]);
      assert.deepEqual(await typed(`/files/${folder}/a?preview=1`), ['application/octet-stream', false]);
    }
  },
);

for (const destination of ['script', 'style', 'worker', 'serviceworker', 'object', 'embed']) {
  test(...claims('files.read.preview', 'an HTML file is previewed without scripts'), async () => {
    await files.put('page.html', '<script>1</script><p>old');
    await files.put('page.html', '<script>1</script><p>new', { ifMatch: 1 });
    for (const [target, body] of [
      ['/files/page.html?preview=1', '<script>1</script><p>new'],
      ['/version?path=page.html&version=1&preview=1', '<script>1</script><p>old'],
    ] as const) {
      const response = await files.send('GET', target);
      assertStatus(response, 200);
      assert.equal(response.bytes.toString(), body);
      assert.equal(headerOf(response, 'content-disposition'), null);
      assert.equal(headerOf(response, 'content-type'), 'text/html');
      assert.equal(headerOf(response, 'x-content-type-options'), 'nosniff');
      assert.equal(headerOf(response, 'x-robots-tag'), 'noindex');
      assert.equal(headerOf(response, 'cache-control'), 'private, no-store');
      const policy = headerOf(response, 'content-security-policy') ?? '';
      assert.match(policy, /^default-src 'none';/);
      assert.match(policy, /; frame-ancestors 'self'; sandbox$/);
      assert.doesNotMatch(policy, /script-src|connect-src|allow-/);
      const head = await files.send('HEAD', target);
      assert.equal(headerOf(head, 'content-security-policy'), policy);
      for (const destination of ['script', 'object', 'embed', 'worker']) {
        const headers = { 'sec-fetch-dest': destination };
        assertRejection(await files.send('GET', target, { headers }), 403);
      }
      const framed = await files.send('GET', target, { headers: { 'sec-fetch-dest': 'iframe' } });
      assertStatus(framed, 200);
    }
    const saved = await files.send('GET', '/files/page.html?preview=1&download=1');
    assert.match(headerOf(saved, 'content-disposition') ?? '', /^attachment/);
  });

  test(...claims('files.read.preview', 'a preview of any other type is a read'), async () => {
    const plain = (response: HttpResponse) =>
      [...response.headers].filter(([name]) => name !== 'date').sort();
    for (const [name, contentType] of [
      ['a.md', 'text/markdown'],
      ['a.svg', 'image/svg+xml'],
      ['a.pdf', 'application/pdf'],
      ['a.xhtml', 'application/xhtml+xml'],
      ['a.png', 'image/png'],
    ] as const) {
      await files.put(`preview/${name}`, '<script>1</script>', { contentType });
      const read = await files.get(`preview/${name}`);
      const previewed = await files.send('GET', `/files/preview/${name}?preview=1`);
      assert.deepEqual(plain(previewed), plain(read));
      const off = await files.send('GET', '/files/page.html?preview=0');
      assert.match(headerOf(off, 'content-disposition') ?? '', /^attachment/);
    }
  });

  test(...claims('files.read.not-a-script', `a page cannot load a file as a ${destination}`), async () => {
    await files.put('app.js', 'alert(1)', { ifNoneMatch: '*' });
    const response = await files.get('app.js', { headers: { 'sec-fetch-dest': destination } });
    assertRejection(response, 403);
    assert.doesNotMatch(JSON.stringify(jsonOf(response)), /alert/);
  });
}
