// docs/decisions/0012-share-links-and-stored-bytes.md
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { CallerCredential } from '../access.ts';
import type { ShareRow } from '../ports/shares.ts';

/**
 * Opens the bytes of one file behind a link on the content origin, which the visitor's cookies do not reach. It never
 * outlives the access that it was made from, and is never made from another pass.
 */
export interface ContentPass {
  /** The user who opened a member link, checked again at each use; null for a public link. */
  readonly viewer: CallerCredential | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Everything about links that depends on the server's secret. A link's token is derived from the secret and the link's
 * id, so that members can see the URL again although the database has only the token's hash.
 */
export interface ShareKeys {
  /** 256 bits in URL-safe characters. */
  tokenOf(shareId: string): string;
  /** Null when the link was made with another secret: it still opens, but its URL cannot be shown. */
  shownTokenOf(share: Pick<ShareRow, 'id' | 'tokenHash'>): string | null;
  /** Returns a mark for the URLs within a page, as part of a view that was already counted. It grants no access. */
  markViewed(shareId: string, expiresAt: number): string;
  /** @returns its expiry; null for anything that `markViewed` did not make for this link. */
  readViewed(shareId: string, text: string): number | null;
  /** Encrypts a pass, so that its URL reveals nothing about its viewer. */
  sealPass(file: PassedFile, pass: ContentPass): string;
  /** Null for anything that `sealPass` did not make for this file of this link. */
  openPass(file: PassedFile, text: string): ContentPass | null;
  /** Returns proof that the visitor knew the link's password. */
  proveUnlocked(share: Pick<ShareRow, 'id' | 'passwordHash'>, expiresAt: number): string;
  /** @returns its expiry; null for anything that `proveUnlocked` did not make for this password. */
  readProof(share: Pick<ShareRow, 'id' | 'passwordHash'>, text: string): number | null;
}

/** `below` is relative to the shared folder; empty for the shared item itself. */
export interface PassedFile {
  readonly shareId: string;
  readonly below: string;
}

const purpose = 'stoa share links';
const passPurpose = 'stoa share links: passes for content';
const keyBytes = 32;
const passCipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const tokenShape = /^[A-Za-z0-9_-]{43}$/;
/** A time and a signature over it. */
const signedTimeShape = /^(\d{1,16})\.([A-Za-z0-9_-]{43})$/;
const passShape = /^[A-Za-z0-9_-]{38,1024}$/;
const passTextShape = /^(\d{1,16})(?: (session|key) (\S+) (\S+))?$/;

/** Returns the hash for looking a token up, or null for a malformed token. */
export function hashShareToken(presented: string): string | null {
  return tokenShape.test(presented) ? hash('sha256', presented) : null;
}

/** @param secret at least 256 random bits, the same on every node. */
export function createShareKeys(secret: string): ShareKeys {
  const derived = (info: string) => new Uint8Array(hkdfSync('sha256', secret, '', info, keyBytes));
  const key = derived(purpose);
  const passKey = derived(passPurpose);
  // Parts contain no line breaks, so different lists never produce the same text.
  const sign = (...parts: readonly (string | number)[]) =>
    createHmac('sha256', key).update(parts.join('\n')).digest('base64url');
  const tokenOf = (shareId: string) => sign('token', shareId);
  const signTime = (time: number, ...about: readonly string[]) => `${time}.${sign(...about, time)}`;
  const readTime = (text: string, ...about: readonly string[]) => {
    const [, time = '', mac = ''] = signedTimeShape.exec(text) ?? [];
    return isSame(mac, sign(...about, time)) ? Number(time) : null;
  };
  return {
    tokenOf,
    shownTokenOf({ id, tokenHash }) {
      const token = tokenOf(id);
      return hash('sha256', token) === tokenHash ? token : null;
    },
    markViewed: (shareId, expiresAt) => signTime(expiresAt, 'viewed', shareId),
    readViewed: (shareId, text) => readTime(text, 'viewed', shareId),
    sealPass(file, pass) {
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(passCipher, passKey, nonce).setAAD(aboutFile(file));
      const sealed = Buffer.concat([sealing.update(passText(pass), 'utf8'), sealing.final()]);
      return Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString('base64url');
    },
    openPass(file, text) {
      if (!passShape.test(text)) return null;
      const bytes = Buffer.from(text, 'base64url');
      const opening = createDecipheriv(passCipher, passKey, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      opening.setAAD(aboutFile(file)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      const opened = opening.update(bytes.subarray(nonceBytes + tagBytes));
      try {
        opening.final();
      } catch {
        return null;
      }
      return parsePassText(opened.toString('utf8'));
    },
    proveUnlocked: ({ id, passwordHash }, expiresAt) =>
      signTime(expiresAt, 'unlocked', id, passwordHash ?? ''),
    readProof: ({ id, passwordHash }, text) => readTime(text, 'unlocked', id, passwordHash ?? ''),
  };
}

/** An id contains no line break. */
function aboutFile({ shareId, below }: PassedFile): Buffer {
  return Buffer.from(`${shareId}\n${below}`, 'utf8');
}

function passText({ expiresAt, viewer }: ContentPass): string {
  return viewer === null
    ? `${expiresAt}`
    : `${expiresAt} ${viewer.via} ${viewer.credentialId} ${viewer.userId}`;
}

function parsePassText(text: string): ContentPass | null {
  const [, time, via, credentialId = '', userId = ''] = passTextShape.exec(text) ?? [];
  if (time === undefined) return null;
  const expiresAt = Number(time);
  if (via === undefined) return { viewer: null, expiresAt };
  return { viewer: { via: via === 'key' ? 'key' : 'session', credentialId, userId }, expiresAt };
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
