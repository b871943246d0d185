import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertStatus } from '../support/expect.ts';
import { join } from '../support/invites.ts';
import { createKey, signUp } from '../support/people.ts';
import { type HttpResponse, headerOf, integerAt, jsonOf, recordsAt } from '../support/response.ts';
import { linksIn, type MadeShare, opens, seenOf, share } from '../support/shares.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const eve = await signUp(server, 'Eve');
const home = await createWorkspace(ada);
const other = await createWorkspace(ada);

const textOf = (response: HttpResponse) => response.bytes.toString('utf8');
const makePrivate = async (path: string, kind: 'file' | 'folder', isPrivate = true) =>
  assertStatus(await home.send('PUT', '/node-private', { json: { path, kind, private: isPrivate } }), 200);
const viewsOf = async (path: string) =>
  recordsAt(jsonOf(await home.query('shares', { path })), 'shares').map((each) =>
    integerAt(each, 'viewCount'),
  );

test(...claims('shares.public', 'anyone reads a shared page and its bytes'), async () => {
  await home.put('open/page.md', '# Hello\n\n*world*');
  const link = await share(home, 'open/page.md');
  const page = await server.send('GET', link.path);
  assertStatus(page, 200);
  assert.match(textOf(page), /<h1>Hello<\/h1>\s*<p><em>world<\/em><\/p>/);
  const bytes = await server.send('GET', `${link.path}/content`);
  assertStatus(bytes, 200);
  assert.equal(textOf(bytes), '# Hello\n\n*world*');
  const part = await server.send('GET', `${link.path}/content`, { headers: { range: 'bytes=2-6' } });
  assertStatus(part, 206);
  assert.equal(textOf(part), 'Hello');
});

for (const stored of ['application/octet-stream', 'application/x-www-form-urlencoded; charset=utf-8']) {
  test(
    ...claims('shares.unknown-type', 'a file sent without its type is shown by its extension'),
    async () => {
      const shown = [
        ['a.md', '# Hello', 'text/markdown', /<h1>Hello<\/h1>/],
        ['a.CSV', 'one,two', 'text/csv', /<pre>one,two<\/pre>/],
        ['a.jpg', 'no jpeg', 'image/jpeg', /<img src=/],
        ['a.svg', '<svg/>', 'image/svg+xml', /<img src=/],
        ['a.html', '<script>1</script>', 'text/html', /<iframe sandbox=""/],
        ['a.bin', 'bytes', stored, /No preview for this kind of file/],
        ['Makefile', 'all:', stored, /No preview for this kind of file/],
      ] as const;
      const folder = `unknown/${stored.length}`;
      for (const [name, body, contentType, page] of shown) {
        assertStatus(await home.put(`${folder}/${name}`, body, { contentType: stored }), 201);
        assert.equal(headerOf(await home.get(`${folder}/${name}`), 'content-type'), stored);
        const link = await share(home, `${folder}/${name}`);
        assert.match(textOf(await server.send('GET', link.path)), page, name);
        const bytes = await server.send('GET', `${link.path}/content`);
        // Without a known extension the type stays, or is an octet stream.
        const served = headerOf(bytes, 'content-type');
        assert.ok(served === contentType || served === 'application/octet-stream', `${name}: ${served}`);
        assert.match(headerOf(bytes, 'content-security-policy') ?? '', /\bsandbox\b/);
        assert.doesNotMatch(headerOf(bytes, 'content-security-policy') ?? '', /allow-/);
        const isAttachment = headerOf(bytes, 'content-disposition') !== null;
        assert.equal(isAttachment, contentType === 'image/svg+xml', name);
      }
      const active = await share(home, `${folder}/a.html`, { allowScripts: true });
      const inWindow = { 'sec-fetch-dest': 'document' };
      assertStatus(await server.send('GET', `${active.path}/content`, { headers: inWindow }), 303);
    },
  );
}

