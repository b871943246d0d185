import { BlockList, isIP } from 'node:net';
import type { z } from 'zod';
import { isSafeAddress } from '../auth/provider/safe-address.ts';

/** Parses an http(s) address without query or fragment. A trailing slash is dropped, so that paths can be appended. */
export function parseHttpUrl(text: string, context: z.RefinementCtx<string>): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    context.addIssue({ code: 'custom', message: 'must be an http:// or https:// address without ? or #' });
    return text;
  }
  if (url.username !== '' || url.password !== '') {
    context.addIssue({ code: 'custom', message: 'must not hold a user name or password' });
  }
  return url.href.replace(/\/+$/, '');
}

/** Requires the whole address with its path. A collector's base address would respond with 404. */
export function parseTracesUrl(text: string, context: z.RefinementCtx<string>): string {
  const address = parseHttpUrl(text, context);
  if (URL.canParse(address) && new URL(address).pathname === '/') {
    context.addIssue({ code: 'custom', message: 'must include its path, which usually is /v1/traces' });
  }
  return address;
}

/** Parses an http address that uses https or is on this machine, because codes and secrets are sent to it. */
export function parseIssuer(text: string, context: z.RefinementCtx<string>): string {
  const issuer = parseHttpUrl(text, context);
  if (URL.canParse(issuer) && !isSafeAddress(new URL(issuer))) {
    context.addIssue({ code: 'custom', message: 'must be an https:// address' });
  }
  return issuer;
}

/** Parses host names without a port. Empty text means none. */
export function parseHostNames(text: string, context: z.RefinementCtx<string>): readonly string[] {
  const names = entriesOf(text);
  for (const name of names) {
    if (!/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i.test(name)) {
      context.addIssue({ code: 'custom', message: `"${name}" must be a host name without a port` });
    }
  }
  return names;
}

function entriesOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

const ranges: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** Parses proxies by address, CIDR range or name of a range. Empty text trusts none. */
export function parseTrustedProxies(text: string, context: z.RefinementCtx<string>): readonly string[] {
  const entries = entriesOf(text);
  for (const entry of entries) {
    if (!ranges.has(entry) && !isAddressOrRange(entry)) {
      const message = `"${entry}" must be an address, a range such as 10.0.0.0/8, or loopback, linklocal or uniquelocal`;
      context.addIssue({ code: 'custom', message });
    }
  }
  return entries;
}

function isAddressOrRange(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  if (!/^\d{1,3}$/.test(bits)) return false;
  try {
    new BlockList().addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
    return true;
  } catch {
    return false;
  }
}
