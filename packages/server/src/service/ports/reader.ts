import type { AuditReader } from './audit.ts';
import type { BlobReader } from './blobs.ts';
import type { ChangeReader } from './changes.ts';
import type { CheckReader } from './checks.ts';
import type { CommentReader } from './comments.ts';
import type { CursorReader } from './cursors.ts';
import type { DeviceCodeReader } from './device-codes.ts';
import type { ExportReader } from './exports.ts';
import type { FileReader } from './files.ts';
import type { FrontMatterReader } from './front-matter.ts';
import type { InviteReader } from './invites.ts';
import type { KeyReader } from './keys.ts';
import type { LibraryReader } from './library.ts';
import type { MemberReader } from './members.ts';
import type { NodeReader } from './nodes.ts';
import type { ScrubReader } from './scrub.ts';
import type { SecretReader } from './secrets.ts';
import type { ShareReader } from './shares.ts';
import type { UserReader } from './users.ts';
import type { WorkspaceImageReader } from './workspace-images.ts';
import type { WorkspaceReader } from './workspaces.ts';

/**
 * All queries of the database. Paths are ordered by code point. Queries filter by `viewer` themselves: rows that the
 * viewer may not see are not counted or returned.
 */
export interface Reader {
  readonly workspaces: WorkspaceReader;
  readonly files: FileReader;
  readonly frontMatter: FrontMatterReader;
  readonly nodes: NodeReader;
  readonly changes: ChangeReader;
  readonly audit: AuditReader;
  readonly cursors: CursorReader;
  readonly comments: CommentReader;
  readonly keys: KeyReader;
  readonly deviceCodes: DeviceCodeReader;
  readonly users: UserReader;
  readonly blobs: BlobReader;
  readonly invites: InviteReader;
  readonly members: MemberReader;
  readonly workspaceImages: WorkspaceImageReader;
  readonly secrets: SecretReader;
  readonly shares: ShareReader;
  readonly library: LibraryReader;
  readonly checks: CheckReader;
  readonly exports: ExportReader;
  readonly scrub: ScrubReader;
}