test(
  ...claims('shares.front-matter', 'a section between two rules is not read as front matter'),
  async () => {
    const pageOf = async (path: string, text: string) => {
      await home.put(path, text);
      return textOf(await server.send('GET', (await share(home, path)).path));
    };
    const terms = '---\nTuesday: we met.\n\n## Terms\n\nAll sales are final.\n\n---\n\nThank you.\n';
    assert.match(await pageOf('front/terms.md', terms), /<h2>Terms<\/h2>\s*<p>All sales are final\./);
    assert.match(await pageOf('front/list.md', '---\n# Heading\n- item\n---\n'), /<h1>Heading<\/h1>/);
    const note = await pageOf('front/note.md', '---\ntitle: Hidden\ntags: [a]\n---\nShown.\n');
    assert.match(note, /<p>Shown\.<\/p>/);
    assert.doesNotMatch(note, /Hidden/);
  },
);

test(...claims('shares.in-app', 'a shared page links a signed-in member to the app'), async () => {
  await home.put('team/a & b/plan #1.md', 'the plan');
  const file = await share(home, 'team/a & b/plan #1.md', { access: 'member' });
  const folder = await share(home, 'team', { kind: 'folder', access: 'member' });
  const open = await share(home, 'team', { kind: 'folder' });
  const inApp = (page: HttpResponse) => /<a href="([^"]*)">Open in Stoa<\/a>/.exec(textOf(page))?.[1] ?? null;
  const root = `${new URL(String(file.record.url)).origin}/w/${home.id}`;
  const within = `${folder.path}/view/${encodeURIComponent('a & b')}`;
  const pages = [
    [file.path, `${root}/f/team/a%20%26%20b/plan%20%231.md`],
    [folder.path, `${root}/d/team`],
    [within, `${root}/d/team/a%20%26%20b`],
    [`${within}/${encodeURIComponent('plan #1.md')}`, `${root}/f/team/a%20%26%20b/plan%20%231.md`],
  ] as const;
  const key = (await createKey(ada)).client;
  for (const [path, location] of pages) {
    assert.equal(inApp(await ada.session.send('GET', path)), location);
    const byKey = await key.send('GET', path);
    assertStatus(byKey, 200);
    assert.equal(inApp(byKey), null);
  }
  for (const client of [ada.session, eve.session, server]) {
    const page = await client.send('GET', open.path);
    assertStatus(page, 200);
    assert.equal(inApp(page), null);
  }
});

test(...claims('shares.member', 'a member link opens for members only, by session or key'), async () => {
  await home.put('inner.txt', 'for members');
  const link = await share(home, 'inner.txt', { access: 'member' });
  const content = `${link.path}/content`;
  const full = await createKey(ada);
  const scoped = await createKey(ada, { workspaceId: home.id });
  const elsewhere = await createKey(ada, { workspaceId: other.id });
  for (const client of [ada.session, full.client, scoped.client]) {
    assertStatus(await client.send('GET', link.path), 200);
    assert.equal(textOf(await client.send('GET', content)), 'for members');
  }
  const strangers = [eve.session, (await createKey(eve)).client, elsewhere.client];
  for (const client of strangers) assertStatus(await client.send('GET', content), 404);
  const asked = await server.send('GET', link.path);
  assertStatus(asked, 401);
  assert.match(textOf(asked), /<form method="post"[^>]*sign-in/);
  assert.ok(!textOf(asked).includes('inner.txt'), 'the page shows the name to strangers');
  assertRejection(await server.as({ 'x-api-key': 'nonsense' }).send('GET', content), 401);
});

test(...claims('shares.password', 'everyone needs the password, even the maker'), async () => {
  await home.put('locked.txt', 'behind a lock');
  const link = await share(home, 'locked.txt', { password: 'open sesame' });
  for (const client of [server, ada.session]) {
    for (const path of [link.path, `${link.path}/content`]) {
      const asked = await client.send('GET', path);
      assertStatus(asked, 401);
      assert.match(textOf(asked), /<form method="post"[^>]*unlock/);
      assert.ok(!textOf(asked).includes('locked.txt'));
    }
  }
  const unlock = (password: unknown) => server.send('POST', `${link.path}/unlock`, { json: { password } });
  assertRejection(await unlock('wrong'), 401);
  assertRejection(await unlock(''), 400);
  assertRejection(await unlock(7), 400);
  const unlocked = await unlock('open sesame');
  assertStatus(unlocked, 200);
  assert.deepEqual(jsonOf(unlocked), { ok: true });
  const cookie = headerOf(unlocked, 'set-cookie') ?? '';
  assert.match(cookie, new RegExp(`; Path=${link.path}; Max-Age=\\d+; HttpOnly; SameSite=Lax`));
  const visitor = server.as({ cookie: cookie.split(';', 1)[0] ?? '' });
  assert.equal(textOf(await visitor.send('GET', `${link.path}/content`)), 'behind a lock');
  const otherLink = await share(home, 'locked.txt', { password: 'open sesame' });
  assertStatus(await visitor.send('GET', `${otherLink.path}/content`), 401);
});

