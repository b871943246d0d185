import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { jsonOf, recordsAt } from '../../support/response.ts';
import type { WorkspaceClient } from '../../support/workspace-client.ts';

/** Returns the time of a version saved today, formatted by the browser as the app shows it. */
export async function versionTime(
  page: Page,
  workspace: WorkspaceClient,
  path: string,
  version: number,
): Promise<string> {
  const versions = recordsAt(jsonOf(await workspace.query('versions', { path })), 'versions');
  const { createdAt } = versions.find((each) => each.version === version) ?? {};
  assert.ok(typeof createdAt === 'string', `there is no version ${version} of ${path}`);
  return page.evaluate(
    (time) => new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }).format(new Date(time)),
    createdAt,
  );
}
