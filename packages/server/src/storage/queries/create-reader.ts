import type { Reader } from '../../service/ports/reader.ts';
import { createAuditReader } from './audit.ts';
import { createBlobReader } from './blobs.ts';
import { createChangeReader } from './changes.ts';
import { createCheckReader } from './checks.ts';
import { createCommentReader } from './comments.ts';
import { createCursorReader } from './cursors.ts';
import { createDeviceCodeReader } from './device-codes.ts';
import type { Executor } from './executor.ts';
import { createExportReader } from './exports.ts';
import { createFileReader } from './files.ts';
import { createFrontMatterReader } from './front-matter.ts';
import { createInviteReader } from './invites.ts';
import { createKeyReader } from './keys.ts';
import { createLibraryReader } from './library.ts';
import { createMemberReader } from './members.ts';
import { createNodeReader } from './nodes.ts';
import type { Queries } from './queries.ts';
import { createScrubReader } from './scrub.ts';
import { createSecretReader } from './secrets.ts';
import { createShareReader } from './shares.ts';
import { createUserReader } from './users.ts';
import { createWorkspaceImageReader } from './workspace-images.ts';
import { createWorkspaceReader } from './workspaces.ts';

/** Creates the store's readers on one connection or transaction. */
export function createReader(executor: Executor, queries: Queries): Reader {
  return {
    workspaces: createWorkspaceReader(executor, queries.workspaces),
    files: createFileReader(executor, queries.files),
    frontMatter: createFrontMatterReader(executor, queries.frontMatter),
    nodes: createNodeReader(executor, queries.nodes),
    changes: createChangeReader(executor, queries.changes),
    audit: createAuditReader(executor, queries.audit),
    cursors: createCursorReader(executor, queries.bookmarks),
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
    checks: createCheckReader(executor, queries.checks),
    exports: createExportReader(executor, queries.exports),
    scrub: createScrubReader(executor),
  };
}
