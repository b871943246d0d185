import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertJson, assertStatus, sha256 } from '../support/expect.ts';
import { acceptInvite, createInvite, join } from '../support/invites.ts';
import { createKey, signUp } from '../support/people.ts';
import { sendRaw } from '../support/raw-socket.ts';
import { headerOf, jsonOf, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const bob = await signUp(server, 'Bob');
const robot = await createKey(ada);
const emptyWorkspace = () => createWorkspace(ada, robot.client);

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('pretend this is a picture')]);
const images = {
  'image/png': png,
  'image/jpeg': Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(40, 7)]),
  'image/gif': Buffer.from('GIF89a and some more'),
  'image/webp': Buffer.from('RIFF\u0001\u0002\u0003\u0004WEBPVP8 and more', 'latin1'),
};
const maxBytes = 1024 * 1024;

const upload = (workspace: WorkspaceClient, body: string | Uint8Array, contentType = 'image/png') =>
  workspace.send('POST', '/icon', { body, headers: { 'content-type': contentType } });

async function iconOf(workspace: WorkspaceClient): Promise<unknown> {
  return jsonOf(await workspace.send('GET', '')).icon;
}

/** Reads an icon's address as a member's client would. */
function readIcon(workspace: WorkspaceClient, address: string) {
  assert.ok(address.startsWith(`${server.url}/`), address);
  const path = address.slice(server.url.length);
  return workspace.send('GET', path.slice(workspace.root.length));
}

for (const [type, bytes] of Object.entries(images)) {
  test(
    ...claims(
      ['workspaces.icon-upload', 'workspaces.icon-served'],
      `${type} can be the icon, whatever it is called`,
    ),
    async () => {
      const workspace = await emptyWorkspace();
      const response = await upload(workspace, bytes, 'text/html');
      assertStatus(response, 200);
      const icon = textAt(jsonOf(response), 'icon');
      assertJson(response, 200, { icon });
      assert.equal(await iconOf(workspace), icon);
      const read = await readIcon(workspace, icon);
      assertStatus(read, 200);
      assert.deepEqual(read.bytes, bytes);
      assert.equal(headerOf(read, 'content-type'), type);
      assert.equal(headerOf(read, 'x-content-type-options'), 'nosniff');
      assert.match(headerOf(read, 'content-security-policy') ?? '', /default-src 'none'; sandbox/);
      assert.equal(headerOf(read, 'cross-origin-resource-policy'), 'same-origin');
      assert.equal(headerOf(read, 'cache-control'), 'private, no-store');
    },
  );
}

test(...claims('workspaces.icon-upload-limit', 'an image has at most 1 MiB'), async () => {
  const workspace = await emptyWorkspace();
  const fitting = Buffer.concat([png, Buffer.alloc(maxBytes - png.length)]);
  assertStatus(await upload(workspace, fitting), 200);
  const icon = await iconOf(workspace);
  const data = { error: 'file_too_large', limit_bytes: maxBytes };
  assertRejection(await upload(workspace, Buffer.concat([fitting, Buffer.alloc(1)])), 413, { data });
  const counted = await workspace.send('POST', '/icon', { body: chunksOf(fitting, Buffer.alloc(1)) });
  assertRejection(counted, 413, { data });
  assert.equal(await iconOf(workspace), icon);
});

test(
  ...claims('workspaces.icon-upload-limit', 'a declared size over 1 MiB is rejected before any byte'),
  async () => {
    const workspace = await emptyWorkspace();
    const head = [
      `POST ${workspace.root}/icon HTTP/1.1`,
      `Host: ${new URL(server.url).host}`,
      `x-api-key: ${robot.secret}`,
      `Content-Length: ${maxBytes + 1}`,
      'Connection: close',
    ];
    const response = await sendRaw(server.url, `${head.join('\r\n')}\r\n\r\n`);
    assertRejection(response, 413, { data: { error: 'file_too_large', limit_bytes: maxBytes } });
  },
);

for (const [name, body] of [
  ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['a page', '<!doctype html><script>alert(1)</script>'],
  ['a PDF', '%PDF-1.7'],
  ['half a signature', png.subarray(0, 7)],
  ['nothing', ''],
] as const) {
  test(...claims('workspaces.icon-upload-limit', `${name} is not an icon, whatever its name`), async () => {
    const workspace = await emptyWorkspace();
    assertRejection(await upload(workspace, body, 'image/png'), 400);
    assert.equal(await iconOf(workspace), null);
  });
}

test(...claims('workspaces.icon-replaced', 'an image goes when the icon is something else'), async () => {
  const workspace = await emptyWorkspace();
  const icon = textAt(jsonOf(await upload(workspace, png)), 'icon');
  const next = textAt(jsonOf(await upload(workspace, images['image/gif'])), 'icon');
  assert.notEqual(next, icon);
  assertRejection(await readIcon(workspace, icon), 404);
  assertStatus(await readIcon(workspace, next), 200);
  assertStatus(await workspace.send('PATCH', '', { json: { name: 'Renamed', icon: next } }), 200);
  assert.equal(await iconOf(workspace), next);
  assertStatus(await readIcon(workspace, next), 200);
  assertStatus(await workspace.send('PATCH', '', { json: { icon: '🦉' } }), 200);
  assert.equal(await iconOf(workspace), '🦉');
  assertRejection(await readIcon(workspace, next), 404);
});

