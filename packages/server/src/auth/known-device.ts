import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { AuthDeps } from './auth-deps.ts';
import { cookiePrefix } from './cookie-prefix.ts';

/**
 * A cookie that remembers a past sign-in to an account from this browser. It is not a credential. It lets the next
 * sign-in to the same account skip the limits of strangers, so that wrong passwords from many addresses do not lock out
 * its owner.
 */
export interface KnownDevices {
  /** An opaque name for an account in counts of attempts. */
  tagOf(email: string): string;
  isKnown(cookieHeader: string | null, email: string): boolean;
  /** Returns the value of a `set-cookie` header. */
  remember(email: string): string;
}

const purpose = 'stoa known devices';
const rememberedForMs = 90 * 24 * 60 * 60 * 1000;
const shape = /^(\d{1,16})\.([A-Za-z0-9_-]{43})$/;

export function createKnownDevices({
  baseUrl,
  secret,
  clock,
}: Pick<AuthDeps, 'baseUrl' | 'secret' | 'clock'>): KnownDevices {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32));
  const sign = (...parts: readonly (string | number)[]) =>
    createHmac('sha256', key).update(parts.join('\n')).digest('base64url');
  const isHttps = baseUrl.startsWith('https:');
  const name = `${cookiePrefix({ baseUrl, secret })}_known`;
  const attributes = `Path=/; Max-Age=${rememberedForMs / 1000}; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`;
  return {
    tagOf: (email) => sign('account', email.toLowerCase()),
    isKnown(cookieHeader, email) {
      for (const pair of (cookieHeader ?? '').split(';')) {
        const [cookie = '', value = ''] = pair.trim().split('=', 2);
        const [, until = '', mac = ''] = (cookie === name && shape.exec(value)) || [];
        if (mac === '' || Number(until) <= clock()) continue;
        if (timingSafeEqual(Buffer.from(mac), Buffer.from(sign('known', email.toLowerCase(), until))))
          return true;
      }
      return false;
    },
    remember(email) {
      const until = clock() + rememberedForMs;
      return `${name}=${until}.${sign('known', email.toLowerCase(), until)}; ${attributes}`;
    },
  };
}
