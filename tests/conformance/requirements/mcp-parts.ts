import { due } from './requirement.ts';

/** The sets other than the standard one. */
export const mcpSets = due('mcp', {
  'mcp.sets.extended':
    'At toolset=extended the standard tools are listed, and after them the ones that the set adds; at toolset=files those for files.',
  'mcp.sets.unknown': 'A toolset that is not known is 400 and names those that are.',
  'mcp.sets.standard-only':
    'A tool of the extended set cannot be called at another address, and the error says so.',
});

/** Tools for parts of files. */
export const mcpParts = due('mcp', {
  'mcp.edit-file':
    'edit_file replaces texts that occur once, all of them or none, and returns version and lines.',
  'mcp.edit-file.all': 'With all it replaces every occurrence.',
  'mcp.edit-file.base': 'Edits for an earlier version succeed although others changed other parts since.',
  'mcp.edit-file.base-unavailable': 'An unknown baseVersion counts as omitted, and a note says so.',
  'mcp.edit-file.changed':
    'Where others changed the same text nothing is written, and the result has the current text and its author.',
  'mcp.edit-file.not-found': 'Text that is not in the file is rejected with the closest line.',
  'mcp.edit-file.ambiguous': 'Text with several matches is rejected with the lines.',
  'mcp.edit-file.overlap': 'Edits that overlap are rejected.',
  'mcp.edit-file.white-space':
    'Line ends and white space at the ends of lines need not match, and the result says so.',
  'mcp.edit-file.bytes': 'Line ends, a byte order mark and all bytes outside the edits stay.',
  'mcp.edit-file.repeat': 'The same edit again with the same baseVersion makes no version.',
  'mcp.edit-file.forms': 'Forms of the arguments that agents know from elsewhere are accepted.',
  'mcp.edit-file.refused':
    'A file that is missing, too large or not text is a hard error, and so is a read-only workspace.',
  'mcp.edit-file.quota': 'A full workspace is an outcome, and nothing is written.',
  'mcp.edit-file.parallel': 'Of many edits of one file at once none is lost.',
  'mcp.write-file.merge':
    'In the extended set a stale write with merge is merged where the changes do not touch, and kept as a copy where they do.',
  'mcp.resolve-conflict':
    'resolve_conflict merges a conflicted copy into its file, or keeps one of the two, and deletes the copy.',
  'mcp.resolve-conflict.overlap':
    'Where both changed the same lines nothing is changed, and the result has those lines of all three.',
  'mcp.resolve-conflict.no-base':
    'A copy whose base is not known is not merged; one of the two can still be kept.',
  'mcp.append-file': 'append_file adds text on a line of its own and returns version and size.',
  'mcp.append-file.creates': 'It creates a missing file.',
  'mcp.append-file.line-ends': 'The line ends that it adds are those of the file.',
  'mcp.append-file.limit': 'A file that would have more than 8 MiB is a hard error.',
  'mcp.append-file.refused': 'Bytes that are not text, and a read-only workspace, are hard errors.',
  'mcp.append-file.parallel': 'Of many texts that are added to one file at once none is lost.',
  'mcp.catch-up':
    'catch_up returns a line for each file that others changed, with authors, new comments and conflicted copies; own changes are omitted.',
  'mcp.catch-up.first': 'The first result of a key begins a day before.',
  'mcp.catch-up.repeat':
    'Without since each change is in two responses, however often a key asks; after that it is skipped, and the unconfirmed range is named.',
  'mcp.catch-up.confirmed': 'A cursor as since confirms that its response arrived.',
  'mcp.catch-up.since': 'since takes hours, days, a time or a cursor.',
  'mcp.catch-up.path':
    'path is a folder or a file; a call with it skips no change elsewhere in the workspace.',
  'mcp.catch-up.wait': 'wait delays the result until there is news that no earlier one had.',
  'mcp.catch-up.wait-alone': 'Calls that wait for news delay no other call of their person.',
  'mcp.catch-up.authors': 'Every author of a file is named, with their changes where there are several.',
  'mcp.catch-up.bulk': 'Many files of a folder to which one author did the same are one line.',
  'mcp.catch-up.revoked': 'Members who no longer see a path learn who made it private.',
  'mcp.catch-up.diff': 'diff shows up to 20 changed lines of each file.',
  'mcp.catch-up.size':
    'A result has at most 200 lines and says how to continue; a call without since continues from it as well.',
  'mcp.catch-up.hidden':
    'Paths that the caller cannot see, or cannot see any more, are not named or counted.',
  'mcp.catch-up.nothing': 'Without changes by others it counts the open threads.',
  'mcp.list-comments.scope':
    'list_comments takes a folder as path, and a name, a label or an id as author; a missing path is named.',
  'mcp.answer-comments': 'answer_comments replies to and resolves threads; one dedupeKey serves all of them.',
  'mcp.answer-comments.each': 'Each reply succeeds or fails on its own: the failed ones are named.',
  'mcp.list-comments.brief':
    'With brief, list_comments returns short lines of text, by file, with lines and names.',
  'mcp.list-files.depth':
    'With depth, list_files returns a tree; a deeper folder is a line with its number of files.',
  'mcp.move-folder': 'In the extended set move_file moves a folder with all in it, all or nothing.',
  'mcp.move-folder.hidden': 'Files that the caller cannot see stay, and private paths stay private.',
  'mcp.search-content':
    'search_content returns the lines that have a text, with numbers, under the path and version of each file.',
  'mcp.search-content.page': 'The first line says which lines are shown of how many, and how to continue.',
  'mcp.search-content.nothing':
    'Where nothing is found it says that the text is taken literally, and counts the lines with each word alone.',
  'mcp.search-content.clamped': 'Numbers out of range count as the nearest within.',
  'mcp.search-content.refused':
    'An empty text, one over 200 characters, and a glob that cannot be read are hard errors.',
  'mcp.search-content.words':
    'With mode words it finds files as Find does: path, version and matching lines, folders with a slash.',
  'mcp.search-content.words-pages':
    'In mode words limit counts lines and offset results, and the first line says how to continue.',
  'mcp.search-content.words-nothing':
    'Where nothing matches, mode words says what a query must be, and what is wrong with path.',
  'mcp.search-content.words-refused':
    'An invalid query, a glob, context and matchCase are hard errors in mode words.',
  'mcp.search-content.size': 'A result has at most 40,000 characters and 60,000 bytes.',
  'mcp.read-lines':
    'read_lines returns lines unchanged, after a line that says which they are and where to continue.',
  'mcp.read-lines.from-end': 'A negative from counts from the end.',
  'mcp.read-lines.range':
    'A line after the last returns the last one and says so; an empty file has 0 lines.',
  'mcp.read-lines.size':
    'A result has at most 40,000 characters and 60,000 bytes; a line of more than 2,000 characters is cut.',
  'mcp.read-lines.blame': 'With blame, a list before the lines names the author, time and version of each.',
  'mcp.read-lines.not-text': 'Bytes that are not text are a hard error.',
});
