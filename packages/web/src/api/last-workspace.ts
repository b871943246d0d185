import { createKept } from '../store/kept.ts';

const kept = createKept<string | null>(
  'stoa.last-workspace',
  (text) => text,
  (id) => id ?? '',
);

/** The workspace that was last used on this device: where the start leads. */
export const lastWorkspace = {
  get: (): string | null => kept.get(),
  keep: (workspaceId: string) => kept.set(workspaceId),
  forget: (workspaceId: string) => {
    if (kept.get() === workspaceId) kept.set(null);
  },
};
