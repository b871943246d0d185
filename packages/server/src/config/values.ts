import { isIP } from 'node:net';
import { z } from 'zod';
import { isSafeAddress } from '../auth/provider/safe-address.ts';
import { parseBlobUrl } from '../storage/blobs/s3/parse-blob-url.ts';

export const wholeNumber = (from: number, to: number) => {
  const message = `must be a whole number from ${from} to ${to}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= from && value <= to, message);
};

export const oneOf = <Value extends string>(...values: readonly Value[]) =>
  z.enum(values, `must be one of ${values.join(', ')}`);

/** An http(s) address without query or fragment. A trailing slash is dropped, so that paths can be appended. */
export const httpUrl = z
  .string()
  .refine(isPlainAddress, {
    error: 'must be an http:// or https:// address without ? or #',
    abort: true,
  })
  .transform((text) => new URL(text))
  .refine(({ username, password }) => username + password === '', 'must not hold a user name or password')
  .transform(({ href }) => href.replace(/\/+$/, ''));

function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && search + hash === '';
}

/** The whole address with its path. A collector's base address would respond with 404. */
export const tracesUrl = httpUrl.refine(
  (url) => new URL(url).pathname !== '/',
  'must include its path, which usually is /v1/traces',
);

/** An http address that uses https or is on this machine, because codes and secrets are sent to it. */
export const issuer = httpUrl.refine((url) => isSafeAddress(new URL(url)), 'must be an https:// address');

export const blobUrl = z.string().transform((text, context) => {
  try {
    return parseBlobUrl(text);
  } catch (error) {
    context.addIssue(error instanceof Error ? error.message : 'is unreadable');
    return z.NEVER;
  }
});

/** Entries separated by commas; none by default. */
const listOf = (entry: z.ZodType<string, string>) =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(entry))
    .default([]);

export const hostNames = listOf(
  z.string().regex(/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i, {
    error: ({ input }) => `"${input}" must be a host name without a port`,
  }),
);

/** Proxies by address, CIDR range or name of a range. */
export const trustedProxies = listOf(
  z.union(
    [
      z.string().refine((address) => isIP(address) !== 0),
      z.cidrv4(),
      z.cidrv6(),
      z.enum(['loopback', 'linklocal', 'uniquelocal']),
    ],
    {
      error: ({ input }) =>
        `"${input}" must be an address, a range such as 10.0.0.0/8, or loopback, linklocal or uniquelocal`,
    },
  ),
);
