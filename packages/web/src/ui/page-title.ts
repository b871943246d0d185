import { createStore } from '../store/store.ts';

/** The name of the workspace that is shown, for titles; null outside of one. */
export const shownWorkspaceName = createStore<string | null>(null);

/** `plan.md · Team · Stoa`. A thing is named once. */
export function documentTitle(heading: string, workspaceName: string | null, product: string): string {
  const parts = [heading, workspaceName, product].filter((part) => part !== null && part !== '');
  return parts.filter((part, place) => parts.indexOf(part) === place).join(' · ');
}
