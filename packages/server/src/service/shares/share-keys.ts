// docs/decisions/0023-share-links.md
import { createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { ShareRow } from '../ports/share-store.ts';

/** What a page hands to the addresses within it, so that they open as it did and are not counted again. */
export interface ViewTicket {
  readonly shareId: string;
  /** Who opened a member link; null for a public one. */
  readonly viewerId: string | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Everything about links that rests on the server's secret. A link's token is made from it and from the link's id, so that
 * members can be shown the address again although the database has only the token's hash.
 */
export interface ShareKeys {
  /** 256 bits in letters that an address can hold. */
  tokenOf(shareId: string): string;
  /** Null when the link was made under another secret: it still opens, but its address cannot be shown. */
  shownTokenOf(share: Pick<ShareRow, 'id' | 'tokenHash'>): string | null;
  sealTicket(ticket: ViewTicket): string;
  /** Null for anything that `sealTicket` did not make. */
  openTicket(text: string): ViewTicket | null;
  /** What shows that somebody knew the link's password. */
  proveUnlocked(share: Pick<ShareRow, 'id' | 'passwordHash'>, expiresAt: number): string;
  /** @returns until when it holds; null for anything that `proveUnlocked` did not make for this password. */
  readProof(share: Pick<ShareRow, 'id' | 'passwordHash'>, text: string): number | null;
}

const purpose = 'stoa share links';
const tokenShape = /^[A-Za-z0-9_-]{43}$/;
const ticketShape = /^(\d{1,16})\.([A-Za-z0-9_-]{0,128})\.([A-Za-z0-9_-]{1,128})\.([A-Za-z0-9_-]{43})$/;
const proofShape = /^(\d{1,16})\.([A-Za-z0-9_-]{43})$/;

/** The hash by which a presented token is looked up, or null for what was never issued. */
export function hashShareToken(presented: string): string | null {
  return tokenShape.test(presented) ? hash('sha256', presented) : null;
}

/** @param secret at least 256 random bits, the same on every node. */
export function createShareKeys(secret: string): ShareKeys {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32));
  // No part holds a line break, so two different lists never become the same text.
  const sign = (...parts: readonly (string | number)[]) =>
    createHmac('sha256', key).update(parts.join('\n')).digest('base64url');
  const tokenOf = (shareId: string) => sign('token', shareId);
  return {
    tokenOf,
    shownTokenOf({ id, tokenHash }) {
      const token = tokenOf(id);
      return hash('sha256', token) === tokenHash ? token : null;
    },
    sealTicket({ shareId, viewerId, expiresAt }) {
      const viewer = viewerId ?? '';
      return `${expiresAt}.${viewer}.${shareId}.${sign('ticket', shareId, viewer, expiresAt)}`;
    },
    openTicket(text) {
      const [, time = '', viewer = '', shareId = '', mac = ''] = ticketShape.exec(text) ?? [];
      if (!isSame(mac, sign('ticket', shareId, viewer, time))) return null;
      return { shareId, viewerId: viewer === '' ? null : viewer, expiresAt: Number(time) };
    },
    proveUnlocked: ({ id, passwordHash }, expiresAt) =>
      `${expiresAt}.${sign('unlocked', id, passwordHash ?? '', expiresAt)}`,
    readProof({ id, passwordHash }, text) {
      const [, time = '', mac = ''] = proofShape.exec(text) ?? [];
      return isSame(mac, sign('unlocked', id, passwordHash ?? '', time)) ? Number(time) : null;
    },
  };
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
