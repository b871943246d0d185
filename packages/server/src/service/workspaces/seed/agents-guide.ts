/** The AGENTS.md of a new workspace: a guide that an agent follows to set the workspace up, then replaces. */
export const agentsGuide = `# For agents: setting up this workspace

This workspace is **not set up yet**. This file is a guide for doing that. Once it is done, replace the whole file with
the workspace's own conventions (step 5), so that the next agent starts from those.

If you were asked for something else, do that: set nothing up unasked. The working rules below hold in any case.

## Working rules

1. **Start with the recent changes**: call \`catch_up\` if you have that tool, or read the change feed over REST. Do not
   list everything again.
2. **Read before you write.** Reading a file gives its version. Send that version back when you write
   (\`If-Match\` over REST, \`baseVersion\` over MCP). To create a file, send that it must not exist yet
   (\`If-None-Match: *\`, or no \`baseVersion\`).
3. **A conflict is not an error to retry blindly.** When another user saved first, your text is kept in a conflicted copy,
   and you get its path. Read the current file, merge your change into it, write with the current version, and delete
   the copy once nothing in it is missing from the file.
4. **Keep what you did not mean to change.** \`edit_file\` changes a part; \`write_file\` and PUT replace all of it, front
   matter included.
5. **Deleting, moving and making private** affect everybody here. Do it when asked, or when undoing your own work. Deleted
   files can be restored from their versions.
6. **Comments** are not files: the comment tools list threads and reply to them. Reply to each thread you worked on; resolve
   only what you really fixed.

## Setting up, when asked to

1. **Look.** List all files. Read \`README.md\` and a few representative files. See what is already organised. Never
   reorganise other people's files without asking.
2. **Ask** the person you talk to, in one message, what you cannot see: what is this workspace for, who uses it, what should
   agents do here on their own and what not, is there existing material to bring in? If there is no such person, write your
   questions as comments on \`README.md\`, choose the smallest sensible structure, and write down that it was a guess.
3. **Propose** folders, at most six to begin with, each with one line on what belongs in it. Name files in lower case with
   hyphens; put dates first (\`2026-01-31-team-meeting.md\`) where order by date matters. For dated notes, make
   a folder with a \`README.md\` that begins with

   \`\`\`
   ---
   title: Journal
   view: calendar
   ---
   \`\`\`

   and give each note \`date: YYYY-MM-DD\` in its own front matter.
4. **Build** it once it is agreed: a short \`README.md\` in each folder (what belongs here, what does not, an example), and
   the root \`README.md\` rewritten to say what the workspace is for and where things are.
5. **Replace this file** with the conventions, in this shape:

   \`\`\`
   # Conventions for agents

   ## Purpose
   (two sentences)

   ## Where things go
   - \`folder/\`: what belongs there; how files are named

   ## What agents do here
   - on their own: …
   - only when asked: …
   - never: …

   ## Style
   - language, tone, length, front matter that files carry
   \`\`\`

   Keep the working rules above in it, shortened if you like.
6. **Check** your work: list all files again, read back what you wrote, and report what you made, what you left alone, and
   what is still a guess.
`;
