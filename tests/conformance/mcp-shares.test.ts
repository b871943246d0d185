import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStatus, iso8601 } from '../support/expect.ts';
import type { HttpClient } from '../support/http-client.ts';
import { join } from '../support/invites.ts';
import { type McpClient, openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf, recordOf, recordsAt, textAt } from '../support/response.ts';
import { share } from '../support/shares.ts';
import { useTarget } from '../support/target.ts';
import { assertHardError, dataOf, textOf } from '../support/tool-result.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const ben = await signUp(server, 'Ben');
const eve = await signUp(server, 'Eve');
const adasKey = await createKey(ada);
const bensKey = await createKey(ben);
const evesKey = await createKey(eve);

/** A workspace of Ada's that Ben belongs to, with a file in folders. */
async function openWorkspace() {
  const workspace = await createWorkspace(ada);
  await join(ada, ben, workspace.id);
  await workspace.put('docs/plan.md', 'for members');
  await workspace.put('docs/deep/note.md', 'note');
  const reach = { workspaceId: workspace.id };
  return {
    workspace,
    mcp: openMcp(server, adasKey, reach),
    bens: openMcp(server, bensKey, reach),
  };
}

const statusOf = async (client: HttpClient, url: unknown) =>
  (await client.send('GET', new URL(String(url)).pathname)).status;

const sharesOf = async (mcp: McpClient, path: string) =>
  recordsAt(await dataOf(mcp, 'list_shares', { path }), 'shares');

test(
  ...claims(
    ['mcp.create-share', 'mcp.create-share.member'],
    'a link to a file or folder opens for members only',
  ),
  async () => {
    const { mcp } = await openWorkspace();
    for (const given of [
      { path: 'docs/plan.md', kind: 'file' },
      { path: 'docs/plan.md', kind: 'file', access: 'member' },
      { path: 'docs', kind: 'folder' },
    ]) {
      const made = await dataOf(mcp, 'create_share', given);
      const { id, memberUrl } = made;
      assert.deepEqual(made, { id, path: given.path, access: 'member', memberUrl });
      assert.match(textAt(made, 'memberUrl'), /^https?:.*\/s\/[A-Za-z0-9_-]{22,}$/);
      assert.ok(!textAt(made, 'memberUrl').includes(textAt(made, 'id')), 'the address holds the id');
      for (const client of [ada.session, ben.session, adasKey.client, bensKey.client]) {
        assert.equal(await statusOf(client, memberUrl), 200);
      }
      for (const client of [eve.session, evesKey.client])
        assert.equal(await statusOf(client, memberUrl), 404);
      assert.equal(await statusOf(server, memberUrl), 401);
    }
    const { memberUrl } = await dataOf(mcp, 'create_share', { path: 'docs/plan.md', kind: 'file' });
    const content = await ben.session.send('GET', `${new URL(String(memberUrl)).pathname}/content`);
    assert.equal(content.bytes.toString(), 'for members');
  },
);

test(...claims('mcp.create-share.kind', 'a link is created only with the kind of its path'), async () => {
  const { mcp } = await openWorkspace();
  const make = (given: Readonly<Record<string, unknown>>, says: RegExp) =>
    assertHardError(mcp, 'create_share', given, says);
  for (const kind of ['', 'workspace', 1]) {
    await make({ path: 'docs', kind }, /\bkind: must be file or folder/);
  }
  for (const kind of [undefined, null]) {
    await make({ path: 'docs', kind }, /^kind is missing: it must be file or folder$/);
  }
  const plan = { path: 'docs/plan.md', kind: 'folder' };
  await make(plan, /^kind: must be file, because "docs\/plan\.md" is a file$/);
  await make({ path: 'docs', kind: 'file' }, /^kind: must be folder, because "docs" is a folder$/);
  await make({ kind: 'file' }, /^path is missing: it must be a path/);
  for (const path of ['docs', 'docs/plan.md']) assert.deepEqual(await sharesOf(mcp, path), []);
});

