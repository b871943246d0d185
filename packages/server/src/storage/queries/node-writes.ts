import type { WorkspacePath } from '@stoa/core';
import { sql } from 'kysely';
import type { Writer } from '../../service/ports/transaction.ts';
import type { Executor } from './executor.ts';
import { rangeBelow } from './path-range.ts';
import { compileQuery, type Placeholders } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import type { NodePrivacyTable } from './tables.ts';

type AtPath = { workspaceId: string; path: WorkspacePath };
type ImpliedBelow = { workspaceId: string; ownerId: string; after: string; before: string };

export type NodeWrites = ReturnType<typeof nodeWrites>;

export function nodeWrites({ db, paths }: QueryDialect) {
  const keyed = sql.ref<string>('path');
  const removeFrom = (table: 'node_icon' | 'node_order' | 'node_privacy') =>
    compileQuery(({ workspaceId, path }: Placeholders<AtPath>) =>
      db.deleteFrom(table).where('workspace_id', '=', workspaceId).where(paths.same(keyed, path)),
    );
  return {
    clearIcon: removeFrom('node_icon'),
    clearOrder: removeFrom('node_order'),
    clearPrivacy: removeFrom('node_privacy'),
    setIcon: compileQuery(({ workspaceId, path, icon }: Placeholders<AtPath & { icon: string }>) =>
      db
        .insertInto('node_icon')
        .values({ workspace_id: workspaceId, path, icon })
        .onConflict((conflict) =>
          conflict.expression(paths.unique).doUpdateSet((of) => ({ icon: of.ref('excluded.icon') })),
        ),
    ),
    setOrder: compileQuery(({ workspaceId, path, position }: Placeholders<AtPath & { position: number }>) =>
      db
        .insertInto('node_order')
        .values({ workspace_id: workspaceId, path, position })
        .onConflict((conflict) =>
          conflict.expression(paths.unique).doUpdateSet((of) => ({ position: of.ref('excluded.position') })),
        ),
    ),
    replacePrivacy: compileQuery((row: Placeholders<NodePrivacyTable>) =>
      db
        .updateTable('node_privacy')
        .set({ kind: row.kind, owner_id: row.owner_id, implied: row.implied })
        .where('workspace_id', '=', row.workspace_id)
        .where(paths.same(keyed, row.path)),
    ),
    insertPrivacy: compileQuery((row: Placeholders<NodePrivacyTable>) =>
      db.insertInto('node_privacy').values({
        workspace_id: row.workspace_id,
        path: row.path,
        kind: row.kind,
        owner_id: row.owner_id,
        implied: row.implied,
      }),
    ),
    clearImpliedBelow: compileQuery(({ workspaceId, ownerId, after, before }: Placeholders<ImpliedBelow>) =>
      db
        .deleteFrom('node_privacy')
        .where('workspace_id', '=', workspaceId)
        .where(paths.compare(keyed, '>', after))
        .where(paths.compare(keyed, '<', before))
        .where('owner_id', '=', ownerId)
        .where('implied', '=', sql.lit(1)),
    ),
    countPrivacy: compileQuery(
      ({ workspaceId, records }: Placeholders<{ workspaceId: string; records: number }>) =>
        db
          .updateTable('workspace_counter')
          .set((of) => ({ privacy_records: of('privacy_records', '+', records) }))
          .where('workspace_id', '=', workspaceId),
    ),
  };
}

export function createNodeWriter(
  executor: Executor,
  writes: NodeWrites,
): Pick<Writer, 'setIcon' | 'setOrder' | 'setPrivacy' | 'clearPrivacy' | 'clearImpliedPrivacyBelow'> {
  /** The counter lets reads skip looking for records: it must never be lower than their number. */
  const countPrivacy = async (workspaceId: string, records: number) => {
    if (records !== 0) await writes.countPrivacy.run(executor, { workspaceId, records });
  };
  return {
    async setIcon(workspaceId, path, icon) {
      if (icon === null) await writes.clearIcon.run(executor, { workspaceId, path });
      else await writes.setIcon.run(executor, { workspaceId, path, icon });
    },
    async setOrder(workspaceId, path, order) {
      if (order === null) await writes.clearOrder.run(executor, { workspaceId, path });
      else await writes.setOrder.run(executor, { workspaceId, path, position: order });
    },
    async setPrivacy(workspaceId, { path, kind, ownerId, implied }) {
      const row = {
        workspace_id: workspaceId,
        path,
        kind,
        owner_id: ownerId,
        implied: implied ? 1 : 0,
      };
      if ((await writes.replacePrivacy.run(executor, row)) === 1) return;
      await writes.insertPrivacy.run(executor, row);
      await countPrivacy(workspaceId, 1);
    },
    async clearPrivacy(workspaceId, path) {
      await countPrivacy(workspaceId, -(await writes.clearPrivacy.run(executor, { workspaceId, path })));
    },
    async clearImpliedPrivacyBelow(workspaceId, folder, ownerId) {
      const range = rangeBelow(folder);
      const cleared = await writes.clearImpliedBelow.run(executor, { workspaceId, ownerId, ...range });
      await countPrivacy(workspaceId, -cleared);
    },
  };
}
