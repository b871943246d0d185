import { exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';

/** Whether the host is this machine, so that a key sent there crosses no network. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname)
  );
}

/** Whether a key may be sent to an address: over https, within this machine, or if the user allowed plain http. */
export function isSafeAddress(address: URL, allowHttp: boolean): boolean {
  return (
    address.protocol === 'https:' ||
    (address.protocol === 'http:' && (allowHttp || isLoopback(address.hostname)))
  );
}

/**
 * Parses a typed server address. The default scheme is https, and http for this machine.
 * @returns origin and path, without a trailing slash
 * @throws Failure `invalid_address`, `plain_http`: usage errors
 */
export function parseServerAddress(typed: string, { allowHttp }: { readonly allowHttp: boolean }): string {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed);
  const guess = hasScheme ? typed : `https://${typed}`;
  const url = URL.canParse(guess) ? new URL(guess) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new Failure({
      code: 'invalid_address',
      exit: exitCodes.usage,
      message: `"${typed}" is not the address of a server.`,
      next: 'Give one like https://files.example.org, or localhost:4700.',
    });
  }
  if (!hasScheme && isLoopback(url.hostname)) {
    // Parsed again, so that a port that is the default of the other scheme is kept.
    return parseServerAddress(`http://${typed}`, { allowHttp });
  }
  if (!isSafeAddress(url, allowHttp)) {
    throw new Failure({
      code: 'plain_http',
      exit: exitCodes.usage,
      message: `${url.origin} is plain http: everybody on the way could read the key.`,
      next: `Use https://${url.host}, or say --allow-http if you trust that network.`,
    });
  }
  return baseOf(url);
}

/** Origin and path of an address, without a trailing slash. */
export function baseOf(url: URL): string {
  return url.origin + url.pathname.replace(/\/+$/, '');
}
