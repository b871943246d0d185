// docs/decisions/0074-the-audit-log.md
import { type CompiledQuery, DeleteQueryNode, InsertQueryNode, TableNode, UpdateQueryNode } from 'kysely';
import type { AuditNote } from '../service/auditing/audited-script.ts';
import { currentActor } from '../service/auditing/origin.ts';
import type { Clock } from '../service/ports/environment.ts';

/** What a changing statement of the sign-in library means for the audit log; null for nothing that it tells of. */
export type LibraryNotes = (query: CompiledQuery) => AuditNote | null;

export type SignInWay = 'password' | 'provider';

/**
 * The library knows nothing of the log, so its statements are read: a new session is a sign-in, a deleted one has ended, and
 * a password in `account` was changed. The row then stands in the transaction of the statement. A session that is made or
 * deleted for somebody who was signed in before takes the place of an earlier one, and one that is deleted for nobody
 * had expired.
 */
export function libraryNotes(via: SignInWay, clock: Clock): LibraryNotes {
  return (query) => {
    const { query: node } = query;
    const actor = currentActor();
    if (InsertQueryNode.is(node)) {
      if (node.into === undefined || nameOf(node.into) !== 'session' || actor !== null) return null;
      const at = node.columns?.findIndex(({ column }) => column.name === 'userId') ?? -1;
      const userId = query.parameters[at];
      if (typeof userId !== 'string') throw new Error('the sign-in library made a session of nobody');
      return {
        action: 'sign-in.accept',
        at: clock(),
        personId: userId,
        byUserId: userId,
        details: { via },
      };
    }
    if (actor === null) return null;
    const about = { at: clock(), personId: actor.userId };
    if (DeleteQueryNode.is(node)) {
      const isOfSessions = node.from.froms.some((each) => nameOf(each) === 'session');
      return isOfSessions ? { action: 'session.end', ...about } : null;
    }
    if (UpdateQueryNode.is(node)) {
      const isOfAccounts = node.table !== undefined && nameOf(node.table) === 'account';
      return isOfAccounts ? { action: 'password.change', ...about } : null;
    }
    return null;
  };
}

function nameOf(node: { readonly kind: string }): string | null {
  return TableNode.is(node as TableNode) ? (node as TableNode).table.identifier.name : null;
}
