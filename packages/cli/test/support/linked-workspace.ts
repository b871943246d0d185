import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { createKey, signUp } from '../../../../tests/support/people.ts';
import { useTarget } from '../../../../tests/support/target.ts';
import { createWorkspace } from '../../../../tests/support/workspace-client.ts';
import { runStoa } from './run-stoa.ts';

export const server = await useTarget();
const ada = await signUp(server);

/** Opens a workspace and links folders to it with a key, without an approval page. */
export async function openLinkedWorkspace(keyName = 'service-cli') {
  const workspace = await createWorkspace(ada, ada.session, 'Notes');
  const key = await createKey(ada, { workspaceId: workspace.id, name: keyName });
  const linkWords = ['--key-stdin', '--workspace', workspace.id];
  const run = (cwd: string, ...words: string[]) => runStoa(words, { cwd });
  return {
    files: workspace.as(key.client),
    run,
    put: (cwd: string, text: string, ...words: string[]) => runStoa(['put', ...words], { cwd, stdin: text }),
    async link(folder: string) {
      await mkdir(folder, { recursive: true });
      const linked = await runStoa(['link', server.url, ...linkWords], { cwd: folder, stdin: key.secret });
      assert.equal(linked.code, 0, linked.stderr);
      return (...words: string[]) => run(folder, ...words);
    },
    clone: (cwd: string, ...dir: string[]) =>
      runStoa(['clone', server.url, ...dir, ...linkWords], { cwd, stdin: key.secret }),
  };
}
