// docs/decisions/0012-keys-are-ours.md
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A new key's secret: shown once, kept only as its hash. */
export interface ApiKeySecret {
  readonly secret: string;
  /** Enough to recognise the key by, far too little to guess it. */
  readonly start: string;
  readonly secretHash: string;
}

const apiKeyPrefix = 'stoa_';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 43 base-62 digits hold 256 bits; 6 hold a CRC-32. */
const randomDigits = 43;
const checksumDigits = 6;
const bodyLength = apiKeyPrefix.length + randomDigits;
const startLength = apiKeyPrefix.length + 4;
const shape = new RegExp(`^${apiKeyPrefix}[0-9A-Za-z]{${randomDigits + checksumDigits}}$`);

/** `stoa_`, 256 random bits and a checksum, all of letters and digits so that a double click selects it. */
export function issueApiKeySecret(): ApiKeySecret {
  const random = BigInt(`0x${randomBytes(32).toString('hex')}`);
  const body = apiKeyPrefix + base62(random, randomDigits);
  const secret = body + checksumOf(body);
  return { secret, start: secret.slice(0, startLength), secretHash: hash('sha256', secret) };
}

/**
 * The hash by which a presented key is looked up, or null for what was never issued: the checksum tells a mistyped or
 * cut-off key from a revoked one without a look-up. It does not protect; the 256 random bits do.
 */
export function hashApiKey(presented: string): string | null {
  if (!shape.test(presented)) return null;
  if (presented.slice(bodyLength) !== checksumOf(presented.slice(0, bodyLength))) return null;
  return hash('sha256', presented);
}

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