test(
  ...claims('mcp.create-share.public', 'a public link needs a person, and the error tells the agent so'),
  async () => {
    const { mcp } = await openWorkspace();
    for (const [path, kind] of [
      ['docs/plan.md', 'file'],
      ['docs', 'folder'],
    ]) {
      const given = { path, kind, access: 'public' };
      await assertHardError(
        mcp,
        'create_share',
        given,
        /Public links.*person signed in to the web app.*Next: leave access out/,
      );
      assert.deepEqual(await sharesOf(mcp, String(path)), []);
    }
    const unknown = { path: 'docs', kind: 'folder', access: 'everyone' };
    await assertHardError(mcp, 'create_share', unknown, /\baccess: must be /);
    assert.deepEqual(await sharesOf(mcp, 'docs'), []);
  },
);

test(
  ...claims(
    ['mcp.create-share.private', 'mcp.create-share.missing'],
    "a private item cannot be shared, and looks missing to another's agent",
  ),
  async () => {
    const { mcp, bens } = await openWorkspace();
    await textOf(mcp, 'set_private', { path: 'docs/deep' });
    for (const [hidden, absent, kind] of [
      ['docs/deep', 'docs/none', 'folder'],
      ['docs/deep/note.md', 'docs/none/note.md', 'file'],
    ] as const) {
      const reason = /private item cannot be shared.*set_private/;
      await assertHardError(mcp, 'create_share', { path: hidden, kind }, reason);
      const text = await assertHardError(bens, 'create_share', { path: absent, kind }, /^File not found/);
      for (const path of [hidden, `${hidden}/none`]) {
        for (const requested of ['file', 'folder']) {
          const given = { path, kind: requested };
          assert.equal(await assertHardError(bens, 'create_share', given, /not found/), text);
        }
      }
      assert.equal(await assertHardError(bens, 'list_shares', { path: hidden }, /not found/), text);
      assert.equal(await assertHardError(bens, 'list_shares', { path: absent }, /not found/), text);
    }
    assert.deepEqual(await sharesOf(mcp, 'docs/deep'), []);
    await textOf(mcp, 'set_private', { path: 'docs/deep', private: false });
    await dataOf(mcp, 'create_share', { path: 'docs/deep', kind: 'folder' });
  },
);

test(...claims('mcp.create-share.missing', 'a missing item cannot be shared'), async () => {
  const { workspace, mcp } = await openWorkspace();
  await workspace.put('gone.md', 'x');
  await workspace.remove('gone.md', 1);
  for (const path of ['none.md', 'docs/none', 'gone.md', 'DOCS/plan.md']) {
    for (const kind of ['file', 'folder']) {
      await assertHardError(
        mcp,
        'create_share',
        { path, kind },
        path === 'gone.md' ? /deleted/ : /^File not found.*list_files/,
      );
    }
  }
});

test(
  ...claims('mcp.list-shares', 'all links on exactly that path are listed, whichever user made them'),
  async () => {
    const { workspace, mcp, bens } = await openWorkspace();
    assert.deepEqual(await dataOf(mcp, 'list_shares', { path: 'docs/plan.md' }), { shares: [] });
    const first = await dataOf(mcp, 'create_share', { path: 'docs/plan.md', kind: 'file' });
    const second = await dataOf(bens, 'create_share', { path: 'docs/plan.md', kind: 'file' });
    const third = await share(workspace, 'docs/plan.md', { password: 'canary-secret' });
    const folder = await dataOf(mcp, 'create_share', { path: 'docs', kind: 'folder' });
    for (const reader of [mcp, bens]) {
      const response = await dataOf(reader, 'list_shares', { path: 'docs/plan.md' });
      assert.deepEqual(Object.keys(response), ['shares']);
      const rest = jsonOf(await workspace.query('shares', { path: 'docs/plan.md' }));
      assert.deepEqual(response.shares, rest.shares);
      const shares = recordsAt(response, 'shares');
      assert.deepEqual(
        shares.map(({ id }) => id),
        [first.id, second.id, third.id],
      );
      assert.deepEqual(
        shares.map(({ createdBy }) => createdBy),
        [ada.id, ben.id, ada.id],
      );
      const { createdAt, ...record } = recordOf(shares[0]);
      assert.match(String(createdAt), iso8601);
      assert.deepEqual(record, {
        ...first,
        kind: 'file',
        url: first.memberUrl,
        hasPassword: false,
        pinnedVersion: null,
        pinnedContentHash: null,
        allowScripts: false,
        createdBy: ada.id,
        viewCount: 0,
      });
      assert.deepEqual([shares[2]?.access, shares[2]?.hasPassword], ['public', true]);
      assert.ok(!(await reader.call('list_shares', { path: 'docs/plan.md' })).text.includes('canary-secret'));
      assert.deepEqual(
        (await sharesOf(reader, 'docs')).map(({ id }) => id),
        [folder.id],
      );
      assert.deepEqual(await sharesOf(reader, 'docs/deep'), []);
    }
    await assertHardError(mcp, 'list_shares', {}, /^path is missing: it must be a path/);
    await assertHardError(mcp, 'list_shares', { path: 'none.md' }, /^File not found/);
  },
);

