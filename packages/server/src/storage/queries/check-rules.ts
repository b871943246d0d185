import { auditActions } from '@stoa/core';
import type { RowRule } from '../../service/ports/checks.ts';
import type { QueryDialect } from './query-dialect.ts';
import { recordOwnerOf } from './visibility.ts';

/** A table that rules check page by page. */
export interface PagedTable {
  readonly table: string;
  /** Columns of an index, in their order. */
  readonly key: readonly (string | ((dialect: Pick<QueryDialect, 'fileKey'>) => string))[];
  /** Rows share the key: a page ends after all rows with the same key, which are few. */
  readonly sharesKey?: boolean;
}

/** Finds the rows of a page that break a rule: `workspace_id` and `subject`, on both databases. */
export interface RulePart {
  readonly over: PagedTable;
  /** @param page the rows to check, in place of the table. */
  readonly sql: (page: string, dialect: QueryDialect) => string;
}

/**
 * A rule that is checked one page of rows at a time, each row with the rows that it refers to, so that no statement
 * times out. Rules that need many rows (sums, gaps) are checked while a workspace is read, in
 * `service/checking/replay-feed.ts`.
 */
export interface StoredRule extends RowRule {
  readonly parts: readonly RulePart[];
}

const versions: PagedTable = { table: 'file_version', key: ['workspace_id', 'incarnation', 'version'] };
const files: PagedTable = { table: 'file', key: ['workspace_id', ({ fileKey }) => fileKey] };
const contents: PagedTable = { table: 'blob', key: ['workspace_id', 'content_hash'] };
const quarantined: PagedTable = {
  table: 'quarantined_content',
  key: ['workspace_id', 'content_hash', 'found_at'],
};
const changes: PagedTable = { table: 'change', key: ['workspace_id', 'seq'] };
const cursors: PagedTable = { table: 'bookmark', key: ['key_id', 'workspace_id'] };
const threads: PagedTable = { table: 'comment_thread', key: ['workspace_id', 'seq'] };
const replies: PagedTable = { table: 'comment_entry', key: ['thread_id', 'seq'] };
/** A workspace has at most 100,000 private items: few enough for one page. */
const privacy: PagedTable = { table: 'node_privacy', key: ['workspace_id'], sharesKey: true };
const workspaces: PagedTable = { table: 'workspace', key: ['id'] };
const members: PagedTable = { table: 'member', key: ['workspace_id', 'user_id'] };
const byId = (table: string): PagedTable => ({ table, key: ['id'] });
const byContent = (table: string): PagedTable => ({ table, key: ['workspace_id', 'content_hash'] });

const formerOnes: PagedTable = {
  table: 'former_incarnation',
  key: [
    'workspace_id',
    ({ fileKey }) => fileKey,
    ({ fileKey }) => (fileKey === 'path' ? 'incarnation' : 'path'),
  ],
};
const byPath = (table: string): PagedTable => ({ table, key: ['workspace_id'], sharesKey: true });

const rule = (name: string, says: string, over: PagedTable, sql: RulePart['sql']): StoredRule => ({
  name,
  says,
  parts: [{ over, sql }],
});

const versionOf = (row: string) => `${row}.path || ' version ' || ${row}.version`;
const sameVersion = (one: string, other: string) =>
  `${one}.workspace_id = ${other}.workspace_id and ${one}.incarnation = ${other}.incarnation
    and ${one}.version = ${other}.version`;
const contentOf = (row: string, hash = 'content_hash') =>
  `left join blob on blob.workspace_id = ${row}.workspace_id and blob.content_hash = ${row}.${hash}`;

