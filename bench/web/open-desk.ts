import type { Browser, Page } from 'playwright-core';
import { buildWeb } from '../../scripts/building/build-web.ts';
import { findWholeChromium, openChromium } from '../../tests/support/chromium.ts';
import { type Filling, fillWorkspace } from '../../tests/support/fill-workspace.ts';
import { openHttpClient } from '../../tests/support/http-client.ts';
import { createKey, signUp } from '../../tests/support/people.ts';
import { startService } from '../../tests/support/service-process.ts';
import { createWorkspace, type WorkspaceClient } from '../../tests/support/workspace-client.ts';
import type { Workbench } from '../workbench.ts';
import { pageWatch } from './page-watch.ts';

/** A slower processor and network, like a phone on a mobile network. */
export interface Line {
  readonly cpuTimesSlower: number;
  readonly megabitsPerSecond: number;
  readonly latencyMs: number;
}

/** The app on a server of its own, and a browser with a signed-in user. */
export interface Desk {
  readonly browser: Browser;
  readonly makeWorkspace: () => Promise<WorkspaceClient>;
  /** Adds many copies of an existing file, faster than requests could. */
  readonly fillAtOnce: (workspace: WorkspaceClient, filling: Filling) => Promise<void>;
  /** A page in a context of its own, with empty caches. Closing its context ends it. */
  readonly openPage: (line?: Line) => Promise<Page>;
}

const writesAtOnce = 32;

export type FoundDesk =
  | { readonly kind: 'desk'; readonly desk: Desk }
  | { readonly kind: 'missing'; readonly reason: string };

export async function openDesk(workbench: Workbench): Promise<FoundDesk> {
  const found = await findWholeChromium();
  if (found.kind === 'missing') return found;
  await buildWeb();
  const service = await startService();
  workbench.keepResource(service);
  const client = openHttpClient(service.url);
  workbench.keepResource({ [Symbol.asyncDispose]: () => client.close() });
  const person = await signUp(client, 'Ada');
  const key = await createKey(person);
  const browser = await openChromium(found.path);
  workbench.keepResource({ [Symbol.asyncDispose]: () => browser.close() });
  const cookies = (person.session.credentials.cookie ?? '').split('; ');
  return {
    kind: 'desk',
    desk: {
      browser,
      makeWorkspace: () => createWorkspace(person, key.client),
      fillAtOnce: (workspace, filling) => fillWorkspace(service.home, workspace.id, filling),
      openPage: (line) => openPage(browser, service.url, cookies, line),
    },
  };
}

/** @param cookies `name=value`, the session of the user at that address. */
export async function openPage(
  browser: Browser,
  url: string,
  cookies: readonly string[],
  line?: Line,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: { width: 1280, height: 800 },
  });
  for (const pair of cookies) {
    const [name = '', ...value] = pair.split('=');
    await context.addCookies([{ name, value: value.join('='), url }]);
  }
  await context.addInitScript(pageWatch);
  const page = await context.newPage();
  if (line !== undefined) {
    const session = await context.newCDPSession(page);
    const bytesPerSecond = (line.megabitsPerSecond * 1_000_000) / 8;
    await session.send('Emulation.setCPUThrottlingRate', { rate: line.cpuTimesSlower });
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: line.latencyMs,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    });
  }
  return page;
}

/** Creates files of one line each. */
export async function fill(workspace: WorkspaceClient, paths: readonly string[]): Promise<void> {
  const waiting = [...paths];
  const write = async () => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const { status } = await workspace.put(path, `# ${path}\n`);
      if (status !== 201) throw new Error(`${path} was not created: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: writesAtOnce }, write));
}
