// docs/decisions/0030-audit-log.md
import { type CompiledQuery, DeleteQueryNode, InsertQueryNode, TableNode, UpdateQueryNode } from 'kysely';
import type { AuditNote } from '../service/auditing/audited-script.ts';
import { currentActor } from '../service/auditing/origin.ts';
import type { Clock } from '../service/ports/environment.ts';

/** Derives an audit entry from a statement of the sign-in library; null for statements without one. */
export type LibraryNotes = (query: CompiledQuery) => AuditNote | null;

export type SignInWay = 'password' | 'provider';

/**
 * Reads the library's statements, because the library does not know the audit log. A new session is a sign-in, a
 * deleted one is a sign-out, and an updated `account` is a changed password. The entry is in the transaction of the
 * statement. A new or deleted session of a signed-in actor only replaces an earlier one. A session that is deleted
 * without an actor had expired.
 */
export function libraryNotes(via: SignInWay, clock: Clock): LibraryNotes {
  return (query) => {
    const { query: node } = query;
    const actor = currentActor();
    if (InsertQueryNode.is(node)) {
      if (node.into === undefined || nameOf(node.into) !== 'session' || actor !== null) return null;
      const at = node.columns?.findIndex(({ column }) => column.name === 'userId') ?? -1;
      const userId = query.parameters[at];
      if (typeof userId !== 'string') throw new Error('the sign-in library made a session without a user');
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
