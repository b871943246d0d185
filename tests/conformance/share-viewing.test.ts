import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, headerOf, integerAt, jsonOf, recordsAt, textAt } from '../support/answer.ts';
import { assertStatus } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { assertRefusal } from '../support/refusal.ts';
import { linksIn, type MadeShare, opens, seenOf, share } from '../support/shares.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const eve = await signUp(server, 'Eve');
const home = await createWorkspace(ada);
const other = await createWorkspace(ada);

const textOf = (answer: Answer) => answer.bytes.toString('utf8');
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

test(
  ...claims('shares.member', 'a member link opens for members, by session or key, and for nobody else'),
  async () => {
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
    assert.ok(!textOf(asked).includes('inner.txt'), 'the name is told to strangers');
    assertRefusal(await server.as({ 'x-api-key': 'nonsense' }).send('GET', content), 401);
  },
);

test(...claims('shares.password', 'a password is asked of everyone, its maker too'), async () => {
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
  assertRefusal(await unlock('wrong'), 401);
  assertRefusal(await unlock(''), 400);
  assertRefusal(await unlock(7), 400);
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

test(...claims('shares.password', 'the form of the page unlocks it, and brings back to it'), async () => {
  await home.put('form.txt', 'x');
  const link = await share(home, 'form.txt', { password: 'pass' });
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
  assert.match(textOf(wrong), /not the password/);
  const right = await post('password=pass', 'same-origin');
  assertStatus(right, 303);
  const where = new URL(headerOf(right, 'location') ?? '', `http://server${link.path}/unlock`);
  assert.equal(where.pathname, link.path);
  assertStatus(await post('password=pass', 'cross-site'), 403);
});

test(...claims('shares.password-limit', 'a password cannot be guessed from one address'), async () => {
  await home.put('guess.txt', 'x');
  const link = await share(home, 'guess.txt', { password: 'right' });
  const statuses = new Set<number>();
  for (let guess = 0; guess < 11; guess += 1) {
    const json = { password: `guess ${guess}` };
    const answer = await server.send('POST', `${link.path}/unlock`, { json });
    statuses.add(answer.status);
    if (answer.status === 429) assert.ok(Number(headerOf(answer, 'retry-after')) > 0);
  }
  assert.deepEqual(statuses, new Set([401, 429]));
  const json = { password: 'right' };
  assertStatus(await server.send('POST', `${link.path}/unlock`, { json }), 429);
});

test(
  ...claims('shares.folder', 'a folder link shows its folder, level by level, and nothing else'),
  async () => {
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
      const answer = await server.send('GET', `${link.path}/content/${below}`);
      assertStatus(answer, 404);
      assert.equal(textOf(answer), missing, below);
    }
    assertStatus(await server.send('GET', `${link.path}/content`), 404);
  },
);

test(
  ...claims(['shares.made-private', 'shares.folder'], 'what is made private vanishes from links'),
  async () => {
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
  },
);

test(
  ...claims(['shares.moved', 'moves.shares'], 'a link follows its file, and ends in a private place'),
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
    const answer = await eve.session.send('POST', `${path}/unlock`, { json: { password: 'x' } });
    assert.deepEqual(seenOf(answer), unknown);
  }
});

test(...claims('shares.view-once', 'a page with all that it shows is one view'), async () => {
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
  for (const each of walked) await server.send('GET', each);
  assert.deepEqual(await viewsOf('seen'), [1]);
  for (const each of [`${link.path}/content?v=forged`, `${link.path}/content?v=${ticketOf(walked)}`]) {
    await server.send('GET', each);
  }
  assert.deepEqual(await viewsOf('seen/pic.png'), [5], 'a ticket of another link counted for this one');
});

test(...claims(['shares.member', 'shares.view-once'], 'a ticket does not outlive a membership'), async () => {
  const invite = jsonOf(await ada.session.send('POST', '/api/invites', { json: { workspaceId: home.id } }));
  const joined = await signUp(server, 'Ben');
  const token = textAt(invite, 'url').split('/').at(-1);
  assertStatus(await joined.session.send('POST', `/api/invites/${token}/accept`), 200);
  await home.put('ticket.txt', 'x');
  const link = await share(home, 'ticket.txt', { access: 'member' });
  const [content = ''] = linksIn(await joined.session.send('GET', link.path), link.path);
  assertStatus(await server.send('GET', content), 200);
  await ada.session.send('DELETE', `${home.root}/members/${joined.id}`);
  assertStatus(await server.send('GET', content), 401);
  assertStatus(await joined.session.send('GET', content), 404);
});

test(
  ...claims('shares.page-headers', 'what a link shows is not kept, not indexed, and has no rights'),
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
      const answer = await server.send('GET', path);
      assert.match(headerOf(answer, 'cache-control') ?? '', /no-store/);
      assert.match(headerOf(answer, 'x-robots-tag') ?? '', /noindex/);
      assert.equal(headerOf(answer, 'x-content-type-options'), 'nosniff');
      assert.match(headerOf(answer, 'content-security-policy') ?? '', /default-src 'none'/);
    }
    const policyOf = async (path: string) =>
      headerOf(await server.send('GET', `${path}/content`), 'content-security-policy') ?? '';
    assert.match(await policyOf(plain.path), /; sandbox$/);
    const policy = await policyOf(active.path);
    assert.match(policy, /; sandbox allow-scripts$/);
    assert.match(policy, /connect-src 'none'/);
    assert.match(policy, /form-action 'none'/);
    assert.equal(headerOf(await server.send('GET', active.path), 'referrer-policy'), 'no-referrer');
    const framed = (path: string) => server.send('GET', path).then(textOf);
    assert.match(await framed(plain.path), /<iframe sandbox="" /);
    assert.match(await framed(active.path), /<iframe sandbox="allow-scripts" /);
    const asScript = { 'sec-fetch-dest': 'script' };
    assertStatus(await server.send('GET', `${active.path}/content`, { headers: asScript }), 403);
  },
);

function ticketOf(links: readonly string[]): string {
  return new URL(links[0] ?? '', 'http://s').searchParams.get('v') ?? '';
}