test(...claims('shares.password', 'the form of the page unlocks it and leads back to it'), async () => {
  await home.put('form.txt', 'x');
  const link = await share(home, 'form.txt', { password: 'passphrase' });
  const post = (body: string, site: string) =>
    server.send('POST', `${link.path}/unlock`, {
      body,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': site,
        origin: 'null',
      },
    });
  const wrong = await post('password=no', 'same-origin');
  assertStatus(wrong, 401);
  assert.match(textOf(wrong), /Wrong password\./);
  const right = await post('password=passphrase', 'same-origin');
  assertStatus(right, 303);
  const where = new URL(headerOf(right, 'location') ?? '', `http://server${link.path}/unlock`);
  assert.equal(where.pathname, link.path);
  assertStatus(await post('password=passphrase', 'cross-site'), 403);
  const older = (origin: string) =>
    server.send('POST', `${link.path}/unlock`, {
      body: 'password=passphrase',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
    });
  assertStatus(await older('https://evil.example'), 403);
  assertStatus(await older('null'), 403);
  assertStatus(await older(new URL(server.url).origin), 303);
});

test(...claims('shares.password-limit', 'a password cannot be guessed from one address'), async () => {
  await home.put('guess.txt', 'x');
  const link = await share(home, 'guess.txt', { password: 'the right one' });
  const statuses = new Set<number>();
  for (let guess = 0; guess < 11; guess += 1) {
    const json = { password: `guess ${guess}` };
    const response = await server.send('POST', `${link.path}/unlock`, { json });
    statuses.add(response.status);
    if (response.status === 429) assert.ok(Number(headerOf(response, 'retry-after')) > 0);
  }
  assert.deepEqual(statuses, new Set([401, 429]));
  const json = { password: 'the right one' };
  assertStatus(await server.send('POST', `${link.path}/unlock`, { json }), 429);
});

test(...claims('shares.folder', 'a folder link shows only its folder, level by level'), async () => {
  await home.put('box/.keep', 'x');
  await home.put('box/a b.md', '![pic](img/p.png) [next](deep/c.md) [out](../beside.md)');
  await home.put('box/img/p.png', 'png');
  await home.put('box/deep/c.md', 'c');
  await home.put('beside.md', 'beside');
  await home.put('box2/near.md', 'near');
  const link = await share(home, 'box', { kind: 'folder' });
  const page = await server.send('GET', link.path);
  assertStatus(page, 200);
  const entries = linksIn(page, link.path).map((each) => decodeURI(new URL(each, 'http://s').pathname));
  assert.deepEqual(
    entries,
    ['deep', 'img', 'a b.md'].map((name) => `${link.path}/view/${name}`),
  );
  assert.match(textOf(page), /a b\.md<\/bdi><\/a><span class="quiet">55 B<\/span>/);
  for (const each of linksIn(page, link.path)) assertStatus(await server.send('GET', each), 200);
  const viewed = `${link.path}/view/a%20b.md`;
  const markdown = await server.send('GET', viewed);
  assert.deepEqual(
    linksIn(markdown, viewed).map((each) => each.replace(/\?.*/, '')),
    [`${link.path}/content/a%20b.md`, `${link.path}/content/img/p.png`, `${link.path}/view/deep/c.md`],
  );
  assert.equal(textOf(await server.send('GET', `${link.path}/content/deep/c.md`)), 'c');
  const missing = textOf(await server.send('GET', '/s/none'));
  const outside = [
    '../beside.md',
    '%2e%2e/beside.md',
    '..%2Fbox2/near.md',
    'none',
    '',
    'deep',
    '%ff',
    'a%00',
  ];
  for (const below of outside) {
    const response = await server.send('GET', `${link.path}/content/${below}`);
    assertStatus(response, 404);
    assert.equal(textOf(response), missing, below);
  }
  assertStatus(await server.send('GET', `${link.path}/content`), 404);
});

