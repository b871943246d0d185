// docs/decisions/0009-api-keys-and-sign-in.md
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A new key's secret: shown once, stored only as its hash. */
export interface ApiKeySecret {
  readonly secret: string;
  /** Enough to recognise the key, far too short to guess it. */
  readonly start: string;
  readonly secretHash: string;
}

const apiKeyPrefix = 'stoa_';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 43 base-62 digits hold 256 bits; 6 hold a CRC-32. */
const randomDigits = 43;
const checksumDigits = 6;
const startLength = apiKeyPrefix.length + 4;
const shape = new RegExp(`^${apiKeyPrefix}[0-9A-Za-z]{${randomDigits + checksumDigits}}$`);

/** Returns `stoa_`, 256 random bits and a checksum, all in letters and digits so that a double click selects it. */
export function issueApiKeySecret(): ApiKeySecret {
  const random = BigInt(`0x${randomBytes(32).toString('hex')}`);
  const body = apiKeyPrefix + base62(random, randomDigits);
  const secret = body + checksumOf(body);
  return { secret, start: secret.slice(0, startLength), secretHash: hash('sha256', secret) };
}

/** Returns the hash for looking a key up, or null for a malformed key. */
export function hashApiKey(presented: string): string | null {
  return shape.test(presented) ? hash('sha256', presented) : null;
}

/**
 * Lets scanners for leaked secrets distinguish a key from random letters. A lookup does not check it: a mistyped key
 * has another hash, and is rejected as unknown.
 */
function checksumOf(body: string): string {
  return base62(BigInt(crc32(body)), checksumDigits);
}

function base62(value: bigint, digits: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < digits; i += 1) {
    text = alphabet.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}
