import type { SignUpState } from '@stoa/core';

/**
 * Permission to register: the first visitor only (later ones by invite), any visitor, or none (only the operator
 * creates accounts).
 */
export type SignupMode = 'first' | 'open' | 'closed';

/** Whether a visitor may register. Operators are always allowed and do not ask here. */
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

/** The sign-up state that visitors see. About existing accounts it reveals only whether there are any. */
export function signUpState(mode: SignupMode, hasAccounts: boolean): SignUpState {
  if (mode === 'closed') return 'closed';
  if (!hasAccounts) return 'first';
  return mode === 'open' ? 'open' : 'invite';
}
