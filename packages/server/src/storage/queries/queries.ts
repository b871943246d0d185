import { attemptWrites } from './attempt-writes.ts';
import { blobQueries } from './blob-reader.ts';
import { changeQueries } from './change-reader.ts';
import { commentQueries } from './comment-reader.ts';
import { commentWrites } from './comment-writes.ts';
import { credentialWrites } from './credential-writes.ts';
import { deviceQueries } from './device-reader.ts';
import { deviceWrites } from './device-writes.ts';
import { fileQueries } from './file-reader.ts';
import { fileWrites } from './file-writes.ts';
import { inviteQueries } from './invite-reader.ts';
import { inviteWrites } from './invite-writes.ts';
import { keyQueries } from './key-reader.ts';
import { memberQueries } from './member-queries.ts';
import { nodeQueries } from './node-reader.ts';
import { nodeWrites } from './node-writes.ts';
import type { QueryDialect } from './query-dialect.ts';
import { secretQueries } from './secret-queries.ts';
import { shareQueries } from './shares.ts';
import { userQueries } from './user-reader.ts';
import { workspaceImageQueries } from './workspace-image-queries.ts';
import { workspaceQueries } from './workspace-reader.ts';
import { workspaceWrites } from './workspace-writes.ts';

export type Queries = ReturnType<typeof compileQueries>;

/** Every statement of the service for one database, compiled once and shared by all its connections. */
export function compileQueries(dialect: QueryDialect) {
  return {
    workspaces: workspaceQueries(dialect),
    files: fileQueries(dialect),
    nodes: nodeQueries(dialect),
    changes: changeQueries(dialect),
    comments: commentQueries(dialect),
    keys: keyQueries(dialect),
    deviceCodes: deviceQueries(dialect),
    users: userQueries(dialect),
    blobs: blobQueries(dialect),
    invites: inviteQueries(dialect),
    members: memberQueries(dialect),
    workspaceImages: workspaceImageQueries(dialect),
    secrets: secretQueries(dialect),
    shares: shareQueries(dialect),
    workspaceWrites: workspaceWrites(dialect),
    inviteWrites: inviteWrites(dialect),
    fileWrites: fileWrites(dialect),
    nodeWrites: nodeWrites(dialect),
    credentialWrites: credentialWrites(dialect),
    commentWrites: commentWrites(dialect),
    deviceWrites: deviceWrites(dialect),
    attemptWrites: attemptWrites(dialect),
  };
}
