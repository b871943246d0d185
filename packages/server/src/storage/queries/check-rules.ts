import { restoreJumpSeqs } from '@stoa/core';
import type { RowRule } from '../../service/ports/checks.ts';

/** A rule with what finds the rows that break it: `workspace_id` and `subject`, on both databases. */
export interface StoredRule extends RowRule {
  readonly sql: string;
}

/** Every version of a file, in words. */
const versionOf = (row: string) => `${row}.path || ' version ' || ${row}.version`;
const sameVersion = (one: string, other: string) =>
  `${one}.workspace_id = ${other}.workspace_id and ${one}.incarnation = ${other}.incarnation
    and ${one}.version = ${other}.version`;
const contentOf = (row: string, hash = 'content_hash') =>
  `left join blob on blob.workspace_id = ${row}.workspace_id and blob.content_hash = ${row}.${hash}`;

const fileRules: readonly StoredRule[] = [
  {
    name: 'file_without_version',
    says: 'A file stands at a version that is not kept.',
    sql: `select file.workspace_id, ${versionOf('file')} as subject from file
      left join file_version kept on ${sameVersion('kept', 'file')} where kept.version is null`,
  },
  {
    name: 'file_unlike_version',
    says: 'A file says something else of its bytes than its current version.',
    sql: `select file.workspace_id, ${versionOf('file')} as subject from file
      join file_version kept on ${sameVersion('kept', 'file')}
      where kept.path <> file.path or kept.content_hash <> file.content_hash
        or kept.size_bytes <> file.size_bytes or kept.content_type <> file.content_type`,
  },
  {
    name: 'file_behind_version',
    says: 'A file does not stand at the newest of its versions.',
    sql: `select file.workspace_id, ${versionOf('file')} as subject from file
      where exists (select 1 from file_version later where later.workspace_id = file.workspace_id
        and later.incarnation = file.incarnation and later.version > file.version)`,
  },
  {
    name: 'incarnation_twice',
    says: 'Two files share their versions.',
    sql: `select workspace_id, min(path) as subject from file
      group by workspace_id, incarnation having count(*) > 1`,
  },
  {
    name: 'version_missing',
    says: 'The versions of a file have a gap.',
    sql: `select workspace_id, min(path) || ': ' || count(*) || ' of ' || max(version) || ' versions' as subject
      from file_version group by workspace_id, incarnation having min(version) <> 1 or max(version) <> count(*)`,
  },
  {
    name: 'version_elsewhere',
    says: 'The versions of one file have different paths.',
    sql: `select workspace_id, min(path) || ' and ' || max(path) as subject from file_version
      group by workspace_id, incarnation having min(path) <> max(path)`,
  },
  {
    name: 'former_incarnation_wrong',
    says: 'A file that left its path is not among those that stood there: its versions are not found. Or one that stands is.',
    // An import gets these rows when it is opened, and its counters with them.
    sql: `select first_version.workspace_id, ${versionOf('first_version')} as subject from file_version first_version
      join workspace_counter counter on counter.workspace_id = first_version.workspace_id
      left join file on file.workspace_id = first_version.workspace_id and file.path = first_version.path
        and file.incarnation = first_version.incarnation
      left join former_incarnation former on former.workspace_id = first_version.workspace_id
        and former.path = first_version.path and former.incarnation = first_version.incarnation
      where first_version.version = 1 and (file.path is null) = (former.path is null)`,
  },
  {
    name: 'version_without_bytes',
    says: 'The bytes of a version are not kept: it cannot be read.',
    sql: `select version.workspace_id, ${versionOf('version')} as subject from file_version version
      ${contentOf('version')} where blob.content_hash is null`,
  },
  {
    name: 'version_unlike_bytes',
    says: 'A version has another size than its bytes.',
    sql: `select version.workspace_id, ${versionOf('version')} as subject from file_version version
      ${contentOf('version')} where blob.size_bytes <> version.size_bytes`,
  },
  {
    name: 'move_from_nowhere',
    says: 'A moved file comes from one that never was.',
    sql: `select arrival.workspace_id, ${versionOf('arrival')} as subject from file_version arrival
      left join file_version source on source.workspace_id = arrival.workspace_id
        and source.incarnation = arrival.moved_from_incarnation and source.version = 1
      where arrival.moved_from_incarnation is not null
        and (source.path is null or source.path <> arrival.moved_from_path)
      union all select workspace_id, ${versionOf('file_version')} from file_version
      where (op = 'move') <> (moved_from_path is not null) or (moved_from_path is null) <> (moved_from_incarnation is null)`,
  },
  {
    name: 'copy_of_nothing',
    says: 'A conflicted copy does not say of what, or a version that is none says so.',
    sql: `select workspace_id, ${versionOf('file_version')} as subject from file_version
      where (op = 'conflict') <> (conflict_of is not null)`,
  },
  {
    name: 'content_quarantined',
    says: 'Bytes were found missing or wrong, and put aside: the versions that have them cannot be read.',
    sql: `select distinct quarantined.workspace_id, quarantined.content_hash as subject
      from quarantined_content quarantined ${contentOf('quarantined')} where blob.content_hash is null`,
  },
  {
    name: 'bytes_unlike_size',
    says: 'Bytes in the database are not as many as they must be.',
    sql: `select workspace_id, content_hash as subject from blob
      where bytes is not null and length(bytes) <> size_bytes`,
  },
];

