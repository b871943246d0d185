import { type NodeKind, WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { requireOwner } from '../members/require-manager.ts';
import type { PrivacyRow } from '../ports/nodes.ts';
import type { Reader } from '../ports/reader.ts';
import { createTicks } from '../search/ticks.ts';
import type { ServiceDeps } from '../service-deps.ts';

export interface FormerMemberItem {
  readonly path: WorkspacePath;
  readonly kind: NodeKind;
  /** The name is empty when the account is deleted. */
  readonly owner: { readonly id: string; readonly name: string };
}

export interface FormerMemberPage {
  readonly items: readonly FormerMemberItem[];
  /** Start of the next page; null on the last one. */
  readonly nextAfter: WorkspacePath | null;
}

interface PageQuery {
  readonly after: WorkspacePath | null;
  readonly limit: number;
}

/** One page takes a few milliseconds. */
const scanRows = 1000;

/**
 * Lists private items of former members, by path (interface: privacy, Members who leave). For owners.
 * @throws WorkspaceError `forbidden_role`
 */
export async function listFormerMemberItems(
  deps: Pick<ServiceDeps, 'store'>,
  access: WorkspaceAccess,
  page: PageQuery,
): Promise<FormerMemberPage> {
  requireOwner(access, 'list the private items of former members');
  const { id } = access.workspace;
  return deps.store.snapshot(async (reader) =>
    readFormerMember(reader, id, await readMemberIds(reader, id), page),
  );
}

/**
 * As `listFormerMemberItems`, for an operator: includes the private items of members whose account is disabled.
 * @throws WorkspaceError `workspace_not_found`
 */
export async function listItemsOfFormerMember(
  deps: Pick<ServiceDeps, 'store'>,
  workspaceId: string,
  page: PageQuery,
): Promise<FormerMemberPage> {
  return deps.store.snapshot(async (reader) => {
    if ((await reader.workspaces.find(workspaceId)) === null) throw new WorkspaceError('workspace_not_found');
    const members = await readMemberIds(reader, workspaceId);
    for (const id of members) {
      if ((await reader.users.find(id))?.disabledAt !== null) members.delete(id);
    }
    return readFormerMember(reader, workspaceId, members, page);
  });
}

async function readMemberIds(reader: Reader, workspaceId: string): Promise<Set<string>> {
  return new Set((await reader.members.listOf(workspaceId)).map(({ userId }) => userId));
}

/** `reader` must be one snapshot. Terminates because a workspace has a bounded number of records. */
async function readFormerMember(
  reader: Reader,
  workspaceId: string,
  members: ReadonlySet<string>,
  { after, limit }: PageQuery,
): Promise<FormerMemberPage> {
  const rounds = createTicks();
  const found: PrivacyRow[] = [];
  let afterPath = after;
  for (;;) {
    const rows: readonly PrivacyRow[] = await reader.nodes.privacyPage({
      workspaceId,
      afterPath,
      limit: scanRows,
    });
    found.push(...rows.filter(({ ownerId }) => !members.has(ownerId)));
    if (rows.length < scanRows || found.length > limit) break;
    afterPath = rows.at(-1)?.path ?? null;
    await rounds.next();
  }
  const listed = found.slice(0, limit);
  const names = new Map<string, string>();
  for (const id of new Set(listed.map(({ ownerId }) => ownerId))) {
    names.set(id, (await reader.users.find(id))?.name ?? '');
  }
  const items = listed.map(({ path, kind, ownerId }) => {
    return { path, kind, owner: { id: ownerId, name: names.get(ownerId) ?? '' } };
  });
  return { items, nextAfter: found.length > limit ? (listed.at(-1)?.path ?? null) : null };
}
