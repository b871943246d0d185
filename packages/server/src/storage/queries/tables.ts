import type { RateLimitTable, RecentAttemptTable } from './attempts.ts';
import type { AuditTable } from './audit.ts';
import type { BlobTable } from './blobs.ts';
import type { ChangeTable } from './changes.ts';
import type { CommentEntryTable, CommentThreadTable } from './comments.ts';
import type { CursorTable } from './cursors.ts';
import type { DeviceCodeTable } from './device-codes.ts';
import type { FileVersionTable, FormerFileTable } from './file-versions.ts';
import type { FileTable } from './files.ts';
import type { FrontMatterTable, UnreadFrontMatterTable } from './front-matter.ts';
import type { InviteTable } from './invites.ts';
import type { ApiKeyTable } from './keys.ts';
import type { MemberTable, RemovedMemberTable } from './members.ts';
import type { NodeIconTable, NodeOrderTable, NodePrivacyTable } from './nodes.ts';
import type { ServerSecretTable } from './secrets.ts';
import type { ShareTable, ShareViewDayTable } from './shares.ts';
import type { AccountTable, SessionTable, UserTable, VerificationTable } from './users.ts';
import type { WorkspaceImageTable } from './workspace-images.ts';
import type { WorkspaceCounterTable, WorkspaceTable } from './workspaces.ts';

/** The columns as the queries see them. Flags are 0 or 1 on both databases. */
export interface Tables {
  readonly user: UserTable;
  readonly account: AccountTable;
  readonly session: SessionTable;
  readonly verification: VerificationTable;
  readonly workspace: WorkspaceTable;
  /** One row. */
  readonly access_epoch: { epoch: number };
  readonly workspace_counter: WorkspaceCounterTable;
  readonly member: MemberTable;
  readonly invite: InviteTable;
  readonly removed_member: RemovedMemberTable;
  readonly workspace_image: WorkspaceImageTable;
  readonly file: FileTable;
  readonly file_version: FileVersionTable;
  readonly former_incarnation: FormerFileTable;
  readonly blob: BlobTable;
  /** Its other columns are read without types. */
  readonly quarantined_content: Pick<BlobTable, 'workspace_id' | 'generation'>;
  readonly front_matter: FrontMatterTable;
  readonly front_matter_unread: UnreadFrontMatterTable;
  readonly change: ChangeTable;
  readonly audit_entry: AuditTable;
  /** At most one row. */
  readonly audit_retention: { id: number; forgotten_before: number };
  readonly bookmark: CursorTable;
  readonly comment_thread: CommentThreadTable;
  readonly comment_entry: CommentEntryTable;
  readonly node_icon: NodeIconTable;
  readonly node_order: NodeOrderTable;
  readonly node_privacy: NodePrivacyTable;
  readonly api_key: ApiKeyTable;
  readonly device_code: DeviceCodeTable;
  readonly recent_attempt: RecentAttemptTable;
  readonly server_secret: ServerSecretTable;
  readonly share: ShareTable;
  readonly share_view_day: ShareViewDayTable;
  readonly rate_limit: RateLimitTable;
}
