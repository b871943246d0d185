import { WorkspaceError } from '@stoa/core';
import { recordRejectedSignInScript } from '../service/people/record-rejected-sign-in.ts';
import type { AuthDeps } from './auth-deps.ts';
import { signInPath } from './auth-endpoints.ts';
import type { AuthRequest } from './auth-request.ts';
import { callLibrary } from './call-library.ts';
import type { SessionLibrary } from './session-library.ts';

/**
 * Signs a user in with their password. A rejected attempt is logged in the audit log if the account is known. The
 * response does not wait for that, so that its timing does not reveal whether the account exists.
 */
export async function signIn(
  deps: AuthDeps,
  library: SessionLibrary,
  request: AuthRequest,
  body: Readonly<Record<string, unknown>>,
): Promise<Response> {
  const recordRejected = (reason: 'wrong_password' | 'account_disabled') => {
    recordError(deps, body.email, reason).catch((cause: unknown) => {
      deps.reportProblem('a rejected sign-in could not be recorded in the audit log', cause);
    });
  };
  try {
    const response = await callLibrary(library, { method: 'POST', path: signInPath }, request, body);
    if (response.status === 401) recordRejected('wrong_password');
    return response;
  } catch (error) {
    const isDisabled = error instanceof WorkspaceError && error.code === 'account_disabled';
    if (isDisabled) recordRejected('account_disabled');
    throw error;
  }
}

async function recordError(
  { store, clock }: Pick<AuthDeps, 'store' | 'clock'>,
  email: unknown,
  reason: 'wrong_password' | 'account_disabled',
): Promise<void> {
  // No account has an address that the database cannot store.
  if (typeof email !== 'string' || email.includes('\0') || !email.isWellFormed()) return;
  const person = await store.reader.users.findByEmail(email.toLowerCase());
  if (person === null) return;
  const rejected = { userId: person.id, via: 'password', reason } as const;
  await store.transact(recordRejectedSignInScript, { ...rejected, now: clock() });
}
