/** What a client of the extended or the lean set tells its agent when it connects: see `instructions`. */
export const extendedInstructions = `Stoa is a shared file workspace for people and agents. Files are plain bytes at a path; markdown may begin with YAML front matter.

Read AGENTS.md at the root first, if it is there: it holds the conventions of the workspace, or, in a new workspace, a setup guide to follow when you are asked to set up or organise it. Then call catch_up: it tells what others did since you last asked.

Every file has a version. Change a file with edit_file: copy oldText exactly from what you read. It lands even if others changed other parts meanwhile; if they changed the same part, nothing is written and you are shown what is there now. append_file adds to a log without reading it. write_file is for new files and complete rewrites: pass the version you read as baseVersion. If somebody wrote meanwhile, your content is kept at conflictCopyPath: read again, merge, write, then delete the copy.

Comments are not files: the server keeps the threads, and only the comment tools see them. Reviewers quote text; there are no line numbers. To address the comments on a file:
1. list_comments with brief for its path.
2. edit_file.
3. answer_comments: say in each thread what changed. Resolve only what you really fixed, and leave the others open.
A thread whose anchorStatus is not anchored refers to text that has changed since: read_file_version at its pinnedVersion shows the original. To ask a question of your own, use add_comment and quote the passage.

Two front-matter conventions show in the web app: date: YYYY-MM-DD puts a file on its folder's calendar; in a folder's README.md or index.md, view: calendar opens the folder as a calendar and title: names it.

Find text with search_content; search_files looks at names and paths only. Read text with read_lines; read_file gives bytes, in windows (maxBytes, offset).`;
