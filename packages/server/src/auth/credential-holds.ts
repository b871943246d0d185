import type { CallerCredential } from '../service/access/workspace-access.ts';
import type { AuthDeps } from './auth-deps.ts';

/**
 * Whether a credential that was presented earlier would still be accepted: its session is neither signed out nor past its
 * time, its key neither revoked nor disabled nor expired.
 */
export async function credentialHolds(
  { store, clock }: Pick<AuthDeps, 'store' | 'clock'>,
  { via, credentialId, userId }: CallerCredential,
): Promise<boolean> {
  const now = clock();
  switch (via) {
    case 'key': {
      const key = await store.reader.keys.find(credentialId);
      if (key === null || key.userId !== userId) return false;
      return key.deletedAt === null && !key.disabled && (key.expiresAt === null || key.expiresAt > now);
    }
    case 'session': {
      const sql = 'select "expiresAt" from "session" where "id" = ? and "userId" = ?';
      const [session] = await store.reader.library.select(sql, [credentialId, userId]);
      return session !== undefined && Date.parse(String(session.expiresAt)) > now;
    }
  }
}