test(...claims(['shares.made-private', 'shares.folder'], 'private paths vanish from links'), async () => {
  await home.put('mix/open.md', 'open');
  await home.put('mix/own.md', 'own');
  const folder = await share(home, 'mix', { kind: 'folder' });
  const file = await share(home, 'mix/own.md');
  await makePrivate('mix/own.md', 'file');
  assert.equal(await opens(server, file), 404);
  assertStatus(await ada.session.send('GET', `${folder.path}/content/own.md`), 404);
  const page = textOf(await ada.session.send('GET', folder.path));
  assert.ok(page.includes('open.md') && !page.includes('own.md'));
  await makePrivate('mix/own.md', 'file', false);
  assertStatus(await server.send('GET', `${folder.path}/content/own.md`), 200);
  assert.equal(await opens(server, file), 404, 'a revoked link came back');
  const again = await share(home, 'mix/open.md');
  await makePrivate('mix', 'folder');
  for (const link of [folder, again]) assert.equal(await opens(server, link), 404);
  await makePrivate('mix', 'folder', false);
  for (const link of [folder, again]) assert.equal(await opens(server, link), 404);
});

test(
  ...claims(['shares.moved', 'moves.shares'], 'a link follows its file, and ends in a private folder'),
  async () => {
    await home.put('walk/a.txt', 'walker');
    const link = await share(home, 'walk/a.txt');
    await home.post('move', { from: 'walk/a.txt', to: 'gone/b.txt' });
    assert.equal(textOf(await server.send('GET', `${link.path}/content`)), 'walker');
    assert.equal((await viewsOf('gone/b.txt')).length, 1);
    await home.put('walk/a.txt', 'another');
    assert.deepEqual(await viewsOf('walk/a.txt'), []);
    await makePrivate('cellar', 'folder');
    await home.post('move', { from: 'gone/b.txt', to: 'cellar/b.txt' });
    assert.equal(await opens(server, link), 404);
    await home.post('move', { from: 'cellar/b.txt', to: 'walk/c.txt' });
    await makePrivate('walk/c.txt', 'file', false);
    assert.equal(await opens(server, link), 404, 'a revoked link came back');
  },
);

test(...claims('shares.moved', 'a folder link follows its folder'), async () => {
  await home.put('old/a.txt', 'inside');
  const link = await share(home, 'old', { kind: 'folder' });
  await home.post('move', { from: 'old/a.txt', to: 'new/a.txt' });
  assertStatus(await home.post('move-folder', { from: 'old', to: 'new' }), 200);
  assert.equal(textOf(await server.send('GET', `${link.path}/content/a.txt`)), 'inside');
});

test(
  ...claims('shares.deleted', 'the link of a deleted file opens again once the file is back'),
  async () => {
    await home.put('back.txt', 'here');
    const link = await share(home, 'back.txt');
    const pinned = await share(home, 'back.txt', { pinnedVersion: 1 });
    await home.remove('back.txt', 1);
    for (const each of [link, pinned]) assert.equal(await opens(server, each), 404);
    assert.equal((await viewsOf('back.txt')).length, 2);
    await home.post('restore', { path: 'back.txt', targetVersion: 1 });
    for (const each of [link, pinned]) assert.equal(await opens(server, each), 200);
  },
);

test(...claims('shares.refused-alike', 'links that do not open look the same'), async () => {
  const made: MadeShare[] = [];
  for (const name of ['revoked', 'private', 'deleted', 'members']) {
    await home.put(`alike/${name}.md`, name);
    const access = name === 'members' ? 'member' : 'public';
    made.push(await share(home, `alike/${name}.md`, { access }));
  }
  await home.send('DELETE', `/shares/${made[0]?.id}`);
  await makePrivate('alike/private.md', 'file');
  await home.remove('alike/deleted.md', 1);
  const unknown = seenOf(await eve.session.send('GET', `/s/${'a'.repeat(43)}`));
  for (const suffix of ['', '/content', '/view/a', '/content/a']) {
    const paths = [...made.map(({ path }) => path), '/s/x', '/s/%zz', '/s/..%2f'];
    for (const path of paths) {
      assert.deepEqual(seenOf(await eve.session.send('GET', path + suffix)), unknown, path + suffix);
    }
  }
  for (const { path } of made) {
    const response = await eve.session.send('POST', `${path}/unlock`, { json: { password: 'x' } });
    assert.deepEqual(seenOf(response), unknown);
  }
});

