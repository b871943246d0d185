import type { AttemptWriter } from './attempts.ts';
import type { AuditWriter } from './audit.ts';
import type { BlobWriter } from './blobs.ts';
import type { ChangeWriter } from './changes.ts';
import type { CheckWriter } from './checks.ts';
import type { CommentWriter } from './comments.ts';
import type { CursorWriter } from './cursors.ts';
import type { DeviceCodeWriter } from './device-codes.ts';
import type { ImportWriter } from './exports.ts';
import type { FileWriter } from './files.ts';
import type { FrontMatterWriter } from './front-matter.ts';
import type { InviteWriter } from './invites.ts';
import type { KeyWriter } from './keys.ts';
import type { LibraryWriter } from './library.ts';
import type { MemberWriter } from './members.ts';
import type { NodeWriter } from './nodes.ts';
import type { Reader } from './reader.ts';
import type { ScrubWriter } from './scrub.ts';
import type { SecretWriter } from './secrets.ts';
import type { ShareWriter } from './shares.ts';
import type { UserWriter } from './users.ts';
import type { WorkspaceImageWriter } from './workspace-images.ts';
import type { WorkspaceWriter } from './workspaces.ts';

/**
 * The ability to change rows, available only inside a script. Reads see the transaction's own writes. On a database
 * with many writers `lockWorkspace` serialises the changes of one workspace; scripts call it before any decision.
 */
export interface Transaction extends Reader {
  readonly write: Writer;
}

export interface Writer
  extends AttemptWriter,
    AuditWriter,
    BlobWriter,
    CursorWriter,
    ChangeWriter,
    CheckWriter,
    CommentWriter,
    DeviceCodeWriter,
    FileWriter,
    FrontMatterWriter,
    ImportWriter,
    InviteWriter,
    KeyWriter,
    LibraryWriter,
    MemberWriter,
    NodeWriter,
    ScrubWriter,
    SecretWriter,
    ShareWriter,
    UserWriter,
    WorkspaceImageWriter,
    WorkspaceWriter {}
