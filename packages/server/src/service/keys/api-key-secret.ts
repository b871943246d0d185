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
const startLength = apiKeyPrefix.length + 4;
const shape = new RegExp(`^${apiKeyPrefix}[0-9A-Za-z]{${randomDigits + checksumDigits}}$`);

/** `stoa_`, 256 random bits and a checksum, all of letters and digits so that a double click selects it. */
export function issueApiKeySecret(): ApiKeySecret {
  const random = BigInt(`0x${randomBytes(32).toString('hex')}`);
  const body = apiKeyPrefix + base62(random, randomDigits);
  const secret = body + checksumOf(body);
  return { secret, start: secret.slice(0, startLength), secretHash: hash('sha256', secret) };
}

/** The hash by which a presented key is looked up, or null for what is not shaped like one. */
export function hashApiKey(presented: string): string | null {
  return shape.test(presented) ? hash('sha256', presented) : null;
}

/**
 * For programs that search texts for leaked secrets: they tell a key from random letters by it. A look-up does without:
 * a mistyped key has another hash, and is refused like one that was never issued.
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
