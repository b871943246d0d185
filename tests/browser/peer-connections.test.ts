import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { findChromium, openChromium } from '../support/chromium.ts';
import { signUp } from '../support/people.ts';
import { share } from '../support/shares.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { reportMark } from './script-watch.ts';

const server = await useTarget();
const found = await findChromium();
/** Limits for a page that hangs: machines that run tests are busy. */
const [reportMsMax, packetMsMax] = [60_000, 30_000];
const skip = found.kind === 'missing' ? found.reason : false;

/** A page that opens a peer connection to an invented peer at this port, through which it could leak its content. */
const caller = (port: number) => `<!doctype html><body><script>
(async () => {
  let outcome = 'opened';
  try {
    const peer = new RTCPeerConnection();
    peer.createDataChannel('x');
    await peer.setLocalDescription(await peer.createOffer());
    const fingerprint = Array(32).fill('AB').join(':');
    await peer.setRemoteDescription({ type: 'answer', sdp: ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 't=0 0', 'a=group:BUNDLE 0',
      'm=application 9 UDP/DTLS/SCTP webrtc-datachannel', 'c=IN IP4 0.0.0.0', 'a=ice-ufrag:leaked', 'a=ice-pwd:0123456789012345678901',
      'a=fingerprint:sha-256 ' + fingerprint, 'a=setup:active', 'a=mid:0', 'a=sctp-port:5000', ''].join('\\r\\n') });
    await peer.addIceCandidate({ candidate: 'candidate:1 1 UDP 2122252543 127.0.0.1 ${port} typ host', sdpMid: '0' });
  } catch (error) {
    outcome = error.name;
  }
  setTimeout(() => console.log('${reportMark} ' + outcome), 3000);
})();
</script></body>`;

test('a shared page opens no peer connection', { skip, timeout: 600_000 }, async () => {
  assert.ok(found.kind === 'found');
  const ada = await signUp(server, 'Ada');
  const home = await createWorkspace(ada);
  const reached = await listen();
  const html = caller(reached.port);
  // A port of its own, because packets of the other page may arrive late.
  const kept = await listen();
  await home.put('call.html', caller(kept.port));
  const link = await share(home, 'call.html', { allowScripts: true });
  const browser = await openChromium(found.path, ['--allow-loopback-in-peer-connection']);
  after(() => browser.close());

  const control = await browser.newPage();
  await control.route('**/control', (route) => route.fulfill({ contentType: 'text/html', body: html }));
  assert.equal(await reportOf(control, `${server.url}/control`), 'opened');
  await reached.first(packetMsMax);

  await control.close();
  const page = await browser.newPage();
  const outcome = await reportOf(page, server.url + link.path);
  assert.equal(kept.count(), 0, `a shared page sent packets (${outcome})`);
});

/** Counts the packets that arrive at a port of this machine. */
async function listen() {
  const listener = createSocket('udp4');
  let packets = 0;
  const first = once(listener, 'message');
  listener.on('message', () => {
    packets += 1;
  });
  listener.bind(0, '127.0.0.1');
  await once(listener, 'listening');
  after(() => listener.close());
  return {
    port: listener.address().port,
    count: () => packets,
    first: async (withinMs: number) => {
      const none = wait(withinMs, 'none', { ref: false });
      assert.notEqual(await Promise.race([first, none]), 'none', 'a peer connection is not detected');
    },
  };
}

async function reportOf(page: Page, url: string): Promise<string> {
  const reported = page.waitForEvent('console', {
    predicate: (message) => message.text().startsWith(`${reportMark} `),
    timeout: reportMsMax,
  });
  await page.goto(url);
  return (await reported).text().slice(reportMark.length + 1);
}
