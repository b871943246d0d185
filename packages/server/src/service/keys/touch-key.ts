import { defineScript } from '../ports/script.ts';

/** Records when a key was last used, unless it was revoked in the meantime. */
export const touchKeyScript = defineScript<{ readonly keyId: string; readonly usedAt: number }, void>(
  'keys.touch',
  async (tx, { keyId, usedAt }) => {
    const key = await tx.keys.find(keyId);
    if (key === null || key.deletedAt !== null) return;
    if (key.lastUsedAt === null || key.lastUsedAt < usedAt) await tx.write.touchKey(keyId, usedAt);
  },
);