const fileRules: readonly StoredRule[] = [
  rule(
    'file_without_version',
    'The current version of a file is not stored.',
    files,
    (page) => `select file.workspace_id, ${versionOf('file')} as subject from ${page} file
      left join file_version kept on ${sameVersion('kept', 'file')} where kept.version is null`,
  ),
  rule(
    'file_unlike_version',
    'A file and its current version differ in path, content or type.',
    files,
    (page) => `select file.workspace_id, ${versionOf('file')} as subject from ${page} file
      join file_version kept on ${sameVersion('kept', 'file')}
      where kept.path <> file.path or kept.content_hash <> file.content_hash
        or kept.size_bytes <> file.size_bytes or kept.content_type <> file.content_type`,
  ),
  rule(
    'file_behind_version',
    'A file has a version that is newer than its current one.',
    files,
    (page) => `select file.workspace_id, ${versionOf('file')} as subject from ${page} file
      where exists (select 1 from file_version later where later.workspace_id = file.workspace_id
        and later.incarnation = file.incarnation and later.version > file.version)`,
  ),
  // A subselect looks the same table up row by row: without statistics, as after a restore, a join may scan it for each
  // row.
  rule(
    'version_missing',
    'The versions of a file have a gap.',
    versions,
    (
      page,
    ) => `select later.workspace_id, later.path || ' before version ' || later.version as subject from ${page} later
      where later.version < 1 or (later.version > 1 and (select earlier.version from file_version earlier
        where earlier.workspace_id = later.workspace_id and earlier.incarnation = later.incarnation
          and earlier.version = later.version - 1) is null)`,
  ),
  rule(
    'version_elsewhere',
    'The versions of one file have different paths.',
    versions,
    (page) => `select workspace_id, first_path || ' and ' || path as subject from
      (select later.workspace_id, later.path, (select first_version.path from file_version first_version
        where first_version.workspace_id = later.workspace_id and first_version.incarnation = later.incarnation
          and first_version.version = 1) as first_path from ${page} later) pairs
      where first_path <> path`,
  ),
  rule(
    'former_incarnation_wrong',
    'A former file of a path is not recorded, so its versions are not found, or a current file is recorded as a former one.',
    versions,
    // An import writes these rows when it is opened, together with the counters.
    (
      page,
    ) => `select first_version.workspace_id, ${versionOf('first_version')} as subject from ${page} first_version
      join workspace_counter counter on counter.workspace_id = first_version.workspace_id
      left join file on file.workspace_id = first_version.workspace_id and file.path = first_version.path
        and file.incarnation = first_version.incarnation
      left join former_incarnation former on former.workspace_id = first_version.workspace_id
        and former.path = first_version.path and former.incarnation = first_version.incarnation
      where first_version.version = 1 and (file.path is null) = (former.path is null)`,
  ),
  rule(
    'version_without_bytes',
    'The bytes of a version are not stored, so it cannot be read.',
    versions,
    (page) => `select version.workspace_id, ${versionOf('version')} as subject from ${page} version
      ${contentOf('version')} where blob.content_hash is null`,
  ),
  rule(
    'version_unlike_bytes',
    'A version and its bytes differ in size.',
    versions,
    (page) => `select version.workspace_id, ${versionOf('version')} as subject from ${page} version
      ${contentOf('version')} where blob.size_bytes <> version.size_bytes`,
  ),
  rule(
    'move_from_nowhere',
    'The source of a moved file does not exist.',
    versions,
    (page) => `select arrival.workspace_id, ${versionOf('arrival')} as subject from ${page} arrival
      where (arrival.moved_from_incarnation is not null
          and coalesce((select source.path from file_version source where source.workspace_id = arrival.workspace_id
            and source.incarnation = arrival.moved_from_incarnation and source.version = 1), '') <> arrival.moved_from_path)
        or (arrival.op = 'move') <> (arrival.moved_from_path is not null)
        or (arrival.moved_from_path is null) <> (arrival.moved_from_incarnation is null)`,
  ),
  rule(
    'copy_of_nothing',
    'A conflicted copy does not name its file, or another version names one.',
    versions,
    (page) => `select workspace_id, ${versionOf('file_version')} as subject from ${page} file_version
      where (op = 'conflict') <> (conflict_of is not null) or (op <> 'conflict' and conflict_base is not null)`,
  ),
  rule(
    'content_quarantined',
    'Missing or corrupt bytes are in quarantine: versions with these bytes cannot be read.',
    quarantined,
    (page) => `select quarantined.workspace_id, quarantined.content_hash as subject
      from ${page} quarantined ${contentOf('quarantined')} where blob.content_hash is null`,
  ),
  rule(
    'bytes_unlike_size',
    'Bytes in the database have the wrong size.',
    contents,
    (page) => `select workspace_id, content_hash as subject from ${page} blob
      where bytes is not null and length(bytes) <> size_bytes`,
  ),
];

export interface CountedUsage {
  readonly counter: string;
  /** SQL for the expected number, used by a repair. */
  readonly counted: string;
}

const ofWorkspace = 'workspace_id = workspace_counter.workspace_id';
const currentBytes = `select coalesce(sum(size_bytes), 0) from file where file.${ofWorkspace}`;

