import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { HttpClient } from '../../support/http-client.ts';
import { createKey, type SignedUpPerson, signUp } from '../../support/people.ts';
import { createWorkspace, type WorkspaceClient } from '../../support/workspace-client.ts';

/** Forty lines, so that two writers can change different ones. */
export const plan = `# Plan

${Array.from({ length: 40 }, (_, i) => `Line ${i + 1} of the plan.`).join('\n\n')}
`;

export interface AtWork {
  readonly ada: SignedUpPerson;
  readonly workspace: WorkspaceClient;
  readonly agent: WorkspaceClient;
}

/** Creates Ada, her workspace with a file, and an agent that also writes there. */
export async function atWork(client: HttpClient, text = plan, path = 'plan.md'): Promise<AtWork> {
  const ada = await signUp(client, 'Ada');
  const key = await createKey(ada, { name: 'Claude', actorType: 'agent' });
  const workspace = await createWorkspace(ada);
  const put = await workspace.put(path, text, { contentType: 'text/markdown' });
  assert.equal(put.status, 201);
  return { ada, workspace, agent: workspace.as(key.client) };
}

export async function textOf(workspace: WorkspaceClient, path = 'plan.md'): Promise<string> {
  return (await workspace.get(path)).bytes.toString('utf8');
}

export async function agentRewrites(
  agent: WorkspaceClient,
  change: (text: string) => string,
  path = 'plan.md',
): Promise<void> {
  const file = await agent.get(path);
  const version = Number(file.headers.get('x-service-version')?.[0]);
  const put = await agent.put(path, change(file.bytes.toString('utf8')), {
    ifMatch: version,
    contentType: 'text/markdown',
  });
  assert.equal(put.status, 200);
}

/** Returns the paths of all conflicted copies that were ever created. */
export async function copies(workspace: WorkspaceClient): Promise<readonly string[]> {
  const changes = await workspace.changes();
  return changes.filter(({ op }) => op === 'conflict').map(({ path }) => String(path));
}

export const editor = (page: Page, name = 'plan.md') =>
  page.getByRole('textbox', { name: `Text of ${name}` });

export async function says(page: Page, text: string): Promise<void> {
  await page
    .getByRole('status', { name: 'Save state' })
    .and(page.getByText(text, { exact: true }))
    .waitFor();
}

export async function edit(page: Page, workspace: WorkspaceClient, path = 'plan.md'): Promise<void> {
  await page.goto(`/w/${workspace.id}/f/${path}?mode=edit`);
  await editor(page, path.split('/').at(-1)).waitFor();
  await says(page, 'Saved');
}

/** Types at the end of a line, or at its start. */
export async function typeInLine(
  page: Page,
  line: string,
  words: string,
  where: 'Home' | 'End' = 'End',
): Promise<void> {
  await editor(page).getByText(line, { exact: true }).click();
  await page.keyboard.press(where);
  await page.keyboard.type(words);
}

/** Waits until the draft on the device has these words. */
export async function untilDraftHas(page: Page, words: string): Promise<void> {
  await untilDraft(page, { words, copyPath: null });
}

/** Waits until the draft on the device names this copy: the page may process the response later. */
export async function untilDraftNames(page: Page, copyPath: string): Promise<void> {
  await untilDraft(page, { words: '', copyPath });
}

interface WantedDraft {
  readonly words: string;
  readonly copyPath: string | null;
}

async function untilDraft(page: Page, wanted: WantedDraft): Promise<void> {
  await page.waitForFunction(
    async ({ words, copyPath }) =>
      await new Promise<boolean>((resolve) => {
        const request = indexedDB.open('stoa-drafts');
        request.onsuccess = () => {
          const all = request.result.transaction('drafts').objectStore('drafts').getAll();
          all.onsuccess = () => {
            request.result.close();
            const drafts: readonly { text: string; copy: { path: string } | null }[] = all.result;
            resolve(
              drafts.some(
                ({ text, copy }) => text.includes(words) && (copyPath === null || copy?.path === copyPath),
              ),
            );
          };
        };
      }),
    wanted,
  );
}
