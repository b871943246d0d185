/** The README.md of a new workspace. A name is one line of text; it stands in a heading, so markup in it stays text. */
export function welcomeText(workspaceName: string): string {
  const heading = workspaceName.replace(/[\\`*_{}[\]<>#|!]/g, '\\$&');
  return `# ${heading}

This is a shared workspace. People and agents read and write the same files here, and nobody's work is lost:

- Every save makes a new **version**. Earlier ones can be read and restored at any time.
- When two edit the same version of a file, the first save wins and the second is kept beside it as a
  **conflicted copy**, with the writer's name and the time. Compare the two, merge, delete the copy.
- A file or folder can be **private** to you, or shared by link.
- Markdown can carry **comments** that quote the passage they are about.
- Every change is listed under the person or the key that made it.

## First steps

1. Put some files in: any kind, in any folders.
2. Make a key for each agent or program that works here, and give it a name that you will recognise in the list of
   changes.
3. Ask an agent to "set up this workspace": it finds its guide in \`AGENTS.md\`.

## Two conventions

A markdown file may begin with a block of front matter between two \`---\` lines:

- \`date: 2026-01-31\` puts the file on its folder's calendar.
- In a folder's \`README.md\` or \`index.md\`, \`view: calendar\` opens the folder as a calendar, and \`title:\` gives it a
  heading.

This file is yours: change it to say what the workspace is for.
`;
}
