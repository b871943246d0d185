import type { RequestOrigin } from './reject-cross-site.ts';

/** A request below `/api/auth/` with the relevant headers, each null if it was not sent. */
export interface AuthRequest extends RequestOrigin {
  readonly method: string;
  /** Below `/api/auth/` and without the query: `sign-in/email`. */
  readonly path: string;
  /** The part after the `?`; empty without one. */
  readonly query: string;
  /** The parsed JSON body; undefined without one. */
  readonly body: unknown;
  readonly cookie: string | null;
  readonly userAgent: string | null;
  /** The client's address; trusted proxies are accounted for. */
  readonly clientAddress: string;
}
