import type { Transaction } from '../../service/ports/transaction.ts';
import { createAttemptWriter } from './attempts.ts';
import { createAuditWriter } from './audit.ts';
import { createBlobWriter } from './blobs.ts';
import { createChangeWriter } from './changes.ts';
import { createCheckWriter } from './checks.ts';
import { createCommentWriter } from './comments.ts';
import { createReader } from './create-reader.ts';
import { createCursorWriter } from './cursors.ts';
import { createDeviceCodeWriter } from './device-codes.ts';
import type { Executor } from './executor.ts';
import { createImportWriter } from './exports.ts';
import { createFileWriter } from './files.ts';
import { createFrontMatterWriter } from './front-matter.ts';
import { createInviteWriter } from './invites.ts';
import { createKeyWriter } from './keys.ts';
import { createMemberWriter } from './members.ts';
import { createNodeWriter } from './nodes.ts';
import type { Queries } from './queries.ts';
import { rejectUnstorable } from './query.ts';
import { createScrubWriter } from './scrub.ts';
import { createSecretWriter } from './secrets.ts';
import { createShareWriter } from './shares.ts';
import { createUserWriter } from './users.ts';
import { createWorkspaceImageWriter } from './workspace-images.ts';
import { createWorkspaceWriter } from './workspaces.ts';

/** @param onSeqTaken called with each workspace whose feed grows in the transaction. */
export function createTransaction(
  executor: Executor,
  queries: Queries,
  onSeqTaken: (workspaceId: string) => void,
): Transaction {
  return {
    ...createReader(executor, queries),
    write: {
      ...createWorkspaceWriter(executor, queries.workspaces, queries.workspaceWrites, onSeqTaken),
      ...createFileWriter(executor, queries.fileWrites),
      ...createFrontMatterWriter(executor, queries.frontMatterWrites),
      ...createNodeWriter(executor, queries.nodeWrites),
      ...createCommentWriter(executor, queries.commentWrites),
      ...createBlobWriter(executor, queries.blobs),
      ...createChangeWriter(executor, queries.changes),
      ...createAuditWriter(executor, queries.audit),
      ...createCursorWriter(executor, queries.bookmarks),
      ...createUserWriter(executor, queries.users),
      ...createKeyWriter(executor, queries.keys),
      ...createDeviceCodeWriter(executor, queries.deviceWrites),
      ...createAttemptWriter(executor, queries.attemptWrites),
      ...createInviteWriter(executor, queries.inviteWrites),
      ...createMemberWriter(executor, queries.members),
      ...createCheckWriter(executor, queries.checks),
      ...createImportWriter(executor),
      ...createScrubWriter(executor),
      ...createSecretWriter(executor, queries.secrets),
      ...createShareWriter(executor, queries.shares),
      ...createWorkspaceImageWriter(executor, queries.workspaceImages),
      async execute(sql, parameters) {
        rejectUnstorable(parameters);
        const { rows, changedRows } = await executor.once(sql, parameters);
        return { rows: rows.map((row) => ({ ...row })), changedRows };
      },
    },
  };
}
