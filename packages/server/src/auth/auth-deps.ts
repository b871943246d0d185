import type { SignupMode } from '../service/people/may-register.ts';
import type { ServiceDeps } from '../service/service-deps.ts';

/** What signing in and checking credentials needs. Addresses have no trailing slash. */
export interface AuthDeps extends Pick<ServiceDeps, 'store' | 'clock' | 'ids'> {
  readonly baseUrl: string;
  /** Origins whose pages may use a session. */
  readonly trustedOrigins: readonly string[];
  readonly signup: SignupMode;
  /** Sign-in and sign-up attempts per minute and address; 0 for no limit. */
  readonly signinLimit: number;
  /** Lets time pass before a guess at an account that many guess at. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Signs session cookies: at least 256 random bits. */
  readonly secret: string;
  /** Is told of what went wrong without failing a request, or failed one unexpectedly. Never holds a secret. */
  readonly reportProblem: (message: string, cause: unknown) => void;
}
