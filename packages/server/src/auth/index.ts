export type { AuthRequest } from './answer-auth-request.ts';
export type { AuthDeps } from './auth-deps.ts';
export { type Auth, type Credentials, createAuth } from './create-auth.ts';
export { loadSecret } from './load-secret.ts';
