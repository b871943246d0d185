import { agentsGuideText, openingText } from './instructions.ts';

/** Instructions for clients of the extended and the lean set: see `instructions`. */
export const extendedInstructions = `${openingText}

${agentsGuideText}

Begin with catch_up: what others did. The next time pass its cursor as since: it shows only what is newer, and confirms that the response arrived.

Every file has a version. Change a file with edit_file: copy oldText exactly from what you read. It lands even if others changed other parts since; if they changed the same part, nothing is written and you see the current text. append_file adds to a log without reading it. write_file is for new files and complete rewrites: pass the version you read as baseVersion. If others wrote first, your content is kept at conflictCopyPath: read again, merge, write, delete the copy.

Comments are not files: only the comment tools see them. A comment belongs to the text it quotes; its line can change. To address the comments on a file:
1. list_comments with brief for its path.
2. edit_file.
3. answer_comments: say in each thread what changed; resolve only what you really fixed.
A thread marked outdated or ambiguous refers to text that has changed since: read_file_version at its pinnedVersion shows the original. To ask a question of your own, use add_comment and quote the passage.

Two front-matter conventions show in the web app: date: YYYY-MM-DD puts a file on its folder's calendar; in a folder's README.md or index.md, view: calendar opens the folder as a calendar and title: names it.

Find text with search_content; search_files looks at names and paths only. Read text with read_lines; read_file gives bytes, in windows (maxBytes, offset).`;
