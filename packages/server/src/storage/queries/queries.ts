import { attemptWrites } from './attempts.ts';
import { auditQueries } from './audit.ts';
import { blobQueries } from './blobs.ts';
import { changeQueries } from './changes.ts';
import { checkQueries } from './checks.ts';
import { commentQueries, commentWrites } from './comments.ts';
import { cursorQueries } from './cursors.ts';
import { deviceQueries, deviceWrites } from './device-codes.ts';
import { exportQueries } from './exports.ts';
import { fileQueries, fileWrites } from './files.ts';
import { frontMatterQueries, frontMatterWrites } from './front-matter.ts';
import { inviteQueries, inviteWrites } from './invites.ts';
import { keyQueries } from './keys.ts';
import { memberQueries } from './members.ts';
import { nodeQueries, nodeWrites } from './nodes.ts';
import type { QueryDialect } from './query-dialect.ts';
import { secretQueries } from './secrets.ts';
import { shareQueries } from './shares.ts';
import { userQueries } from './users.ts';
import { workspaceImageQueries } from './workspace-images.ts';
import { workspaceQueries, workspaceWrites } from './workspaces.ts';

export type Queries = ReturnType<typeof compileQueries>;

/** Compiles every statement of the service for one database, shared by all its connections. */
export function compileQueries(dialect: QueryDialect) {
  return {
    workspaces: workspaceQueries(dialect),
    files: fileQueries(dialect),
    nodes: nodeQueries(dialect),
    changes: changeQueries(dialect),
    audit: auditQueries(dialect),
    bookmarks: cursorQueries(dialect),
    comments: commentQueries(dialect),
    keys: keyQueries(dialect),
    deviceCodes: deviceQueries(dialect),
    users: userQueries(dialect),
    blobs: blobQueries(dialect),
    frontMatter: frontMatterQueries(dialect),
    invites: inviteQueries(dialect),
    members: memberQueries(dialect),
    workspaceImages: workspaceImageQueries(dialect),
    secrets: secretQueries(dialect),
    checks: checkQueries(dialect),
    exports: exportQueries(dialect),
    shares: shareQueries(dialect),
    workspaceWrites: workspaceWrites(dialect),
    inviteWrites: inviteWrites(dialect),
    fileWrites: fileWrites(dialect),
    frontMatterWrites: frontMatterWrites(dialect),
    nodeWrites: nodeWrites(dialect),
    commentWrites: commentWrites(dialect),
    deviceWrites: deviceWrites(dialect),
    attemptWrites: attemptWrites(dialect),
  };
}
