import { createKept } from '../store/kept.ts';

const kept = createKept<string | null>(
  'stoa.last-workspace',
  (text) => text,
  (id) => id ?? '',
);

/** The workspace last used on this device, to which the start page redirects. */
export const lastWorkspace = {
  get: (): string | null => kept.get(),
  keep: (workspaceId: string) => kept.set(workspaceId),
  forget: (workspaceId: string) => {
    if (kept.get() === workspaceId) kept.set(null);
  },
};