export interface CountedUsage {
  /** The column of `workspace_counter`. */
  readonly counter: string;
  /** What it must be: a query of one number. */
  readonly counted: string;
  readonly what: string;
}

const usageRule = ({ counter, counted, what }: CountedUsage): StoredRule => ({
  name: `${counter}_wrong`,
  says: `The number of ${what} that a workspace is charged for is not what it holds.`,
  sql: `select workspace_id, ${counter} || ' instead of ' || counted as subject from
    (select workspace_id, ${counter}, (${counted}) as counted from workspace_counter) counters
    where ${counter} <> counted`,
});
const ofWorkspace = 'workspace_id = workspace_counter.workspace_id';
const currentBytes = `select coalesce(sum(size_bytes), 0) from file where file.${ofWorkspace}`;

/** Counters of a workspace, and the sum over its rows that each must be. */
export const countedUsage: readonly CountedUsage[] = [
  {
    counter: 'used_files',
    counted: `select count(*) from file where file.${ofWorkspace}`,
    what: 'files',
  },
  { counter: 'used_bytes', counted: currentBytes, what: 'bytes' },
  {
    counter: 'history_bytes',
    // A move keeps no bytes of its own: what it left stands where it went.
    counted: `select coalesce(sum(size_bytes), 0) - (${currentBytes}) from file_version
      where file_version.${ofWorkspace} and op <> 'move'`,
    what: 'bytes of earlier versions',
  },
  {
    counter: 'comments',
    counted: `select (select count(*) from comment_thread where comment_thread.${ofWorkspace})
      + (select count(*) from comment_entry where comment_entry.${ofWorkspace})`,
    what: 'comments',
  },
  {
    counter: 'privacy_records',
    counted: `select count(*) from node_privacy where node_privacy.${ofWorkspace}`,
    what: 'private items',
  },
];

const feedRules: readonly StoredRule[] = [
  {
    name: 'change_missing',
    // After a restore the numbers go on a whole jump further up, so that none is given out twice.
    says: 'The feed has a gap that no restore made, or goes beyond its head.',
    sql: `select workspace_id, changes || ' changes, the last is ' || last || ', the head is ' || seq as subject from
      (select counter.workspace_id, counter.seq, count(change.seq) as changes, coalesce(max(change.seq), 0) as last
        from workspace_counter counter left join change on change.workspace_id = counter.workspace_id
        group by counter.workspace_id, counter.seq) feeds
      where (seq - changes) % ${restoreJumpSeqs} <> 0 or last > seq`,
  },
  {
    name: 'change_for_nobody',
    says: 'A change is for one member only and for all but one at once.',
    sql: `select workspace_id, 'seq ' || seq as subject from change
      where only_user_id is not null and except_user_id is not null`,
  },
  {
    name: 'bookmark_beyond_head',
    says: 'A key has been told of changes that are not in the feed.',
    sql: `select bookmark.workspace_id, bookmark.key_id as subject from bookmark
      left join workspace_counter counter on counter.workspace_id = bookmark.workspace_id
      where counter.seq is null or bookmark.head_seq > counter.seq or bookmark.start_seq > bookmark.head_seq`,
  },
];

