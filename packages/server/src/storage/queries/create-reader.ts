import type { Reader } from '../../service/ports/reader.ts';
import { createBlobReader } from './blob-reader.ts';
import { createChangeReader } from './change-reader.ts';
import { createCommentReader } from './comment-reader.ts';
import { createDeviceCodeReader } from './device-reader.ts';
import type { Executor } from './executor.ts';
import { createFileReader } from './file-reader.ts';
import { createInviteReader } from './invite-reader.ts';
import { createKeyReader } from './key-reader.ts';
import { createLibraryReader } from './library-reader.ts';
import { createMemberReader } from './member-queries.ts';
import { createNodeReader } from './node-reader.ts';
import type { Queries } from './queries.ts';
import { createSecretReader } from './secret-queries.ts';
import { createShareReader } from './shares.ts';
import { createUserReader } from './user-reader.ts';
import { createWorkspaceImageReader } from './workspace-image-queries.ts';
import { createWorkspaceReader } from './workspace-reader.ts';

/** The reading side of the store over one connection or transaction. */
export function createReader(executor: Executor, queries: Queries): Reader {
  return {
    workspaces: createWorkspaceReader(executor, queries.workspaces),
    files: createFileReader(executor, queries.files),
    nodes: createNodeReader(executor, queries.nodes),
    changes: createChangeReader(executor, queries.changes),
    comments: createCommentReader(executor, queries.comments),
    keys: createKeyReader(executor, queries.keys),
    deviceCodes: createDeviceCodeReader(executor, queries.deviceCodes),
    users: createUserReader(executor, queries.users),
    blobs: createBlobReader(executor, queries.blobs),
    invites: createInviteReader(executor, queries.invites),
    members: createMemberReader(executor, queries.members),
    workspaceImages: createWorkspaceImageReader(executor, queries.workspaceImages),
    secrets: createSecretReader(executor, queries.secrets),
    shares: createShareReader(executor, queries.shares),
    library: createLibraryReader(executor),
  };
}