/** Counters of a workspace, and the sum over its rows that each must equal. */
export const countedUsage: readonly CountedUsage[] = [
  {
    counter: 'used_files',
    counted: `select count(*) from file where file.${ofWorkspace}`,
  },
  { counter: 'used_bytes', counted: currentBytes },
  {
    counter: 'history_bytes',
    // A move stores no bytes of its own: its version is the one that was moved.
    counted: `select coalesce(sum(size_bytes), 0) - (${currentBytes}) from file_version
      where file_version.${ofWorkspace} and op <> 'move'`,
  },
  {
    counter: 'comments',
    counted: `select (select count(*) from comment_thread where comment_thread.${ofWorkspace})
      + (select count(*) from comment_entry where comment_entry.${ofWorkspace})`,
  },
  {
    counter: 'privacy_records',
    counted: `select count(*) from node_privacy where node_privacy.${ofWorkspace}`,
  },
];

const feedRules: readonly StoredRule[] = [
  rule(
    'change_for_nobody',
    'The audience of a change is both one member and all except one.',
    changes,
    (page) => `select workspace_id, 'seq ' || seq as subject from ${page} change
      where only_user_id is not null and except_user_id is not null`,
  ),
  rule(
    'bookmark_beyond_head',
    'The cursor of a key is beyond the end of the feed.',
    cursors,
    (page) => `select bookmark.workspace_id, bookmark.key_id as subject from ${page} bookmark
      left join workspace_counter counter on counter.workspace_id = bookmark.workspace_id
      where counter.seq is null or bookmark.head_seq > counter.seq or bookmark.start_seq > bookmark.head_seq`,
  ),
];

const commentRules: readonly StoredRule[] = [
  rule(
    'thread_without_change',
    'A comment thread has no change in the feed.',
    threads,
    (page) => `select thread.workspace_id, thread.id as subject from ${page} thread
      left join change on change.workspace_id = thread.workspace_id and change.seq = thread.seq
      where change.op is null or change.op <> 'comment_created'`,
  ),
  rule(
    'reply_without_change',
    'A reply has no change in the feed.',
    replies,
    (page) => `select reply.workspace_id, reply.id as subject from ${page} reply
      left join change on change.workspace_id = reply.workspace_id and change.seq = reply.seq
      where change.op is null or change.op <> 'comment_replied'`,
  ),
  rule(
    'reply_elsewhere',
    'A reply and its thread are in different workspaces, or the thread does not exist.',
    replies,
    (page) => `select reply.workspace_id, reply.id as subject from ${page} reply
      left join comment_thread thread on thread.id = reply.thread_id
      where thread.id is null or thread.workspace_id <> reply.workspace_id`,
  ),
  rule(
    'thread_without_bytes',
    'The bytes that a comment thread is pinned to are not stored, or its anchor is outside them.',
    threads,
    (page) => `select thread.workspace_id, thread.id as subject from ${page} thread
      ${contentOf('thread', 'pinned_content_hash')}
      where blob.content_hash is null or blob.size_bytes <> thread.pinned_size_bytes
        or thread.anchor_start > thread.anchor_end or thread.anchor_end > thread.pinned_size_bytes`,
  ),
  rule(
    'thread_half_resolved',
    'A comment thread has only a resolver or only a time of resolution.',
    threads,
    (page) => `select workspace_id, id as subject from ${page} comment_thread
      where (resolved_at is null) <> (resolved_by is null)`,
  ),
];

const sideRules: readonly StoredRule[] = [
  rule(
    'private_to_nobody',
    'An item is private to an account that does not exist, so no member can see it.',
    privacy,
    (page) => `select privacy.workspace_id, privacy.path as subject from ${page} privacy
      left join "user" owner on owner."id" = privacy.owner_id where owner."id" is null`,
  ),
  {
    name: 'record_owner_wrong',
    says: 'A file, icon or order has an owner that contradicts its privacy record, so lists leave it out.',
    parts: [files, byPath('node_icon'), byPath('node_order')].map((over) => ({
      over,
      sql: (page, dialect) => `select kept.workspace_id, kept.path as subject from ${page} kept
        where kept.record_owner <> ${recordOwnerOf(dialect, 'kept')}`,
    })),
  },
  rule(
    'link_without_bytes',
    'A share link to a version names bytes that are not stored.',
    byId('share'),
    (page) => `select share.workspace_id, share.path || ' (' || share.id || ')' as subject from ${page} share
      ${contentOf('share', 'pinned_hash')} where share.pinned_hash is not null and blob.content_hash is null`,
  ),
  {
    name: 'facts_of_no_content',
    says: 'Front matter is stored or pending for contents that are not stored.',
    parts: ['front_matter', 'front_matter_unread'].map((table) => ({
      over: byContent(table),
      sql: (page) => `select facts.workspace_id, facts.content_hash as subject from ${page} facts
        ${contentOf('facts')} where blob.content_hash is null and not exists (select 1 from quarantined_content quarantined
          where quarantined.workspace_id = facts.workspace_id and quarantined.content_hash = facts.content_hash)`,
    })),
  },
];

