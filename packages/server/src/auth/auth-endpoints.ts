/** An endpoint below `/api/auth/`. The library has many more, which are unreachable. */
export interface AuthEndpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The body's fields that are passed on. Others are dropped, so that no option of the library slips in. */
  readonly fields: readonly string[];
  /** Whether a request guesses a password: if so, it is counted and queued for hashing. */
  readonly guess: boolean;
}

export const signUpPath = 'sign-up/email';
export const signInPath = 'sign-in/email';
export const signOutPath = 'sign-out';
export const revokeSessionsPath = 'revoke-sessions';
export const changePasswordPath = 'change-password';
export const revokeSessionPath = 'revoke-session';
export const revokeOtherSessionsPath = 'revoke-other-sessions';
export const resetPasswordPath = 'reset-password';
export const providerSignInPath = 'sign-in/provider';
export const providerLinkPath = 'link-provider';
export const providerCallbackPath = 'callback/oidc';
export const signInWaysPath = 'sign-in-ways';
export const updateUserPath = 'update-user';

export const authEndpoints: readonly AuthEndpoint[] = [
  {
    method: 'POST',
    path: signUpPath,
    fields: ['email', 'name', 'password', 'rememberMe', 'inviteToken'],
    guess: true,
  },
  { method: 'POST', path: signInPath, fields: ['email', 'password', 'rememberMe'], guess: true },
  { method: 'POST', path: signOutPath, fields: [], guess: false },
  { method: 'GET', path: 'get-session', fields: [], guess: false },
  {
    method: 'POST',
    path: changePasswordPath,
    fields: ['currentPassword', 'newPassword', 'revokeOtherSessions'],
    guess: true,
  },
  { method: 'POST', path: resetPasswordPath, fields: ['token', 'password'], guess: true },
  { method: 'POST', path: providerSignInPath, fields: ['next', 'inviteToken'], guess: false },
  { method: 'POST', path: providerLinkPath, fields: ['next'], guess: false },
  { method: 'GET', path: providerCallbackPath, fields: [], guess: false },
  { method: 'GET', path: signInWaysPath, fields: [], guess: false },
  { method: 'POST', path: updateUserPath, fields: ['name', 'image'], guess: false },
  { method: 'GET', path: 'list-sessions', fields: [], guess: false },
  { method: 'POST', path: revokeSessionPath, fields: ['token'], guess: false },
  { method: 'POST', path: revokeSessionsPath, fields: [], guess: false },
  { method: 'POST', path: revokeOtherSessionsPath, fields: [], guess: false },
];
