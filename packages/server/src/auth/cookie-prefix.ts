import { hkdfSync } from 'node:crypto';
import type { AuthDeps } from './auth-deps.ts';

/**
 * Returns the prefix of this server's cookie names. Browsers keep cookies by host and ignore the port. If the address
 * has a port, the prefix contains an id of the installation, so that two servers on one host keep separate sessions.
 */
export function cookiePrefix({ baseUrl, secret }: Pick<AuthDeps, 'baseUrl' | 'secret'>): string {
  const { protocol, port } = new URL(baseUrl);
  // Browsers send a `__Host-` cookie only to this exact host, over https.
  const prefix = protocol === 'https:' ? '__Host-stoa' : 'stoa';
  if (port === '') return prefix;
  const id = hkdfSync('sha256', secret, '', 'stoa cookie names', 4);
  return `${prefix}-${Buffer.from(id).toString('hex')}`;
}
