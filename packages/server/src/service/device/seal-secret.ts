// The secret is encrypted with the device code, of which only a hash is stored: a copy of the database yields no key.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const purpose = 'stoa device flow: sealed key';

/**
 * Encrypts a key's secret so that only the device code decrypts it.
 * @returns nonce, tag and ciphertext, in this order.
 */
export function sealSecret(secret: string, deviceCode: string): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, keyOf(deviceCode), nonce);
  const sealed = Buffer.concat([sealing.update(secret, 'utf8'), sealing.final()]);
  return Uint8Array.from(Buffer.concat([nonce, sealing.getAuthTag(), sealed]));
}

/** @throws Error when it was encrypted for another code, or was tampered with. */
export function openSecret(sealed: Uint8Array, deviceCode: string): string {
  const bytes = Buffer.from(sealed);
  const opening = createDecipheriv(cipher, keyOf(deviceCode), bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()]).toString(
    'utf8',
  );
}

function keyOf(deviceCode: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', deviceCode, '', purpose, keyBytes));
}
