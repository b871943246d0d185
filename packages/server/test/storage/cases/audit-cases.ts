import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AuditQuestion, AuditRow } from '../../../src/service/ports/audit.ts';
import type { MetadataStore } from '../../../src/service/ports/metadata-store.ts';
import { createStoreDriver, path } from '../support/store-driver.ts';
import { auditedScript } from '../support/store-scripts.ts';

const nothingElse = {
  principal: null,
  actorKeyId: null,
  actorLabel: null,
  address: null,
  requestId: null,
  targetId: null,
  targetName: null,
  path: null,
  pathOwnerId: null,
  details: '{}',
} as const;

export function auditCases(store: () => MetadataStore): void {
  it('the audit log is read in pages, filtered, and in either order', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const entry = (
      id: string,
      createdAt: number,
      action: AuditRow['action'],
      personId: string,
    ): AuditRow => ({
      ...nothingElse,
      ...{ id: `${workspaceId} ${id}`, createdAt, action, workspaceId, personId, actorId: 'operator' },
    });
    const rows = [
      entry('a', 1, 'key.make', 'ada'),
      entry('b', 2, 'key.revoke', 'ada'),
      entry('c', 2, 'member.join', 'bob'),
      entry('d', 3, 'member.leave', 'bob'),
    ];
    await driver.run(...rows.map((row) => ['insertAuditEntry', row] as const));
    await driver.run(['insertAuditEntry', { ...entry('e', 2, 'key.make', 'ada'), workspaceId: null }]);
    const any = { kind: null, personId: null, since: null, until: null, after: null, limit: 10 } as const;
    const page = async (question: Partial<AuditQuestion>) => {
      const found = await store().reader.audit.page({
        workspaceId,
        order: 'oldest first',
        ...any,
        ...question,
      });
      return found.map(({ id }) => id.at(-1)).join('');
    };
    assert.deepEqual(await store().reader.audit.page({ workspaceId, order: 'oldest first', ...any }), rows);
    assert.equal(await page({ order: 'newest first' }), 'dcba');
    assert.equal(await page({ kind: 'key' }), 'ab');
    assert.equal(await page({ personId: 'bob' }), 'cd');
    assert.equal(await page({ personId: 'operator' }), 'abcd');
    assert.equal(await page({ since: 2, until: 3 }), 'bc');
    assert.equal(await page({ limit: 1, after: rows[1] ?? null }), 'c');
    assert.equal(await page({ order: 'newest first', limit: 2, after: rows[2] ?? null }), 'ba');
  });

  it('a row of the audit log is not changed, and not deleted before it is forgotten', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const kept: AuditRow = {
      ...nothingElse,
      ...{ id: `kept ${workspaceId}`, createdAt: 900, action: 'key.make', workspaceId },
      ...{ personId: null, actorId: null },
    };
    const old = { ...kept, id: `old ${workspaceId}`, createdAt: 100 };
    await driver.run(['insertAuditEntry', kept], ['insertAuditEntry', old]);
    for (const sql of [
      'update audit_entry set action = ? where id = ?',
      'delete from audit_entry where action <> ? and id = ?',
    ]) {
      await assert.rejects(driver.run(['execute', sql, ['x', kept.id]]), /only added to/);
    }
    const ids = async () => {
      const any = { kind: null, personId: null, since: null, until: null, after: null } as const;
      const page = { workspaceId, order: 'oldest first', limit: 10, ...any } as const;
      return (await store().reader.audit.page(page)).map(({ id }) => id);
    };
    assert.deepEqual(await ids(), [old.id, kept.id]);
    await driver.run(['forgetAuditEntries', 900, 100]);
    assert.deepEqual(await ids(), [kept.id]);
  });

  it('a change whose audit row has no origin is not made', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const made = async () => {
      const any = { kind: null, personId: null, since: null, until: null, after: null } as const;
      const rows = await store().reader.audit.page({ workspaceId, order: 'oldest first', limit: 10, ...any });
      const viewer = { userId: 'us_ada', within: '' } as const;
      const icons = await store().reader.nodes.icons(workspaceId, '', viewer);
      return { actions: rows.map(({ action }) => action), icons: [...icons] };
    };
    const command = {
      step: ['setIcon', workspaceId, path('a.md'), 'star'],
      note: { action: 'key.make', at: 1, workspaceId },
    } as const;
    await assert.rejects(
      store().transact({ ...auditedScript, originOf: null }, command),
      /was run without an origin/,
    );
    assert.deepEqual(await made(), { actions: [], icons: [] });
    await store().transact(auditedScript, command);
    assert.deepEqual(await made(), { actions: ['key.make'], icons: [['a.md', 'star']] });
  });
}
