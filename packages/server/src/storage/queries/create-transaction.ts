import type { Transaction } from '../../service/ports/transaction.ts';
import { createAttemptWriter } from './attempt-writes.ts';
import { createCommentWriter } from './comment-writes.ts';
import { createReader } from './create-reader.ts';
import { createCredentialWriter } from './credential-writes.ts';
import { createDeviceCodeWriter } from './device-writes.ts';
import type { Executor } from './executor.ts';
import { createFileWriter } from './file-writes.ts';
import { createInviteWriter } from './invite-writes.ts';
import { createMemberWriter } from './member-queries.ts';
import { createNodeWriter } from './node-writes.ts';
import type { Queries } from './queries.ts';
import { refuseUnstorable } from './refuse-unstorable.ts';
import { createSecretWriter } from './secret-queries.ts';
import { createShareWriter } from './shares.ts';
import { createWorkspaceImageWriter } from './workspace-image-queries.ts';
import { createWorkspaceWriter } from './workspace-writes.ts';

/** @param onSeqTaken is told of each workspace whose feed grows in the transaction. */
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
      ...createNodeWriter(executor, queries.nodeWrites),
      ...createCommentWriter(executor, queries.commentWrites),
      ...createCredentialWriter(executor, queries.credentialWrites),
      ...createDeviceCodeWriter(executor, queries.deviceWrites),
      ...createAttemptWriter(executor, queries.attemptWrites),
      ...createInviteWriter(executor, queries.inviteWrites),
      ...createMemberWriter(executor, queries.members),
      ...createSecretWriter(executor, queries.secrets),
      ...createShareWriter(executor, queries.shares),
      ...createWorkspaceImageWriter(executor, queries.workspaceImages),
      async execute(sql, parameters) {
        refuseUnstorable(parameters);
        const { rows, changedRows } = await executor.once(sql, parameters);
        return { rows: rows.map((row) => ({ ...row })), changedRows };
      },
    },
  };
}
