import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { signUp } from '../../support/people.ts';
import { createWorkspace, type WorkspaceClient } from '../../support/workspace-client.ts';
import type { App } from './use-app.ts';
import type { Allowed } from './watch-pages.ts';

export const notices = (page: Page) => page.getByRole('region', { name: 'Notifications' });
export const notice = (page: Page, text: string) =>
  notices(page).getByRole('status').filter({ hasText: text });
export const row = (page: Page, name: string) => page.getByRole('row', { name, exact: true });

/** Opens the top folder of a new workspace with these files. */
export async function openedBy(
  app: App,
  t: TestContext,
  files: Readonly<Record<string, string>>,
  allowed: Allowed = {},
) {
  const ada = await signUp(app.client, 'Ada Lovelace');
  const workspace = await createWorkspace(ada, ada.session, 'Team');
  for (const [path, text] of Object.entries(files)) {
    assert.equal((await workspace.put(path, text)).status, 201);
  }
  const page = await app.open(t, { as: ada, allowed });
  await page.goto(`/w/${workspace.id}`);
  await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
  return { ada, workspace, page };
}

/** Chooses an entry in the menu of a row. */
export async function chooseIn(page: Page, name: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page
    .getByRole('menu', { name: `Actions for ${name}` })
    .getByRole(/^Private$/.test(entry) ? 'menuitemcheckbox' : 'menuitem', { name: entry, exact: true })
    .click();
}

export async function contentOf(workspace: WorkspaceClient, path: string): Promise<string> {
  const response = await workspace.get(path);
  assert.equal(response.status, 200, path);
  return response.bytes.toString();
}