test(...claims('shares.view-once', 'a page with all its content is one view'), async () => {
  await home.put('seen/pic.png', 'not really');
  const link = await share(home, 'seen/pic.png');
  const folder = await share(home, 'seen', { kind: 'folder' });
  const page = await server.send('GET', link.path);
  const shown = linksIn(page, link.path);
  assert.equal(shown.length, 2);
  for (const each of shown) assertStatus(await server.send('GET', each), 200);
  assert.deepEqual(await viewsOf('seen/pic.png'), [1]);
  await server.send('GET', `${link.path}/content`);
  await server.send('GET', `${link.path}/content`, { headers: { range: 'bytes=0-' } });
  await server.send('GET', `${link.path}/content`, { headers: { range: 'bytes=2-' } });
  await server.send('HEAD', `${link.path}/content`);
  assert.deepEqual(await viewsOf('seen/pic.png'), [3]);
  const walked = linksIn(await server.send('GET', folder.path), folder.path);
  const fromPage = { 'sec-fetch-site': 'same-origin' };
  for (const each of walked) await server.send('GET', each, { headers: fromPage });
  assert.deepEqual(await viewsOf('seen'), [1]);
  const entered = await server.send('GET', walked[0] ?? '', { headers: { 'sec-fetch-site': 'cross-site' } });
  assert.deepEqual(await viewsOf('seen'), [2]);
  for (const mark of ['forged', markOf(linksIn(entered, walked[0] ?? ''))]) {
    await server.send('GET', `${link.path}/content?v=${mark}`);
  }
  assert.deepEqual(await viewsOf('seen/pic.png'), [5], 'the mark of another link counted for this one');
});

test(
  ...claims(
    ['shares.addresses-open-nothing', 'shares.member'],
    "an address copied from a member link's page gives access to no other user",
  ),
  async () => {
    await home.put('inner/page.md', '![pic](pic.png) [next](next.md)');
    await home.put('inner/next.md', 'next');
    await home.put('inner/pic.png', 'png');
    const ben = await signUp(server, 'Ben');
    await join(ada, ben, home.id);
    const key = await createKey(ben);
    const link = await share(home, 'inner', { kind: 'folder', access: 'member' });
    const viewed = `${link.path}/view/page.md`;
    const addresses = [link.path, viewed];
    for (const path of [link.path, viewed]) {
      const page = await ben.session.send('GET', path);
      assertStatus(page, 200);
      // The app's address begins with the workspace. Its document is the same for all callers and loads its data
      // later.
      addresses.push(...linksIn(page, path).filter((each) => !each.startsWith(`/w/${home.id}/`)));
    }
    assert.ok(addresses.length > 6);
    for (const each of addresses) {
      assert.ok(!each.includes(ben.id), `${each} names its viewer`);
      if (!each.includes('/content')) assert.ok(!each.includes('?'), `${each} would be copied with a ticket`);
      assertStatus(await ben.session.send('GET', each), 200);
      assertStatus(await key.client.send('GET', each), 200);
      assertStatus(await server.send('GET', each), 401);
    }
    await ben.session.send('DELETE', `/api/keys/${key.id}`);
    for (const each of addresses) assertStatus(await key.client.send('GET', each), 401);
    await ada.session.send('DELETE', `${home.root}/members/${ben.id}`);
    for (const each of addresses) assertStatus(await ben.session.send('GET', each), 404);
    await ben.session.send('POST', '/api/auth/sign-out', { json: {} });
    for (const each of addresses) assertStatus(await ben.session.send('GET', each), 401);
  },
);

