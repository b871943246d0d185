import { invalidRequest, WorkspaceError } from '@stoa/core';
import type { Caller } from '../service/access.ts';
import type { AuditNote } from '../service/auditing/audited-script.ts';
import { recordActing } from '../service/auditing/origin.ts';
import { executeLibraryStatementScript } from '../service/people/execute-library-statement.ts';
import type { AuthDeps } from './auth-deps.ts';
import type { AuthRequest } from './auth-request.ts';
import { authenticateSession } from './authenticate-session.ts';
import { hashSessionToken } from './hashed-session-tokens.ts';
import type { SessionLibrary } from './session-library.ts';

type Deps = Pick<AuthDeps, 'store' | 'clock'>;
type Request = Pick<AuthRequest, 'cookie'>;

/**
 * Ends one session of the caller, by its token or by the hash that the list of sessions shows. The library itself
 * would treat the hash as a token.
 * @throws WorkspaceError `unauthorized`, `invalid_request`
 */
export async function revokeSession(
  deps: Deps,
  library: SessionLibrary,
  request: Request,
  { token }: Readonly<Record<string, unknown>>,
): Promise<Response> {
  const { actor } = await requirePerson(library, request);
  if (typeof token !== 'string') throw invalidRequest('token must be that of a session in list-sessions');
  const sql = 'delete from "session" where "userId" = ? and "token" in (?, ?)';
  const parameters = [actor.userId, token, hashSessionToken(token)];
  await deps.store.transact(executeLibraryStatementScript, {
    sql,
    parameters,
    note: ended(deps, actor.userId),
  });
  return Response.json({ status: true });
}

/** @throws WorkspaceError `unauthorized` */
export async function revokeOtherSessions(
  deps: Deps,
  library: SessionLibrary,
  request: Request,
): Promise<Response> {
  const { userId, credentialId } = (await requirePerson(library, request)).credential;
  const sql = 'delete from "session" where "userId" = ? and "id" <> ?';
  const parameters = [userId, credentialId];
  await deps.store.transact(executeLibraryStatementScript, { sql, parameters, note: ended(deps, userId) });
  return Response.json({ status: true });
}

function ended({ clock }: Deps, userId: string): AuditNote {
  return { action: 'session.end', at: clock(), personId: userId };
}

async function requirePerson(library: SessionLibrary, { cookie }: Request): Promise<Caller> {
  const caller = cookie === null ? null : await authenticateSession(library, cookie);
  if (caller === null) throw new WorkspaceError('unauthorized');
  recordActing(caller.actor);
  return caller;
}
