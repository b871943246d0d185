import { due } from './requirement.ts';

/** File tools that read. */
export const mcpReading = due('mcp', {
  'mcp.list-files.lines': 'list_files returns one line per file: path, tab, version and byte size.',
  'mcp.list-files.sorted': 'Lines are sorted by path, by code point.',
  'mcp.list-files.empty': 'With nothing to list the result is "(no files)".',
  'mcp.list-files.keep': 'Placeholders named .keep are not listed or counted.',
  'mcp.list-files.limit': 'A call lists 1000 files, by default and at most; more is clamped.',
  'mcp.list-files.more': 'When more remain, the last line gives how many and the next offset.',
  'mcp.list-files.offset': 'Following the offsets lists every file once.',
  'mcp.list-files.prefix': 'A prefix ends at a folder boundary.',
  'mcp.list-files.hidden': "Another member's private files are not listed or counted.",
  'mcp.search-files': 'search_files returns path, name and isDir of each result, and totalMatches; no score.',
  'mcp.search-files.fuzzy': "The query's characters must appear in order but need not be adjacent.",
  'mcp.search-files.glob': 'A query with * or ? is a glob of names, or of whole paths when it has a slash.',
  'mcp.list-files.meta': 'The tool says how long a result clients may show whole.',
  'mcp.search-files.limit': 'It returns 50 results by default and at most 200; more is clamped.',
  'mcp.search-files.query': 'The query is required and has at most 200 characters.',
  'mcp.search-files.hidden': "Another member's private files are not found or counted.",
  'mcp.search-files.no-paging': 'There is no offset.',
  'mcp.read-file': 'read_file returns version, content type and content, with size and nextOffset.',
  'mcp.read-file.encoding': 'It reads utf8 by default and base64 on demand, and no other encoding.',
  'mcp.read-file.whole': 'A file of 1 MiB is read whole.',
  'mcp.read-file.too-large': 'A larger one read without maxBytes or offset is rejected with its size.',
  'mcp.read-file.clamp': 'A maxBytes above 1 MiB is clamped to it.',
  'mcp.read-file.windows': 'Advancing the offset reads a large file to its end.',
  'mcp.read-file.past-end': 'At or past the end the content is empty.',
  'mcp.read-file.characters': 'A window of text ends where a character ends.',
  'mcp.read-file.not-text': 'Bytes that are not UTF-8 are a hard error that names base64.',
  'mcp.read-file.bom': 'A byte order mark is kept.',
  'mcp.read-file.missing': 'A missing file is a hard error.',
});

/** The write tool: parameters, outcomes and the rules of baseVersion. */
export const mcpWriting = due('mcp', {
  'mcp.write-file.folders': 'Missing parent folders are created implicitly.',
  'mcp.write-file.type': 'The content type is the one of the extension.',
  'mcp.write-file.encoding': 'Content is utf8 by default, base64 on demand.',
  'mcp.write-file.not-base64': 'Content that does not match its encoding is rejected, not altered.',
  'mcp.write-file.empty': 'Empty content makes an empty file.',
  'mcp.write-file.written': 'A write that is accepted returns exactly ok and the version.',
  'mcp.write-file.rule-1': 'Without baseVersion, path absent: created at version 1.',
  'mcp.write-file.rule-2': 'Without baseVersion, identical bytes: success with the existing version.',
  'mcp.write-file.rule-3':
    'Without baseVersion, different bytes: nothing overwritten, saved as a conflicted copy, ok false.',
  'mcp.write-file.rule-4': 'A baseVersion that matches: updated, version plus one.',
  'mcp.write-file.rule-5': 'A stale baseVersion, identical content: success with no new version.',
  'mcp.write-file.rule-6': 'A stale baseVersion, different content: a conflicted copy.',
  'mcp.write-file.rule-7': 'A stale baseVersion, the file deleted since: recreated at version 1.',
  'mcp.write-file.rule-8-size':
    'A file over the per-file limit is a hard error that names the limit; one of exactly the limit is written.',
  'mcp.write-file.rule-8-read-only': 'A write in a read-only workspace is a hard error.',
  'mcp.write-file.future': 'A baseVersion above the current version is stale.',
  'mcp.write-file.conflict':
    'A version conflict returns exactly ok false, currentVersion and conflictCopyPath, the path of the content.',
  'mcp.write-file.same-loser': 'The same losing content again makes no second copy.',
  'mcp.write-file.storage':
    'Over the storage: ok false, quotaExceeded, usedBytes, limitBytes; nothing written.',
  'mcp.write-file.count':
    'Over the count: ok false, fileCountExceeded, usedFiles, limitFiles; nothing written.',
  'mcp.write-file.history':
    'Over the history: ok false, historyExceeded, usedBytes, limitBytes; nothing written.',
  'mcp.write-file.hidden': "A write to another member's private path is not found.",
  'mcp.write-file.feed': 'An accepted write is a write in the feed, a copy a conflict.',
});

