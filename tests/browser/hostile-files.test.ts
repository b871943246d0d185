import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { BrowserContext } from 'playwright-core';
import { findChromium, openChromium } from '../support/chromium.ts';
import { assertStatus } from '../support/expect.ts';
import { signUp } from '../support/people.ts';
import { share } from '../support/shares.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, encodePath } from '../support/workspace-client.ts';
import { canary, hostileFiles } from './hostile-files.ts';
import { visit, watchScripts } from './script-watch.ts';

const server = await useTarget();
const found = await findChromium();
const skip = found.kind === 'missing' ? found.reason : false;
const files = hostileFiles();

test('uploaded files run no script, however they are opened', { skip, timeout: 600_000 }, async (t) => {
  assert.ok(files.length >= 30);
  assert.equal(new Set(files.map(({ name }) => name)).size, files.length);
  assert.ok(found.kind === 'found');
  const ada = await signUp(server, 'Ada');
  const home = await createWorkspace(ada);
  for (const { name, contentType, bytes } of files) {
    assertStatus(await home.put(`h/${name}`, bytes, { contentType }), 201);
  }
  const folder = await share(home, 'h', { kind: 'folder' });
  const browser = await openChromium(found.path);
  after(() => browser.close());
  const context = await browser.newContext();
  await signIn(context, server.url, ada.session.credentials.cookie ?? '');
  const watch = watchScripts(context);

  const page = await context.newPage();
  await page.route('**/control', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<iframe srcdoc="<script>console.log('${canary} control ' + self.origin)</script>"></iframe>`,
    }),
  );
  const noticed = context.waitForEvent('console', (message) => message.text().startsWith(canary));
  await visit(page, `${server.url}/control`);
  await noticed;
  assert.deepEqual(
    watch.said,
    [`control ${new URL(server.url).origin}`],
    'the test does not detect a script that runs',
  );

  const ownAddresses = async (name: string) => {
    const { path } = await share(home, `h/${name}`);
    return [path, `${path}/content`];
  };
  const folderAddresses = (encoded: string) => [
    `${folder.path}/view/${encoded}`,
    `${folder.path}/content/${encoded}`,
  ];
  let shown = 0;
  for (const [at, { name }] of files.entries()) {
    const encoded = encodePath(name);
    const addresses = [
      `${home.root}/files/h/${encoded}`,
      `${home.root}/files/h/${encoded}?preview=1`,
      `${home.root}/version?path=${encodeURIComponent(`h/${name}`)}&version=1`,
      // Links to a file and to its folder send the same content: the files use one or the other alternately.
      ...(at % 2 === 0 ? await ownAddresses(name) : folderAddresses(encoded)),
    ];
    for (const address of addresses) {
      if ((await visit(page, server.url + address)) === 'shown') shown += 1;
      assert.deepEqual(watch.said.slice(1), [], `${address} ran a script`);
    }
  }
  t.diagnostic(`${files.length} files at 5 addresses each, ${shown} of them shown rather than downloaded`);
  assert.ok(shown > files.length * 2, 'too few addresses were shown');

  // A page of the app's origin without a policy: only the server's own check protects it.
  await visit(page, `${server.url}/control`);
  for (const [way, load] of Object.entries(loads)) {
    for (const path of [`${home.root}/files/h/script.js`, `${folder.path}/content/script.js`]) {
      assert.equal(await page.evaluate(load(path)), 'refused', `${way} ${path}`);
    }
  }
  assert.deepEqual(watch.said.slice(2), []);
});

async function signIn(context: BrowserContext, url: string, cookies: string): Promise<void> {
  for (const pair of cookies.split('; ')) {
    const [name = '', ...value] = pair.split('=');
    await context.addCookies([{ name, value: value.join('='), url, httpOnly: true, sameSite: 'Lax' }]);
  }
}

/** Ways to run a file with the rights of a page: expressions for that page, which resolve to the result. */
const loads: Readonly<Record<string, (path: string) => string>> = {
  script: (path) => `new Promise((resolve) => {
    const script = document.createElement('script');
    script.onload = () => resolve('ran');
    script.onerror = () => resolve('refused');
    script.src = '${path}';
    document.head.append(script);
  })`,
  worker: (path) => `new Promise((resolve) => {
    try {
      const worker = new Worker('${path}');
      worker.onerror = () => resolve('refused');
      setTimeout(() => resolve('ran'), 60_000);
    } catch {
      resolve('refused');
    }
  })`,
  serviceWorker: (path) => `navigator.serviceWorker.register('${path}').then(() => 'ran', () => 'refused')`,
  import: (path) => `import('${path}').then(() => 'ran', () => 'refused')`,
};
