/** A fault in stored rows of the upgrade fixture, and what a check says of it. */
export interface PlantedFault {
  /** Every reported problem, in any order, so that a check that blames another row fails. */
  readonly found: Readonly<Record<string, readonly string[]>>;
  readonly plant: string;
  /** Set where the other database rejects such rows, so that the fault cannot be planted. */
  readonly onlyOn?: 'sqlite';
  /**
   * Set where the fault touches rows of another fault or of a running service. Together, a check would find
   * something else.
   */
  readonly isAlone?: true;
}

const hash = 'f'.repeat(64);
const inWorkspace = '(select id from workspace)';
const openingDay = 'plans/opening-day.md';
const pressRelease = `path = 'plans/press-release.md'`;
const contentAt = (path: string, version: number) =>
  `(select content_hash from file_version where path = '${path}' and version = ${version})`;

export const plantedFaults: readonly PlantedFault[] = [
  {
    isAlone: true,
    found: {
      file_without_version: ['plans/press-release.md version 1'],
      change_of_no_version: ['plans/press-release.md: 0 of 1 versions'],
      history_bytes_wrong: ['sum'],
    },
    plant: `delete from file_version where ${pressRelease}`,
  },
  {
    isAlone: true,
    found: {
      version_missing: [`${openingDay} before version 3`],
      change_of_no_version: [`${openingDay}: 3 of 4 versions`],
      history_bytes_wrong: ['sum'],
    },
    plant: `delete from file_version where path = '${openingDay}' and version = 2`,
  },
  {
    isAlone: true,
    found: {
      file_unlike_version: ['plans/press-release.md version 1'],
      used_bytes_wrong: ['sum'],
      history_bytes_wrong: ['sum'],
    },
    plant: `update file set size_bytes = size_bytes + 1 where ${pressRelease}`,
  },
  {
    isAlone: true,
    found: { file_unlike_version: ['plans/press-release.md version 1'] },
    plant: `update file set content_hash = (select content_hash from file where path = 'AGENTS.md') where ${pressRelease}`,
  },
  {
    isAlone: true,
    found: {
      file_behind_version: [`${openingDay} version 3`],
      file_unlike_version: [`${openingDay} version 3`],
      file_unlike_feed: [`${openingDay}: version 3 instead of 4`],
    },
    plant: `update file set version = 3 where path = '${openingDay}'`,
  },
  {
    onlyOn: 'sqlite',
    found: {
      incarnation_twice: ['guides/volunteers.md'],
      file_unlike_version: ['plans/press-release.md version 1'],
      file_unlike_feed: ['plans/press-release.md: version 1 instead of 1'],
      former_incarnation_wrong: ['plans/press-release.md version 1'],
    },
    plant: `update file set incarnation = 9 where ${pressRelease}`,
  },
  {
    isAlone: true,
    found: {
      version_elsewhere: [`${openingDay} and plans/other.md`],
      version_unlike_change: ['plans/other.md version 2'],
    },
    plant: `update file_version set path = 'plans/other.md' where path = '${openingDay}' and version = 2`,
  },
  {
    found: {
      version_without_bytes: ['plans/press-release.md version 1'],
      file_unlike_version: ['plans/press-release.md version 1'],
      version_unlike_change: ['plans/press-release.md version 1'],
    },
    plant: `update file_version set content_hash = '${hash}' where ${pressRelease}`,
  },
  {
    isAlone: true,
    found: { version_without_bytes: ['archive/name-ideas.md version 1'] },
    plant: `delete from blob where content_hash = ${contentAt('archive/name-ideas.md', 1)}`,
  },
  {
    isAlone: true,
    found: {
      version_unlike_bytes: ['archive/name-ideas.md version 1'],
      history_bytes_wrong: ['sum'],
    },
    plant: `update file_version set size_bytes = 71 where path = 'archive/name-ideas.md'`,
  },
  {
    found: { former_incarnation_wrong: ['archive/name-ideas.md version 1'] },
    plant: `delete from former_incarnation where path = 'archive/name-ideas.md'`,
  },
  {
    isAlone: true,
    found: { former_incarnation_wrong: ['plans/press-release.md version 1'] },
    plant: `insert into former_incarnation (workspace_id, path, incarnation)
      select workspace_id, path, incarnation from file where ${pressRelease}`,
  },
  {
    found: { move_from_nowhere: ['notes/first-week.md version 1'] },
    plant: `update file_version set moved_from_incarnation = 999 where path = 'notes/first-week.md'`,
  },
  {
    found: { copy_of_nothing: ['plans/opening-day (conflicted copy '] },
    plant: `update file_version set conflict_of = null where conflict_of is not null`,
  },
  {
    isAlone: true,
    found: {
      bytes_unlike_size: ['content'],
      version_unlike_bytes: ['archive/name-ideas.md version 1'],
    },
    plant: `update blob set size_bytes = 1 where content_hash = ${contentAt('archive/name-ideas.md', 1)}`,
  },
  {
    found: { stored_bytes_wrong: ['content'] },
    plant: `update blob set bytes = (select bytes from blob where content_hash = ${contentAt(openingDay, 1)})
      where content_hash = ${contentAt(openingDay, 2)}`,
  },
  {
    found: { stored_bytes_missing: ['content'] },
    plant: `update blob set generation = 'nowhere' where content_hash = ${contentAt('reports/large.txt', 2)}`,
  },
  {
    found: { content_quarantined: ['content'] },
    plant: `insert into quarantined_content
      (workspace_id, content_hash, size_bytes, bytes, generation, created_at, fault, found_at)
      values (${inWorkspace}, '${hash}', 3, null, 'gone', 1, 'stored_bytes_missing', 2)`,
  },
  { found: { used_files_wrong: ['sum'] }, plant: 'update workspace_counter set used_files = 17' },
  {
    found: { used_bytes_wrong: ['sum'] },
    plant: 'update workspace_counter set used_bytes = used_bytes - 1',
  },
  {
    found: { history_bytes_wrong: ['sum'] },
    plant: 'update workspace_counter set history_bytes = 0',
  },
  { found: { comments_wrong: ['sum'] }, plant: 'update workspace_counter set comments = 7' },
  {
    found: { privacy_records_wrong: ['sum'] },
    plant: `delete from node_privacy where path = 'notes/about-ben.md'`,
  },
  {
    found: { change_missing: ['40 changes, the last is 40, the head is 39'] },
    plant: 'update workspace_counter set seq = 39',
  },
  // The jump of a restore is not a fault.
  { isAlone: true, found: {}, plant: 'update workspace_counter set seq = seq + 1000000' },
  {
    isAlone: true,
    found: {
      change_missing: ['39 changes, the last is 40, the head is 40'],
      version_without_change: [`${openingDay} version 4`],
      change_without_sense: [`seq 24, write ${openingDay}: version 4 instead of 3`],
      version_unlike_change: [`${openingDay} version 3`],
      file_unlike_feed: [`${openingDay}: version 4 instead of 3`],
    },
    plant: 'delete from change where seq = 21',
  },
  {
    found: {
      change_without_sense: ['seq 30, move notes/first-week.md: does not follow the delete of its source'],
    },
    plant: `update change set moved_from = 'notes/week-2.md' where seq = 30`,
  },
  {
    found: { change_for_nobody: ['seq 5'] },
    plant: `update change set only_user_id = 'a', except_user_id = 'b' where seq = 5`,
  },
  {
    found: { bookmark_beyond_head: ['key_x'] },
    plant: `insert into bookmark select 'key_x', id, 1, 1, 41, 1, 0, null from workspace`,
  },
  {
    found: { comments_wrong: ['sum'], comment_lost: [`${openingDay} seq 22`] },
    plant: 'delete from comment_entry where seq = 22',
  },
  {
    found: { thread_without_change: ['thread_'], comment_lost: [`${openingDay} seq 18`] },
    plant: 'update comment_thread set seq = 21 where seq = 18',
  },
  {
    found: { reply_without_change: ['entry_'], comment_lost: [`${openingDay} seq 19`] },
    plant: 'update comment_entry set seq = 21 where seq = 19',
  },
  {
    isAlone: true,
    found: {
      reply_elsewhere: ['entry_'],
      rows_of_no_workspace: ['comment_entry'],
      comments_wrong: ['sum'],
      reply_without_change: ['entry_'],
      comment_lost: [`${openingDay} seq 19`],
    },
    plant: `update comment_entry set workspace_id = 'ws_other' where seq = 19`,
  },
  {
    found: { thread_without_bytes: ['thread_'] },
    plant: 'update comment_thread set anchor_end = 699 where seq = 16',
  },
  {
    found: { thread_half_resolved: ['thread_'] },
    plant: 'update comment_thread set resolved_by = null where seq = 17',
  },
  {
    found: { private_to_nobody: ['drafts'] },
    plant: `update node_privacy set owner_id = 'user_gone' where path = 'drafts'`,
  },
  {
    found: { record_owner_wrong: ['plans/press-release.md'] },
    plant: `update file set record_owner = 'user_gone' where ${pressRelease}`,
  },
  {
    found: { link_without_bytes: [openingDay] },
    plant: `update share set pinned_hash = '${hash}' where pinned_hash is not null`,
  },
  {
    isAlone: true,
    found: { facts_of_no_content: [hash] },
    plant: `insert into front_matter select id, '${hash}', null, 'A title', null from workspace`,
  },
  {
    found: { path_not_canonical: ['"notes//a.md"'] },
    plant: `insert into node_icon (workspace_id, path, icon) select id, 'notes//a.md', 'x' from workspace`,
  },
  {
    isAlone: true,
    found: {
      file_below_file: ['plans/budget.csv/deep.md below plans/budget.csv'],
      file_unlike_version: ['plans/budget.csv/deep.md version 1'],
      former_incarnation_wrong: ['plans/press-release.md version 1'],
      file_unlike_feed: ['plans/budget.csv/deep.md: not in the feed', 'plans/press-release.md: not there'],
    },
    plant: `update file set path = 'plans/budget.csv/deep.md' where ${pressRelease}`,
  },
  {
    isAlone: true,
    found: { workspace_without_owner: ['Harbour House'] },
    plant: `update member set role = 'admin'`,
  },
  {
    found: { member_without_account: ['user_gone'] },
    plant: `insert into member select id, 'user_gone', 'member', 1, 1 from workspace`,
  },
  {
    found: { key_without_account: ['key_'] },
    plant: `update api_key set user_id = 'user_gone' where name = 'Scribe'`,
  },
  {
    found: { key_of_no_kind: ['key_'] },
    plant: `update api_key set access = 'everything' where name = 'Scribe'`,
  },
  { found: { invite_overused: ['invite_'] }, plant: 'update invite set uses_left = 4 where max_uses = 3' },
  {
    isAlone: true,
    found: { workspace_without_counter: ['Lost'], workspace_without_owner: ['Lost'] },
    plant: `insert into workspace (id, name, lapsed, created_at) select 'ws_lost', 'Lost', 0, 1 from workspace
      where id in ${inWorkspace}`,
  },
  {
    found: { former_incarnation_of_nothing: ['never.md incarnation 999'] },
    plant: `insert into former_incarnation (workspace_id, path, incarnation) select id, 'never.md', 999 from workspace`,
  },
  {
    found: { copy_of_nothing: [`${openingDay} version 2`] },
    plant: `update file_version set conflict_base = 1 where path = '${openingDay}' and version = 2`,
  },
  {
    found: { sign_in_wrong: ['sign_in_x'] },
    plant: `insert into "account" ("id", "accountId", "providerId", "userId", "password", "createdAt", "updatedAt")
      select 'sign_in_x', 'sub', 'oidc', min("id"), 'a hash', '2026', '2026' from "user"`,
  },
  {
    found: { sign_in_wrong: ['sign_in_y'] },
    plant: `insert into "account" ("id", "accountId", "providerId", "userId", "createdAt", "updatedAt")
      select 'sign_in_y', 'somebody else', 'credential', min("id"), '2026', '2026' from "user"`,
  },
  {
    found: { audit_entry_wrong: ['audit_x', 'audit_y'] },
    plant: `insert into audit_entry (id, created_at, action, details) values ('audit_x', 1, 'no.such', '{}'),
      ('audit_y', 1, 'operator.command', '{"half'), ('audit_z', 1, 'operator.command', '{}')`,
  },
  {
    found: { rows_of_no_workspace: ['node_icon'] },
    plant: `insert into node_icon (workspace_id, path, icon) values ('ws_gone', 'a.md', 'x')`,
  },
];
