import type { SignupMode } from '../service/people/may-register.ts';
import type { ServiceDeps } from '../service/service-deps.ts';

/** An OpenID Connect provider, and this server as its client. */
export interface ProviderSettings {
  /** Without a trailing slash. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The name that users see. */
  readonly name: string;
  /** Whether users of the provider may create an account. */
  readonly signup: SignupMode;
}

/** Dependencies of sign-in and credential checks. Addresses have no trailing slash. */
export interface AuthDeps extends Pick<ServiceDeps, 'store' | 'clock' | 'ids'> {
  readonly baseUrl: string;
  /** Origins whose pages may use a session. */
  readonly trustedOrigins: readonly string[];
  readonly signup: SignupMode;
  /** The provider for sign-in; null for passwords only. */
  readonly provider: ProviderSettings | null;
  /** Address of the app after sign-in. */
  readonly appUrl: string;
  /** Sign-in and sign-up attempts per minute and address; 0 for no limit. */
  readonly signinLimit: number;
  /** Delays a guess at an account that gets many guesses. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** At least 256 random bits that sign session cookies. */
  readonly secret: string;
  /** Reports problems that did not fail a request, or that failed one unexpectedly. Never contains a secret. */
  readonly reportProblem: (message: string, cause: unknown) => void;
}
