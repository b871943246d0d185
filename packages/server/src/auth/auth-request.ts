import type { RequestOrigin } from './refuse-cross-site.ts';

/** A request below `/api/auth/`, with only those headers that matter; null where one was not sent. */
export interface AuthRequest extends RequestOrigin {
  readonly method: string;
  /** Below `/api/auth/` and without the query: `sign-in/email`. */
  readonly path: string;
  /** What follows the `?`, without it; empty when there is none. */
  readonly query: string;
  /** The parsed JSON body; undefined when there is none. */
  readonly body: unknown;
  readonly cookie: string | null;
  readonly userAgent: string | null;
  /** The client's address, proxies already accounted for. */
  readonly clientAddress: string;
}
