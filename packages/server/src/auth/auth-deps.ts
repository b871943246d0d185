import type { SignupMode } from '../service/people/may-register.ts';
import type { ServiceDeps } from '../service/service-deps.ts';

/** A provider of OpenID Connect, and this server as its client. */
export interface ProviderSettings {
  /** Without a trailing slash. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What people know it by. */
  readonly name: string;
  /** Whether people who come by it may make an account. */
  readonly signup: SignupMode;
}

/** What signing in and checking credentials needs. Addresses have no trailing slash. */
export interface AuthDeps extends Pick<ServiceDeps, 'store' | 'clock' | 'ids'> {
  readonly baseUrl: string;
  /** Origins whose pages may use a session. */
  readonly trustedOrigins: readonly string[];
  readonly signup: SignupMode;
  /** Where else people sign in; null: with a password alone. */
  readonly provider: ProviderSettings | null;
  /** Where people go after it. */
  readonly appUrl: string;
  /** Sign-in and sign-up attempts per minute and address; 0 for no limit. */
  readonly signinLimit: number;
  /** Lets time pass before a guess at an account that many guess at. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Signs session cookies: at least 256 random bits. */
  readonly secret: string;
  /** Is told of what went wrong without failing a request, or failed one unexpectedly. Never holds a secret. */
  readonly reportProblem: (message: string, cause: unknown) => void;
}
