import { isWithin, type PathPrefix } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** Maximum number of threads to count; above it, the number is a lower bound. */
const threadsMax = 1000;

/** Counts unresolved threads on existing files that the caller may see. */
export async function openThreadsWithin(
  { store }: Pick<ServiceDeps, 'store'>,
  { workspace, viewer }: WorkspaceAccess,
  prefix: PathPrefix,
): Promise<{ readonly threads: number; readonly files: number; readonly isAll: boolean }> {
  const filter = { path: null, threadId: null, status: 'open', authorId: null } as const;
  return store.snapshot(async ({ comments }) => {
    const page = { workspaceId: workspace.id, viewer, offset: 0, limit: threadsMax };
    const { total, seqs } = await comments.scan({ ...filter, ...page });
    const heads = await comments.heads(workspace.id, seqs);
    const open = heads.filter(({ path, file }) => file !== null && isWithin(path, prefix));
    const files = new Set(open.map(({ path }) => path));
    return { threads: open.length, files: files.size, isAll: total <= seqs.length };
  });
}
