/** The README.md of a new workspace. The name is one line of text and is escaped in the heading. */
export function welcomeText(workspaceName: string): string {
  const heading = workspaceName.replace(/[\\`*_{}[\]<>#|!]/g, '\\$&');
  return `# ${heading}

This is a shared workspace. People and agents read and write the same files here, and no work is lost:

- Every save makes a new **version**. Earlier ones can be read and restored at any time.
- If two people change the same lines at once, both texts are kept and you choose. The second one becomes a
  **conflicted copy**, with the writer's name and the time.
- A file or folder can be **private** to you, or shared by link.
- Markdown can carry **comments** that quote the passage they are about.
- Every change is listed under the person or the key that made it.

## First steps

1. Put some files in: any kind, in any folders.
2. Connect an agent: it gets its own name, and you see everything it does.
3. Ask an agent to "set up this workspace": it finds its guide in \`AGENTS.md\`.

## Two conventions

A markdown file may begin with a block of front matter between two \`---\` lines:

- \`date: 2026-01-31\` puts the file on its folder's calendar.
- In a folder's \`README.md\` or \`index.md\`, \`view: calendar\` opens the folder as a calendar, and \`title:\` gives it a
  heading.

This file is yours: change it to say what the workspace is for.
`;
}