test(
  ...claims(
    ['mcp.revoke-share', 'mcp.list-shares.active', 'mcp.revoke-share.unknown'],
    'a revoked link stops working and is not listed',
  ),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    const kept = await dataOf(mcp, 'create_share', { path: 'docs/plan.md', kind: 'file' });
    const member = await dataOf(mcp, 'create_share', { path: 'docs/plan.md', kind: 'file' });
    const open = await share(workspace, 'docs/plan.md');
    assert.equal(await statusOf(server, open.record.url), 200);
    for (const { id, url } of [
      { id: member.id, url: member.memberUrl },
      { id: open.id, url: open.record.url },
    ]) {
      const text = await textOf(mcp, 'revoke_share', { shareId: id });
      assert.ok(text.includes(String(id)), text);
      for (const client of [ada.session, adasKey.client]) assert.equal(await statusOf(client, url), 404);
      await assertHardError(mcp, 'revoke_share', { shareId: id }, /^Share link not found.*list_shares/);
    }
    assert.equal(await statusOf(server, open.record.url), 404);
    assert.equal(await statusOf(ben.session, kept.memberUrl), 200);
    assert.deepEqual(
      (await sharesOf(mcp, 'docs/plan.md')).map(({ id }) => id),
      [kept.id],
    );
  },
);

test(...claims('mcp.revoke-share', 'only the maker of a link, owners and admins end it'), async () => {
  const { mcp, bens } = await openWorkspace();
  const adas = await dataOf(mcp, 'create_share', { path: 'docs/plan.md', kind: 'file' });
  const made = await dataOf(bens, 'create_share', { path: 'docs/plan.md', kind: 'file' });
  await assertHardError(
    bens,
    'revoke_share',
    { shareId: adas.id },
    /Only the creator of the link, owners and admins/,
  );
  assert.equal(await statusOf(ben.session, adas.memberUrl), 200);
  await textOf(mcp, 'revoke_share', { shareId: made.id });
  assert.deepEqual(
    (await sharesOf(bens, 'docs/plan.md')).map(({ id }) => id),
    [adas.id],
  );
});

test(
  ...claims(
    ['mcp.revoke-share.unknown', 'mcp.list-shares.active'],
    'a link that is missing, or of another workspace, cannot be revoked',
  ),
  async () => {
    const { workspace, mcp, bens } = await openWorkspace();
    const elsewhere = await openWorkspace();
    const other = await dataOf(elsewhere.mcp, 'create_share', { path: 'docs', kind: 'folder' });
    const hidden = await dataOf(bens, 'create_share', { path: 'docs/deep/note.md', kind: 'file' });
    await textOf(mcp, 'set_private', { path: 'docs/deep' });
    const revoke = (by: McpClient, shareId: unknown) =>
      assertHardError(by, 'revoke_share', { shareId }, /^Share link not found.*list_shares/);
    const text = await revoke(mcp, 'none');
    assert.equal(await revoke(mcp, other.id), text);
    assert.equal(await revoke(bens, hidden.id), text);
    assert.equal(await statusOf(ben.session, other.memberUrl), 200);
    for (const shareId of [undefined, null, 7]) {
      await assertHardError(
        mcp,
        'revoke_share',
        { shareId },
        /\bshareId(: | is missing: it )must be the id of a share/,
      );
    }
    // Making the folder private ended the link into it.
    assert.deepEqual(await sharesOf(mcp, 'docs/deep/note.md'), []);
    assertStatus(await workspace.get('docs/deep/note.md'), 200);
    assert.equal(await statusOf(ada.session, hidden.memberUrl), 404);
  },
);
