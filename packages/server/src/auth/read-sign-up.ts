import type { SignUpState } from '@stoa/core';
import { signUpState } from '../service/people/may-register.ts';
import type { AuthDeps } from './auth-deps.ts';

/**
 * Tells who may sign up. Anybody may ask as often as they like, so accounts are counted only until there is one: a server
 * that has had an account has no first visitor any more, whatever becomes of it.
 */
export function signUpReader({
  store,
  signup,
}: Pick<AuthDeps, 'store' | 'signup'>): () => Promise<SignUpState> {
  let hasAccounts = false;
  return async () => {
    // A closed server says the same before and after.
    hasAccounts ||= signup !== 'closed' && (await store.reader.users.count()) > 0;
    return signUpState(signup, hasAccounts);
  };
}
