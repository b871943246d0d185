export type { AuthDeps } from './auth-deps.ts';
export type { AuthRequest } from './auth-request.ts';
export { type Auth, type Credentials, createAuth } from './create-auth.ts';
export { loadSecret } from './load-secret.ts';
export { makeSecret } from './make-secret.ts';
