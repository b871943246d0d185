import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { buildCli } from '../../scripts/building/build-cli.ts';
import { installStoa } from '../support/install-stoa.ts';
import { textAt } from '../support/response.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { sharedBy } from '../sync/support/shared-workspace.ts';
import { hashOf, SyncedFolder, until } from '../sync/support/synced-folder.ts';
import { atWork, copies, edit, editor, says, textOf, typeInLine } from './support/at-work.ts';
import { useApp } from './support/use-app.ts';

await buildCli();
const app = await useApp();
/** Longer than the longest pause before a folder retries an unreachable server. */
const convergeMs = 120_000;
const prefix = await mkdtemp(join(tmpdir(), 'stoa-prefix-'));
after(() => rm(prefix, { recursive: true, force: true }));

async function approve(page: Page, code: string): Promise<void> {
  await page.goto(`/link?code=${code}`);
  await page.getByRole('form', { name: 'Link a device' }).getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Approve only if your device shows this code.').waitFor();
  // The page knows the command line by its user agent.
  await page.getByText('A linked folder syncs the whole workspace').waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Approved. You can return to your terminal.').waitFor();
}

test(
  'two new folders and the app converge after concurrent writes, a lost connection and a killed process',
  app.options,
  async (t) => {
    const { ada, workspace } = await atWork(app.client);
    const shared = sharedBy(app.client, ada, workspace);
    const page = await app.open(t, { as: ada });
    // Installed on a new machine from the server, as its page says.
    const program = await installStoa(app.url, prefix);
    await using home = await SyncedFolder.unlinked({ program });
    await using away = await SyncedFolder.unlinked({ program });
    for (const folder of [home, away]) await folder.linkByPerson(app.url, (code) => approve(page, code));
    await using cable = await startTcpProxy(Number(new URL(app.url).port));
    await away.reachBy(`http://127.0.0.1:${cable.port}`);

    await home.write('notes/home.md', 'from home\n');
    await home.write('both.md', 'base\n');
    const first = await home.watch();
    const far = await away.watch();
    await shared.untilSame([home, away], convergeMs);

    // The browser and an editor at home change different lines of one text. The browser saves automatically.
    await edit(page, workspace);
    await typeInLine(page, 'Line 3 of the plan.', ' Typed in the app.');
    await says(page, 'Saved');
    await until(
      async () => (await home.read('plan.md'))?.includes('Typed in the app.') === true,
      convergeMs,
      () => 'the typed text does not reach the folder',
    );
    await home.write('plan.md', (await textOf(workspace)).replace('Line 8 of', 'At home: line 8 of'));
    await editor(page).getByText('At home: line 8 of the plan.').waitFor();

    // The connection breaks and one process is killed. All three continue to write.
    const reconnect = cable.hold();
    cable.cutAll();
    await first.end('SIGKILL');
    await away.write('away.md', 'from away\n');
    await away.write('both.md', 'changed away\n');
    await home.write('both.md', 'changed at home\n');
    await home.rename('notes/home.md', 'kept/home.md');
    await typeInLine(page, 'Line 12 of the plan.', ' Typed meanwhile.');
    await says(page, 'Saved');
    await until(
      async () => (await textOf(workspace)).includes('Typed meanwhile.'),
      convergeMs,
      () => 'the app shows the typed text as saved, but the server does not have it',
    );
    await home.watch();
    await shared.untilSame([home], convergeMs);
    assert(far.isRunning(), 'the lost connection ended the watch');
    reconnect();
    await until(
      async () => (await shared.hashes()).has('away.md') && (await copies(workspace)).length === 1,
      convergeMs,
      () => 'the text written without a connection does not arrive',
    );
    await shared.untilSame([home, away], convergeMs);

    const [copy = ''] = await copies(workspace);
    assert.match(copy, /^both \(conflicted copy .*\)\.md$/);
    const plan = await textOf(workspace);
    for (const words of ['Typed in the app.', 'At home: line 8', 'Typed meanwhile.'])
      assert(plan.includes(words));
    assert.deepEqual(
      await away.hashes(),
      new Map(
        [
          ['away.md', hashOf('from away\n')] as const,
          [copy, hashOf('changed away\n')] as const,
          ['both.md', hashOf('changed at home\n')] as const,
          ['kept/home.md', hashOf('from home\n')] as const,
          ['plan.md', hashOf(plan)] as const,
        ].sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
    );
    const moved = (await workspace.changes()).filter((each) => textAt(each, 'path') === 'kept/home.md');
    assert.deepEqual(
      moved.map(({ op, movedFrom }) => [op, movedFrom]),
      [['move', 'notes/home.md']],
    );
    await page.goto(`/w/${workspace.id}/conflicts`);
    await page
      .getByRole('list', { name: 'Conflicted copies' })
      .getByRole('listitem', { name: copy })
      .waitFor();
  },
);