/** Tools that move, delete and adorn. */
export const mcpNodes = due('mcp', {
  'mcp.move-file': 'move_file moves the bytes, returns text and restarts at version 1.',
  'mcp.move-file.exists': 'It fails if the destination exists, and changes nothing.',
  'mcp.move-file.missing': 'It fails if the source is missing or hidden, with the same error for both.',
  'mcp.move-file.no-base': 'It has no baseVersion.',
  'mcp.move-file.threads': 'Comment threads move with the file.',
  'mcp.move-file.feed': 'A move is a delete and a move in the feed.',
  'mcp.delete-file': 'delete_file deletes at the current version and returns text.',
  'mcp.delete-file.base-required': 'baseVersion is required.',
  'mcp.delete-file.stale': 'With a stale version nothing is deleted and the error names the current one.',
  'mcp.delete-file.missing': 'A missing file is a hard error.',
  'mcp.set-file-icon': 'set_file_icon sets the icon of a file or folder and returns text.',
  'mcp.set-file-icon.clears': 'An empty icon, or none, clears it.',
  'mcp.set-file-icon.limits': 'A path has at most 1024 characters, an icon at most 64.',
  'mcp.set-file-icon.nothing': 'With nothing visible at or under the path it is not found.',
  'mcp.set-private': 'set_private hides an item from the other members and returns text.',
  'mcp.set-private.defaults': 'The kind is folder and private is true unless said.',
  'mcp.set-private.owner': 'Only the owner can share a private item again; to others it looks missing.',
  'mcp.set-private.path': 'Its path has at most 1024 characters.',
  'mcp.set-private.others':
    'In the extended set files that other people last wrote are hidden, by set_private or a move, only with others.',
  'mcp.set-private.kind': 'In the extended set the kind is that of the existing item.',
  'mcp.set-private.feed': 'The feed notifies members who lose or regain access.',
});

/** History tools. */
export const mcpHistory = due('mcp', {
  'mcp.read-version': 'read_file_version returns version, content type and content.',
  'mcp.read-version.encoding': 'It reads utf8 by default and base64 on demand.',
  'mcp.read-version.unavailable': 'A version that is not available is a hard error.',
  'mcp.read-version.large': 'A version over 1 MiB is rejected with its size and a way to read it.',
  'mcp.restore': 'restore_file returns exactly status ok, version and restoredFrom.',
  'mcp.restore.nothing-removed': 'Nothing is overwritten or removed: every version stays readable.',
  'mcp.restore.deleted': 'A deleted file comes back at version 1.',
  'mcp.restore.unavailable': 'A version that is not available is a hard error.',
  'mcp.history.required': 'Path and version are both required.',
});

/** Errors of a restore into a full workspace. */
export const mcpRestoreQuota = due('mcp', {
  'mcp.restore.quota': 'A restore that does not fit is a recoverable outcome.',
  'mcp.restore.history': 'So is one whose replaced version is too much for the history.',
});