test(
  ...claims(
    ['shares.addresses-open-nothing', 'shares.password'],
    "an address copied from a password link's page does not open without the password",
  ),
  async () => {
    await home.put('vault/a.txt', 'a');
    const link = await share(home, 'vault', { kind: 'folder', password: 'open sesame' });
    const unlocked = await server.send('POST', `${link.path}/unlock`, { json: { password: 'open sesame' } });
    const visitor = server.as({ cookie: (headerOf(unlocked, 'set-cookie') ?? '').split(';', 1)[0] ?? '' });
    const page = await visitor.send('GET', link.path);
    const [viewed = ''] = linksIn(page, link.path);
    const addresses = [viewed, ...linksIn(await visitor.send('GET', viewed), viewed)];
    assert.equal(addresses.length, 2);
    for (const each of addresses) {
      assertStatus(await visitor.send('GET', each), 200);
      assertStatus(await server.send('GET', each), 401);
      assertStatus(await ada.session.send('GET', each), 401);
    }
    await home.send('DELETE', `/shares/${link.id}`);
    for (const each of addresses) assertStatus(await visitor.send('GET', each), 404);
  },
);

test(...claims('shares.scripts-in-frame', 'scripts of a page run in its frame only'), async () => {
  await home.put('app.html', '<script>1</script>');
  const link = await share(home, 'app.html', { allowScripts: true });
  const [download = '', framed = ''] = linksIn(await server.send('GET', link.path), link.path);
  const plain = `${link.path}/content`;
  const load = (path: string, dest?: string) =>
    server.send('GET', path, dest === undefined ? {} : { headers: { 'sec-fetch-dest': dest } });
  const runs = async (path: string, dest?: string) => {
    const response = await load(path, dest);
    assertStatus(response, 200);
    return /; sandbox allow-scripts$/.test(headerOf(response, 'content-security-policy') ?? '');
  };
  assert.equal(await runs(framed, 'iframe'), true);
  assert.equal(await runs(framed), true, 'browsers without the header also show the frame');
  assert.equal(await runs(plain), false);
  assert.equal(await runs(`${plain}?v=forged`), false);
  assert.equal(await runs(plain, 'empty'), false);
  for (const path of [plain, framed]) {
    const sent = await load(path, 'document');
    assertStatus(sent, 303);
    const where = new URL(headerOf(sent, 'location') ?? '', `http://server${path}`);
    assert.equal(where.pathname + where.search, link.path);
  }
  assertStatus(await load(download, 'document'), 200);
  const silent = await share(home, 'app.html');
  assertStatus(await load(`${silent.path}/content`, 'document'), 200);
});

test(
  ...claims('shares.page-headers', 'a linked page is not cached, not indexed, and has no permissions'),
  async () => {
    await home.put('raw/a.html', '<script>1</script>');
    const plain = await share(home, 'raw/a.html');
    const active = await share(home, 'raw/a.html', { allowScripts: true });
    for (const path of [
      plain.path,
      active.path,
      `${plain.path}/content`,
      `${active.path}/content`,
      '/s/none',
    ]) {
      const response = await server.send('GET', path);
      assert.match(headerOf(response, 'cache-control') ?? '', /no-store/);
      assert.match(headerOf(response, 'x-robots-tag') ?? '', /noindex/);
      assert.equal(headerOf(response, 'x-content-type-options'), 'nosniff');
      assert.match(headerOf(response, 'content-security-policy') ?? '', /default-src 'none'/);
    }
    const policyOf = async (path: string) =>
      headerOf(
        await server.send('GET', `${path}/content`, { headers: { 'sec-fetch-dest': 'iframe' } }),
        'content-security-policy',
      ) ?? '';
    assert.match(await policyOf(plain.path), /; sandbox$/);
    const policy = await policyOf(active.path);
    assert.match(policy, /; sandbox allow-scripts$/);
    assert.match(policy, /connect-src 'none'/);
    assert.match(policy, /webrtc 'block'/);
    assert.match(policy, /form-action 'none'/);
    assert.equal(headerOf(await server.send('GET', active.path), 'referrer-policy'), 'no-referrer');
    const framed = (path: string) => server.send('GET', path).then(textOf);
    assert.match(await framed(plain.path), /<iframe sandbox="" /);
    assert.match(await framed(active.path), /<iframe sandbox="allow-scripts" /);
    const asScript = { 'sec-fetch-dest': 'script' };
    assertStatus(await server.send('GET', `${active.path}/content`, { headers: asScript }), 403);
  },
);

function markOf(links: readonly string[]): string {
  return new URL(links[0] ?? '', 'http://s').searchParams.get('v') ?? '';
}
