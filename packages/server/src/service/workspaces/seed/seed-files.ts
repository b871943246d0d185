import { agentsGuide } from './agents-guide.ts';
import { welcomeText } from './welcome-text.ts';

const utf8 = new TextEncoder();

/** The first two files of a new workspace: one for people, one for agents. Ordinary files: edit or delete them. */
export function seedFiles(
  workspaceName: string,
): readonly { readonly path: string; readonly bytes: Uint8Array }[] {
  return [
    { path: 'README.md', bytes: utf8.encode(welcomeText(workspaceName)) },
    { path: 'AGENTS.md', bytes: utf8.encode(agentsGuide) },
  ];
}
