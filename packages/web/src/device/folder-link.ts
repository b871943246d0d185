import type { DeviceRequest } from '@stoa/contract';

/**
 * Whether `stoa link` or `stoa clone` asks. Both reject a key that may not read and change the whole workspace. Any
 * program can claim their name, but gets no more rights than the page offers by default.
 */
export function isFolderLink({ userAgent }: Pick<DeviceRequest, 'userAgent'>): boolean {
  return userAgent.startsWith('stoa/');
}
