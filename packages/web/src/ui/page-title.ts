import { createStore } from '../store/store.ts';

/** Name of the current workspace, for titles; null outside a workspace. */
export const shownWorkspaceName = createStore<string | null>(null);

/** `plan.md · Team · Stoa`. Omits duplicates. */
export function documentTitle(heading: string, workspaceName: string | null, product: string): string {
  const parts = [heading, workspaceName, product].filter((part) => part !== null && part !== '');
  return parts.filter((part, location) => parts.indexOf(part) === location).join(' · ');
}
