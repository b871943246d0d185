import { due } from './requirement.ts';

/** Sharing tools. */
export const mcpShares = due('mcp', {
  'mcp.create-share': 'create_share returns exactly id, path, access and memberUrl.',
  'mcp.create-share.kind': 'The kind is required: file or folder.',
  'mcp.create-share.member': 'Access is member by default, and the link opens for members only.',
  'mcp.create-share.public': 'Public access is rejected with the reason.',
  'mcp.create-share.private': 'A private item cannot be shared.',
  'mcp.create-share.missing': 'A missing or hidden item cannot be shared and is not found.',
  'mcp.list-shares': 'list_shares returns the active shares on exactly that path.',
  'mcp.list-shares.active': 'A revoked share is not listed.',
  'mcp.revoke-share': 'revoke_share ends the link and returns text.',
  'mcp.revoke-share.unknown': 'An unknown share is a hard error.',
});

/** Comment tools. */
export const mcpComments = due('mcp', {
  'mcp.list-comments': 'list_comments returns exactly threads, total, more, nextOffset and truncated.',
  'mcp.list-comments.optional': 'All its parameters are optional.',
  'mcp.list-comments.path': 'It filters by path.',
  'mcp.list-comments.thread': 'It reads one thread.',
  'mcp.list-comments.status': 'It filters by open and resolved, and rejects other words.',
  'mcp.list-comments.anchor': 'It filters by anchored, ambiguous and outdated, and rejects other words.',
  'mcp.list-comments.author': 'It filters by the user who started the thread.',
  'mcp.list-comments.limit': 'It lists 50 threads by default and at most 200.',
  'mcp.list-comments.offset':
    'nextOffset leads to every thread and is null on the last page, where more is false.',
  'mcp.list-comments.entries': 'A thread shows 20 replies by default and at most 100, from entriesOffset on.',
  'mcp.list-comments.truncated':
    'A filter by anchor that stops early says so, and that others should be narrowed.',
  'mcp.list-comments.hidden': "Threads on another member's private file are not listed or counted.",
  'mcp.add-comment': 'add_comment returns ok and the thread.',
  'mcp.add-comment.range': 'A range is the default kind and needs a quote.',
  'mcp.add-comment.point': 'A point needs both contexts and no quote.',
  'mcp.add-comment.kind': 'Any other kind is rejected.',
  'mcp.add-comment.body-limit': 'A body has at most 64 KiB; the error names the limit.',
  'mcp.add-comment.quote-limit': 'A quote has at most 4 KiB; the error names the limit.',
  'mcp.add-comment.context-limit': 'A context has at most 512 bytes on each side; the error names the limit.',
  'mcp.add-comment.context': 'Contexts choose among several matches.',
  'mcp.add-comment.occurrence': 'An occurrence, counted from 1, picks one of several.',
  'mcp.add-comment.base-version': 'A quote of an older version is followed to the current one.',
  'mcp.add-comment.ambiguous': 'A quote with several matches: ok false, anchor_ambiguous and occurrences.',
  'mcp.add-comment.not-found': 'A quote that is not in the file: ok false, anchor_not_found.',
  'mcp.add-comment.base-conflict':
    'A file that changed too much: ok false, base_version_conflict, both versions and the reason.',
  'mcp.add-comment.base-unavailable': 'A baseVersion above the current version is base_unavailable.',
  'mcp.add-comment.nothing': 'Nothing is created on ok false.',
  'mcp.add-comment.not-markdown': 'A file that is not markdown is a hard error.',
  'mcp.add-comment.missing': 'A missing or hidden file is a hard error.',
});

/** Tools that reply to threads and resolve them. */
export const mcpReplies = due('mcp', {
  'mcp.reply-comment': 'reply_comment returns exactly ok, the entry and deduped.',
  'mcp.reply-comment.limit': 'A reply has at most 64 KiB; the error names the limit.',
  'mcp.reply-comment.dedupe': 'A retry with the same key records one reply and says deduped.',
  'mcp.reply-comment.unknown': 'An unknown thread is a hard error.',
  'mcp.resolve-comment':
    'resolve_comment returns exactly ok, resolved, changed, resolvedAt, resolvedAtVersion and resolvedBy.',
  'mcp.resolve-comment.idempotent': 'changed is false when the thread already had that state.',
  'mcp.resolve-comment.reopen': 'A reopened thread has no resolver.',
  'mcp.resolve-comment.who': "resolvedBy is a user id, resolvedAtVersion the file's version at that moment.",
  'mcp.resolve-comment.required': 'Thread and resolved are both required.',
});
