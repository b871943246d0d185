import { exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';

/** Whether only this machine can be meant: a key that goes there crosses no network. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname)
  );
}

/** Whether a key may be sent to an address: over https, within this machine, or where its person allowed plain http. */
export function isSafeAddress(address: URL, allowHttp: boolean): boolean {
  return (
    address.protocol === 'https:' ||
    (address.protocol === 'http:' && (allowHttp || isLoopback(address.hostname)))
  );
}

/**
 * The address of a server as typed: without a scheme it is https, on this machine http.
 * @returns origin and path, without a slash at the end.
 * @throws Failure `invalid_address`, `plain_http`: wrong usage.
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
    // Set anew, so that a port is kept that belongs to the other scheme.
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

/** Origin and path of an address, without a slash at the end. */
export function baseOf(url: URL): string {
  return url.origin + url.pathname.replace(/\/+$/, '');
}