const peopleRules: readonly StoredRule[] = [
  rule(
    'workspace_without_counter',
    'A workspace has no counters: nothing in it can be read or changed.',
    workspaces,
    (page) => `select workspace.id as workspace_id, workspace.name as subject from ${page} workspace
      left join workspace_counter counter on counter.workspace_id = workspace.id where counter.seq is null`,
  ),
  rule(
    'workspace_without_owner',
    'A workspace has no owner.',
    workspaces,
    (page) => `select id as workspace_id, name as subject from ${page} workspace where not exists
      (select 1 from member where member.workspace_id = workspace.id and member.role = 'owner')`,
  ),
  rule(
    'member_without_account',
    'A member has no account.',
    members,
    (page) => `select member.workspace_id, member.user_id as subject from ${page} member
      left join "user" person on person."id" = member.user_id where person."id" is null`,
  ),
  rule(
    'key_without_account',
    'A key belongs to an account or a workspace that does not exist.',
    byId('api_key'),
    (page) => `select api_key.workspace_id, api_key.id as subject from ${page} api_key
      left join "user" person on person."id" = api_key.user_id
      left join workspace on workspace.id = api_key.workspace_id
      where person."id" is null or (api_key.workspace_id is not null and workspace.id is null)`,
  ),
  rule(
    'key_of_no_kind',
    'A key has an unknown access level, or a path without a workspace.',
    byId('api_key'),
    (page) => `select workspace_id, id as subject from ${page} api_key
      where access not in ('read', 'comment', 'write') or (path <> '' and workspace_id is null)`,
  ),
  rule(
    'invite_overused',
    'An invite has more uses left than its maximum, or fewer than zero.',
    byId('invite'),
    (page) => `select workspace_id, id as subject from ${page} invite
      where uses_left < 0 or uses_left > max_uses or (uses_left is null) <> (max_uses is null)`,
  ),
];

const otherRules: readonly StoredRule[] = [
  rule(
    'former_incarnation_of_nothing',
    'A file is recorded as a former file of a path and has no first version there.',
    formerOnes,
    (
      page,
    ) => `select former.workspace_id, former.path || ' incarnation ' || former.incarnation as subject from ${page} former
      where coalesce((select first_version.path from file_version first_version
        where first_version.workspace_id = former.workspace_id and first_version.incarnation = former.incarnation
          and first_version.version = 1), '') <> former.path`,
  ),
  rule(
    'sign_in_wrong',
    'A sign-in method belongs to another account or to none, or has a password although a provider signs in.',
    byId('account'),
    (page) => `select null as workspace_id, sign_in.id as subject from ${page} sign_in
      left join "user" person on person."id" = sign_in."userId"
      where person."id" is null or (sign_in."providerId" = 'credential' and sign_in."accountId" <> sign_in."userId")
        or (sign_in."providerId" <> 'credential' and sign_in."password" is not null)`,
  ),
  rule(
    'audit_entry_wrong',
    'An audit entry has an unknown action, an inconsistent actor or unreadable details.',
    { table: 'audit_entry', key: ['created_at', 'id'] },
    (page) => `select workspace_id, id as subject from ${page} entry
      where details not like '{%}' or (actor_key_id is not null and actor_id is null)
        or action not in (${auditActions.map((action) => `'${action}'`).join(', ')})`,
  ),
  {
    name: 'rows_of_no_workspace',
    says: 'Rows belong to a workspace that does not exist.',
    // For other tables the database itself rejects such rows.
    parts: [
      versions,
      files,
      formerOnes,
      contents,
      quarantined,
      changes,
      cursors,
      threads,
      replies,
      privacy,
      byPath('node_icon'),
      byPath('node_order'),
      byContent('front_matter'),
      byContent('front_matter_unread'),
    ].map((over) => ({
      over,
      sql: (page) => `select kept.workspace_id, '${over.table}' as subject from ${page} kept
        where not exists (select 1 from workspace where workspace.id = kept.workspace_id) group by kept.workspace_id`,
    })),
  },
];

/** Every rule that is checked row by row, the most important first. */
export const storedRules: readonly StoredRule[] = [
  ...fileRules,
  ...feedRules,
  ...commentRules,
  ...sideRules,
  ...peopleRules,
  ...otherRules,
];
