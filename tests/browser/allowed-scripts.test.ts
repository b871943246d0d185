import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { findChromium, openChromium } from '../support/chromium.ts';
import { assertStatus } from '../support/expect.ts';
import { signUp } from '../support/people.ts';
import { type JsonRecord, recordOf } from '../support/response.ts';
import { share } from '../support/shares.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { reportMark, visit, watchScripts } from './script-watch.ts';

const server = await useTarget();
const found = await findChromium();
/** The limit for a page that hangs: machines that run tests are busy. */
const reportMsMax = 60_000;
const skip = found.kind === 'missing' ? found.reason : false;

/** A page that tries everything a script of the app could do, and reports the results. */
const attacker = (workspace: string) => `<!doctype html><body><script>
const attempt = async (act) => { try { return String(await act()) } catch (error) { return error.name } };
const write = '${workspace}/files/stolen.txt';
(async () => {
  const report = {
    origin: self.origin,
    cookie: await attempt(() => document.cookie),
    storage: await attempt(() => localStorage.length),
    database: await attempt(() => new Promise((done, fail) => { const open = indexedDB.open('x'); open.onsuccess = () => done('open'); open.onerror = () => fail(open.error) })),
    read: await attempt(() => fetch('/api/me', { credentials: 'include' }).then((answer) => answer.text())),
    write: await attempt(() => fetch(write, { method: 'PUT', body: 'x', credentials: 'include' }).then((answer) => answer.status)),
    beacon: await attempt(() => new Promise((done, fail) => { addEventListener('securitypolicyviolation', () => fail(new DOMException('', 'Blocked')), { once: true }); navigator.sendBeacon(write, 'x'); setTimeout(() => done('sent'), 200) })),
    socket: await attempt(() => new Promise((done, fail) => { const socket = new WebSocket('ws://' + location.host); socket.onopen = () => done('open'); socket.onerror = () => fail(new DOMException('', 'Blocked')) })),
    parent: self === top ? 'SecurityError' : await attempt(() => parent.document.title),
    leave: self === top ? 'SecurityError' : await attempt(() => { top.location = '/api/me' }),
    popup: await attempt(() => open('/api/me')),
    serviceWorker: await attempt(() => navigator.serviceWorker.register('content')),
  };
  const form = document.createElement('form');
  form.method = 'post'; form.action = '${workspace}/move';
  document.body.append(form);
  await attempt(() => form.submit());
  console.log('${reportMark} ' + JSON.stringify(report));
})();
</script></body>`;

test('allowed scripts reach neither the session nor the API', { skip, timeout: 600_000 }, async () => {
  assert.ok(found.kind === 'found');
  const ada = await signUp(server, 'Ada');
  const home = await createWorkspace(ada);
  await home.put('app.html', attacker(home.root));
  const link = await share(home, 'app.html', { allowScripts: true });
  const silent = await share(home, 'app.html');
  const browser = await openChromium(found.path);
  after(() => browser.close());
  const context = await browser.newContext();
  for (const pair of (ada.session.credentials.cookie ?? '').split('; ')) {
    const [name = '', ...value] = pair.split('=');
    await context.addCookies([{ name, value: value.join('='), url: server.url, sameSite: 'Lax' }]);
  }
  // A cookie that scripts of the app's origin can read.
  await context.addCookies([{ name: 'canary', value: 'readable', url: server.url }]);
  const responded: string[] = [];
  context.on('response', (response) => responded.push(new URL(response.url()).pathname));
  const watch = watchScripts(context);
  const page = await context.newPage();

  await page.route('**/control', (route) =>
    route.fulfill({ contentType: 'text/html', body: attacker(home.root) }),
  );
  // The control sends its form last and gets a response. This shows that the test would see a successful attempt.
  const formResponded = page.waitForResponse((response) => response.url().endsWith('/move'));
  const control = await reportOf(() => visit(page, `${server.url}/control`));
  await formResponded;
  assert.match(String(control.cookie), /canary=readable/, 'the attempts fail on the control page');
  assert.match(String(control.read), /Ada/);
  assert.equal(control.write, '201');
  assertStatus(await home.remove('stolen.txt', 1), 204);

  const member = await share(home, 'app.html', { access: 'member', allowScripts: true });
  // Opened directly, the content redirects to its page: a window of its own could navigate anywhere.
  for (const path of [link.path, `${link.path}/content`, member.path, `${member.path}/content`]) {
    const page = await context.newPage();
    responded.length = 0;
    const { origin, popup, ...rest } = await reportOf(() => visit(page, server.url + path));
    assert.equal(origin, 'null');
    assert.ok(popup === 'null' || popup === 'SecurityError', String(popup));
    const expected = {
      cookie: 'SecurityError',
      storage: 'SecurityError',
      database: 'SecurityError',
      read: 'TypeError',
      write: 'TypeError',
      beacon: 'Blocked',
      parent: 'SecurityError',
      leave: 'SecurityError',
    };
    const { serviceWorker, socket, ...others } = rest;
    assert.deepEqual(others, expected);
    assert.notEqual(serviceWorker, '[object ServiceWorkerRegistration]');
    assert.notEqual(socket, 'open');
    assert.equal(page.url(), server.url + path.replace(/\/content$/, ''));
    assert.deepEqual(
      responded.filter((each) => each.startsWith('/api/')),
      [],
    );
  }
  assertStatus(await home.get('stolen.txt'), 404);

  const before = watch.reports.length;
  for (const path of [silent.path, `${silent.path}/content`]) {
    await visit(await context.newPage(), server.url + path);
  }
  assert.equal(watch.reports.length, before, 'scripts ran without permission');

  async function reportOf(act: () => Promise<unknown>): Promise<JsonRecord> {
    const reported = context.waitForEvent('console', {
      predicate: (message) => message.text().startsWith(`${reportMark} `),
      timeout: reportMsMax,
    });
    await act();
    const text = (await reported).text().slice(reportMark.length + 1);
    return recordOf(JSON.parse(text));
  }
});