const commentRules: readonly StoredRule[] = [
  {
    name: 'thread_without_change',
    says: 'The feed does not tell of a comment thread that is there.',
    sql: `select thread.workspace_id, thread.id as subject from comment_thread thread
      left join change on change.workspace_id = thread.workspace_id and change.seq = thread.seq
      where change.op is null or change.op <> 'comment_created'`,
  },
  {
    name: 'reply_without_change',
    says: 'The feed does not tell of a reply that is there.',
    sql: `select reply.workspace_id, reply.id as subject from comment_entry reply
      left join change on change.workspace_id = reply.workspace_id and change.seq = reply.seq
      where change.op is null or change.op <> 'comment_replied'`,
  },
  {
    name: 'comment_lost',
    says: 'The feed tells of a comment that is not there.',
    // No index has replies by their number: they are sorted beside the feed, since a look-up of each would read them all.
    sql: `select change.workspace_id, change.path || ' seq ' || change.seq as subject from change
      left join comment_thread thread on thread.workspace_id = change.workspace_id and thread.seq = change.seq
      where change.op = 'comment_created' and thread.id is null
      union all select workspace_id, max(path) || ' seq ' || seq from
        (select workspace_id, seq, path from change where op = 'comment_replied'
          union all select workspace_id, seq, null from comment_entry) told
        group by workspace_id, seq having count(path) = count(*)`,
  },
  {
    name: 'reply_elsewhere',
    says: 'A reply and its thread are in different workspaces, or the thread is not there.',
    sql: `select reply.workspace_id, reply.id as subject from comment_entry reply
      left join comment_thread thread on thread.id = reply.thread_id
      where thread.id is null or thread.workspace_id <> reply.workspace_id`,
  },
  {
    name: 'thread_without_bytes',
    says: 'The bytes that a comment thread was begun on are not kept.',
    sql: `select thread.workspace_id, thread.id as subject from comment_thread thread
      ${contentOf('thread', 'pinned_content_hash')}
      where blob.content_hash is null or blob.size_bytes <> thread.pinned_size_bytes
        or thread.anchor_start > thread.anchor_end or thread.anchor_end > thread.pinned_size_bytes`,
  },
  {
    name: 'thread_half_resolved',
    says: 'A comment thread says when it was resolved and not by whom, or the other way round.',
    sql: `select workspace_id, id as subject from comment_thread
      where (resolved_at is null) <> (resolved_by is null)`,
  },
];

const sideRules: readonly StoredRule[] = [
  {
    name: 'private_to_nobody',
    says: 'Something is private to an account that is not there: nobody can see it.',
    sql: `select privacy.workspace_id, privacy.path as subject from node_privacy privacy
      left join "user" owner on owner."id" = privacy.owner_id where owner."id" is null`,
  },
  {
    name: 'link_without_bytes',
    says: 'A share link to a version names bytes that are not kept.',
    sql: `select share.workspace_id, share.path || ' (' || share.id || ')' as subject from share
      ${contentOf('share', 'pinned_hash')} where share.pinned_hash is not null and blob.content_hash is null`,
  },
  {
    name: 'facts_of_no_content',
    says: 'Something is remembered, or to be read, of contents that are not kept.',
    sql: `select facts.workspace_id, facts.content_hash as subject from
      (select workspace_id, content_hash from front_matter
        union all select workspace_id, content_hash from front_matter_unread) facts
      ${contentOf('facts')} where blob.content_hash is null and not exists (select 1 from quarantined_content quarantined
        where quarantined.workspace_id = facts.workspace_id and quarantined.content_hash = facts.content_hash)`,
  },
];

const peopleRules: readonly StoredRule[] = [
  {
    name: 'workspace_without_counter',
    says: 'A workspace has no counters: nothing in it can be read or changed.',
    sql: `select workspace.id as workspace_id, workspace.name as subject from workspace
      left join workspace_counter counter on counter.workspace_id = workspace.id where counter.seq is null`,
  },
  {
    name: 'workspace_without_owner',
    says: 'A workspace has no owner.',
    sql: `select id as workspace_id, name as subject from workspace where not exists
      (select 1 from member where member.workspace_id = workspace.id and member.role = 'owner')`,
  },
  {
    name: 'member_without_account',
    says: 'A member has no account.',
    sql: `select member.workspace_id, member.user_id as subject from member
      left join "user" person on person."id" = member.user_id where person."id" is null`,
  },
  {
    name: 'key_without_account',
    says: 'A key is of an account that is not there, or for a workspace that is not.',
    sql: `select api_key.workspace_id, api_key.id as subject from api_key
      left join "user" person on person."id" = api_key.user_id
      left join workspace on workspace.id = api_key.workspace_id
      where person."id" is null or (api_key.workspace_id is not null and workspace.id is null)`,
  },
  {
    name: 'key_of_no_kind',
    says: 'What a key may do is not known, or a key for a folder has no workspace.',
    sql: `select workspace_id, id as subject from api_key
      where access not in ('read', 'comment', 'write') or (path <> '' and workspace_id is null)`,
  },
  {
    name: 'invite_overused',
    says: 'An invite has more uses left than it ever had, or fewer than none.',
    sql: `select workspace_id, id as subject from invite
      where uses_left < 0 or uses_left > max_uses or (uses_left is null) <> (max_uses is null)`,
  },
];

/** Every rule that one statement can ask, what matters most first. */
export const storedRules: readonly StoredRule[] = [
  ...fileRules,
  ...countedUsage.map(usageRule),
  ...feedRules,
  ...commentRules,
  ...sideRules,
  ...peopleRules,
];
