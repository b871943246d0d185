import type { SignUpState } from '@stoa/core';
import { signUpState } from '../service/people/may-register.ts';
import type { AuthDeps } from './auth-deps.ts';

/**
 * Reads the sign-up policy. Callers may ask often, so accounts are counted only until there is one. A server that
 * once had an account never has a first user again.
 */
export function signUpReader({
  store,
  signup,
}: Pick<AuthDeps, 'store' | 'signup'>): () => Promise<SignUpState> {
  let hasAccounts = false;
  return async () => {
    // The policy of a closed server does not depend on the accounts.
    hasAccounts ||= signup !== 'closed' && (await store.reader.users.count()) > 0;
    return signUpState(signup, hasAccounts);
  };
}
