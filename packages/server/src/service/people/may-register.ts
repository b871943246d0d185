import type { SignUpState } from '@stoa/core';

/**
 * Who may make an account: the first visitor only (later ones by invite), anybody, or nobody but the operator.
 */
export type SignupMode = 'first' | 'open' | 'closed';

/** Whether a visitor may make an account. The operator may always, and is not asked here. */
export function mayRegister(
  mode: SignupMode,
  facts: { readonly accounts: number; readonly invited: boolean },
): boolean {
  switch (mode) {
    case 'open':
      return true;
    case 'closed':
      return false;
    case 'first':
      return facts.accounts === 0 || facts.invited;
  }
}

/** What a visitor is told of it. Of the people who have an account it says only whether there are any. */
export function signUpState(mode: SignupMode, hasAccounts: boolean): SignUpState {
  if (mode === 'closed') return 'closed';
  if (!hasAccounts) return 'first';
  return mode === 'open' ? 'open' : 'invite';
}
