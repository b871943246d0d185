import type { WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { defineScript } from '../ports/script.ts';
import { authorOf, type ChangeAuthor, openForChange } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';

interface SetNodeOrderCommand extends ChangeAuthor {
  readonly paths: readonly WorkspacePath[];
}

export type NodeOrders = readonly (readonly [WorkspacePath, number])[];

/**
 * Numbers the paths in the given order, from 0. Skips paths with nothing visible at or under them.
 * @param order.paths at most `nodeOrderMaxPaths`.
 */
export async function setNodeOrder(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  order: { readonly paths: readonly WorkspacePath[] },
): Promise<NodeOrders> {
  return deps.store.transact(setNodeOrderScript, {
    ...authorOf(access, deps.clock()),
    paths: order.paths,
  });
}

export const setNodeOrderScript = defineScript<SetNodeOrderCommand, NodeOrders>(
  'nodes.set-order',
  async (tx, command) => {
    await openForChange(tx, command, 'write');
    const { workspaceId, viewer, paths } = command;
    const orders: (readonly [WorkspacePath, number])[] = [];
    for (const path of new Set(paths)) {
      if (!(await tx.files.hasVisibleAtOrBelow(workspaceId, path, viewer))) continue;
      await tx.write.setOrder(workspaceId, path, orders.length);
      orders.push([path, orders.length]);
    }
    return orders;
  },
);
