/**
 * What a client tells its agent when it connects (specification: Instructions). Clients cut it off at 2,048 characters,
 * so the most important comes first.
 */
export const instructions = `Stoa is a shared file workspace for people and agents. Files are plain bytes at a path; markdown may begin with YAML front matter.

Read AGENTS.md at the root first, if it is there: it holds the conventions of the workspace, or, in one not prepared yet, a setup guide to follow when you are asked to set up or organise it.

Every file has a version. Pass the version you read as baseVersion when you write. If somebody wrote meanwhile, nothing is lost: your content is kept at conflictCopyPath. Read the file again, merge, write with the new version, then delete the copy.

Comments are no files: threads are kept by the server and only the comment tools see them. Reviewers quote text; there are no line numbers. To address the comments on a file:
1. list_comments for its path.
2. read_file, and note the version.
3. write_file the revision with that version as baseVersion.
4. reply_comment on each thread, saying what changed.
5. resolve_comment only the threads you really fixed. What you did not fix gets a reply and stays open.
A thread whose anchorStatus is not anchored is about text that has changed since: read_file_version at its pinnedVersion shows what was meant. To ask something yourself, add_comment, quoting the passage.

Front matter that the web app shows is set by writing the file: date: YYYY-MM-DD puts it on its folder's calendar; in a folder's README.md or index.md, view: calendar opens the folder as a calendar and title: names it.

search_files looks at names and paths, not contents. Read large files in windows (maxBytes, offset).`;
