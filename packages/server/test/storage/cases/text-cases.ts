import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fullGrant, memberViewer } from '@stoa/core';
import type { MetadataStore } from '../../../src/service/ports/metadata-store.ts';
import { createStoreDriver, path } from '../support/store-driver.ts';
import { appendScript } from '../support/store-scripts.ts';

const unstorable = ['a\0b', 'half \ud83d', '\udc00 half'];
const odd = [
  `it's "quoted" and \\slashed`,
  '$1 ? :name',
  '\u{1f600} \u{10ffff}',
  '\u0001\u007f\n\r\t',
  '%_',
  'é é',
];

/** Texts that databases treat differently, or that look like SQL. */
export function textCases(store: () => MetadataStore): void {
  it('an odd text comes back as it was written', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    for (const [i, text] of odd.entries()) {
      const secret = {
        id: `key_${i}_${workspaceId}`,
        secretHash: `${text} ${workspaceId}`,
        start: text,
        name: text,
      };
      await driver.run(
        ['setIcon', workspaceId, path(`p${i}`), text],
        ['updateWorkspace', workspaceId, { name: text, themeCss: text }],
        [
          'insertUser',
          { id: `us_${i}_${workspaceId}`, email: secret.secretHash, name: text, ...account(i, workspaceId) },
        ],
        [
          'insertKey',
          {
            ...secret,
            userId: `us_${i}_${workspaceId}`,
            workspaceId: null,
            principal: 'human',
            ...fullGrant,
            expiresAt: null,
            expiresInDays: null,
            createdAt: 1,
          },
        ],
      );
      const workspace = await store().reader.workspaces.find(workspaceId);
      assert.deepEqual([workspace?.name, workspace?.themeCss], [text, text]);
      const icons = await store().reader.nodes.icons(workspaceId, path(`p${i}`), memberViewer('us_a'));
      assert.equal(icons.get(path(`p${i}`)), text);
      const found = await store().reader.keys.findByHash(secret.secretHash);
      assert.deepEqual([found?.key.name, found?.userName], [text, text]);
      const [row] = await store().reader.library.select('select "name" from "user" where "email" = ?', [
        secret.secretHash,
      ]);
      assert.deepEqual(row, { name: text });
    }
  });

  it('a text that no database can store is rejected, and concurrent changes are kept', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    for (const text of unstorable) {
      const rejected = { code: 'invalid_request' };
      const ended = await Promise.allSettled([
        store().transact(appendScript, { workspaceId, path: 'before' }),
        driver.run(['setIcon', workspaceId, path('p'), text]),
        driver.run(['updateWorkspace', workspaceId, { name: text }]),
        driver.run(['execute', 'delete from "session" where "token" = ?', [text]]),
        store().transact(appendScript, { workspaceId, path: text }),
        store().transact(appendScript, { workspaceId: text, path: 'a' }),
        store().transact(appendScript, { workspaceId, path: 'after' }),
      ]);
      assert.deepEqual(
        ended.map((end) => (end.status === 'rejected' ? end.reason.code : 'kept')),
        ['kept', ...Array(5).fill('invalid_request'), 'kept'],
      );
      await assert.rejects(store().reader.workspaces.find(text), rejected);
      await assert.rejects(store().reader.workspaces.findWithRole(workspaceId, text), rejected);
      await assert.rejects(store().reader.keys.findByHash(text), rejected);
      await assert.rejects(
        store().reader.library.select('select * from "session" where "token" = ?', [text]),
        rejected,
      );
      await assert.rejects(
        store().snapshot((reader) => reader.changes.head(text)),
        rejected,
      );
    }
    const query = {
      workspaceId,
      viewer: memberViewer('us_a'),
      sinceSeq: 0,
      limit: 100,
      includeComments: true,
    };
    const { changes } = await store().reader.changes.scan(query);
    assert.deepEqual(
      changes.map(({ path }) => path),
      unstorable.flatMap(() => ['before', 'after']),
    );
    assert.equal((await store().reader.workspaces.find(workspaceId))?.name, 'Tests');
  });
}

function account(i: number, workspaceId: string) {
  return { accountRowId: `ac_${i}_${workspaceId}`, passwordHash: 'x', createdAt: 1 };
}
