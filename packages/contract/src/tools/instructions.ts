/** The beginning of both sets' instructions. */
export const openingText =
  'Stoa is a shared file workspace for people and agents. Files are plain bytes at a path; markdown may begin with YAML front matter.';

/** Omitted for a key that cannot read the file. */
export const agentsGuideText =
  'Read AGENTS.md at the root first, if it is there: it holds the conventions of the workspace, or, in a new workspace, a setup guide to follow when you are asked to set up or organise it.';

/**
 * The instructions that a client gives its agent when it connects (interface: mcp, Instructions). Clients cut them at
 * 2,048 characters, so the most important part comes first.
 */
export const instructions = `${openingText}

${agentsGuideText}

Every file has a version. Pass the version you read as baseVersion when you write. If another writer was first, nothing is lost: your content is kept at conflictCopyPath. Read the file again, merge, write with the new version, then delete the copy.

Comments are not files: the server keeps the threads, and only the comment tools see them. Reviewers quote text; there are no line numbers. To address the comments on a file:
1. list_comments for its path.
2. read_file, and note the version.
3. write_file the revision with that version as baseVersion.
4. reply_comment on each thread, saying what changed.
5. resolve_comment only the threads you really fixed. Reply to the others and leave them open.
A thread whose anchorStatus is not anchored refers to text that has changed since: read_file_version at its pinnedVersion shows the original. To ask a question of your own, use add_comment and quote the passage.

Two front-matter conventions show in the web app, and you set them by writing the file: date: YYYY-MM-DD puts it on its folder's calendar; in a folder's README.md or index.md, view: calendar opens the folder as a calendar and title: names it.

search_files looks at names and paths, not contents. Read large files in windows (maxBytes, offset).`;