test(
  ...claims('workspaces.icon-served', 'only members read an icon, and its address gives no other bytes'),
  async () => {
    const workspace = await emptyWorkspace();
    await join(ada, bob, workspace.id);
    const icon = textAt(jsonOf(await upload(workspace.as(bob.session), png)), 'icon');
    const path = icon.slice(server.url.length);
    assertStatus(await bob.session.send('GET', path), 200);
    const eve = await signUp(server, 'Eve');
    assertRejection(await server.send('GET', path), 401);
    assertRejection(await eve.session.send('GET', path), 403);
    await workspace.put('secret.png', 'secret');
    for (const hash of [sha256('secret'), 'x', '%2e%2e', sha256(png).toUpperCase()]) {
      assertRejection(await workspace.send('GET', `/icon/${hash}`), 404);
    }
    const asScript = await workspace.send('GET', path.slice(workspace.root.length), {
      headers: { 'sec-fetch-dest': 'script' },
    });
    assertRejection(asScript, 403);
  },
);

test(...claims('workspaces.icon-address', 'an address is rejected as icon, even at creation'), async () => {
  const workspace = await emptyWorkspace();
  const own = textAt(jsonOf(await upload(workspace, png)), 'icon');
  const other = await emptyWorkspace();
  for (const icon of [
    'https://evil.example/pixel.png',
    '//evil.example/pixel.png',
    own,
    `image:${sha256(png)}`,
    own.slice(0, -1),
  ]) {
    assertRejection(await other.send('PATCH', '', { json: { icon } }), 400, { says: /icon/ });
    const made = await ada.session.send('POST', '/api/workspaces', { json: { name: 'x', icon } });
    assertRejection(made, 400, { says: /icon/ });
  }
  assert.equal(await iconOf(other), null);
});

test(
  ...claims('members.invite-preview', 'an uploaded image is hidden from invited users until they join'),
  async () => {
    const workspace = await emptyWorkspace();
    assertStatus(await upload(workspace, png), 200);
    const { token } = await createInvite(ada, workspace.id);
    const shown = await server.send('GET', `/api/invites/${token}`);
    assertStatus(shown, 200);
    assert.ok(!shown.bytes.toString().includes(sha256(png)));
    assertStatus(await acceptInvite(bob.session, token), 200);
  },
);

test(...claims('workspaces.any-member', 'any member may change the settings'), async () => {
  const workspace = await emptyWorkspace();
  await join(ada, bob, workspace.id);
  const bobs = workspace.as(bob.session);
  assertStatus(await bobs.send('PATCH', '', { json: { name: "Bob's", theme: 'nord' } }), 200);
  assertStatus(await upload(bobs, png), 200);
  assert.equal(jsonOf(await workspace.send('GET', '')).name, "Bob's");
});

test(
  ...claims('workspaces.theme-css', 'custom CSS is kept and returned without its dangerous parts'),
  async () => {
    const workspace = await emptyWorkspace();
    const themeCss = `/* mine */ @import url(https://evil.example/a.css);
    :root { --accent: #a35; background: \\75rl(https://evil.example/i) }
    @media (max-width: 600px) { h1 { color: var(--accent) } }
    h2 { background: image-set("https://evil.example/i" 1x); margin: 0 } </style><script>alert(1)</script>`;
    const clean = ':root{--accent:#a35}@media (max-width:600px){h1{color:var(--accent)}}h2{margin:0}';
    const response = await workspace.send('PATCH', '', { json: { themeCss } });
    assertStatus(response, 200);
    assert.equal(jsonOf(response).themeCss, clean);
    assert.equal(jsonOf(await workspace.send('GET', '')).themeCss, clean);
    const hostile = await workspace.send('PATCH', '', { json: { themeCss: '@import "x";' } });
    assert.equal(jsonOf(hostile).themeCss, null);
  },
);

test(
  ...claims('workspaces.theme-css-unreadable', 'unreadable CSS is rejected, and the rest stays'),
  async () => {
    const workspace = await emptyWorkspace();
    assertStatus(await workspace.send('PATCH', '', { json: { themeCss: 'a{color:red}' } }), 200);
    for (const themeCss of ['('.repeat(60_000), 'a{'.repeat(10_000), 7, 'a\u0000b']) {
      assertRejection(await workspace.send('PATCH', '', { json: { themeCss, name: 'Lost' } }), 400, {
        says: /themeCss/,
      });
    }
    const { name, themeCss } = jsonOf(await workspace.send('GET', ''));
    assert.deepEqual({ name, themeCss }, { name: 'Workspace', themeCss: 'a{color:red}' });
  },
);

async function* chunksOf(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
