import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { originForm } from '../../src/http/request/file-target.ts';
import { createLogger, redactUrl } from '../../src/logging/logger.ts';
import { password, startedServer } from './support/started-server.ts';

describe('an address in the log', () => {
  const cases: readonly [target: string, logged: string][] = [
    ['/api/device/poll?device_code=CANARY', '/api/device/poll?device_code=[redacted]'],
    ['/api/invites/CANARY', '/api/invites/[redacted]'],
    ['/api/invites/CANARY/accept', '/api/invites/[redacted]/accept'],
    ['/s/CANARY', '/s/[redacted]'],
    ['/s/CANARY/content/a.md?x=CANARY', '/s/[redacted]/content/a.md?x=[redacted]'],
    ['/s/CANARY?password=CANARY', '/s/[redacted]?password=[redacted]'],
    ['/api/x?sinceSeq=3&limit=5', '/api/x?sinceSeq=3&limit=5'],
    ['/api/health', '/api/health'],
    ['http://x/s/CANARY/content', '/s/[redacted]/content'],
    ['HTTPS://x:4700/api/invites/CANARY', '/api/invites/[redacted]'],
    ['//s/CANARY', '//s/[redacted]'],
    ['/S/CANARY', '/S/[redacted]'],
    ['/x/s/CANARY', '/x/s/[redacted]'],
    ['/api//invites//CANARY', '/api//invites//[redacted]'],
    ['/%73/CANARY', '/%73/[redacted]'],
    ['/Invite/CANARY?CANARY', '/Invite/[redacted]?[redacted]'],
    [
      '/api/x?limit=CANARY&version=2&sinceSeq=CANARY1',
      '/api/x?limit=[redacted]&version=2&sinceSeq=[redacted]',
    ],
  ];
  for (const [target, logged] of cases) {
    it(`${target} is logged as ${logged}`, () => assert.equal(redactUrl(originForm(target)), logged));
  }
});

describe('the log', () => {
  it('contains no key, cookie, password or token, at its most verbose level', async () => {
    await using stoa = await startedServer();
    await stoa.call('/api/me', { headers: { authorization: 'Bearer CANARY-bearer' } });
    await stoa.call('/api/me', { headers: { 'x-api-key': 'CANARY-key' } });
    await stoa.call('/api/device/poll?device_code=CANARY-device');
    await stoa.call('/api/invites/CANARY-invite');
    await stoa.call('/s/CANARY-share');
    await fetch(`${stoa.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: 'c=CANARY-cookie' },
      body: JSON.stringify({ email: 'ada@example.org', password: 'CANARY-password' }),
    });
    await stoa.server.stop();
    const log = stoa.log.join('');
    assert.match(log, /"status":401/);
    for (const canary of ['CANARY', stoa.apiKey, password, stoa.cookie.slice(stoa.cookie.indexOf('=') + 1)]) {
      assert.ok(!log.includes(canary), `the log holds ${canary}`);
    }
  });

  it('says who did what: request id, method, route, status, time, key', async () => {
    await using stoa = await startedServer();
    await stoa.call(stoa.at('files/secret-name.md'), { method: 'PUT', body: 'x' });
    await stoa.server.stop();
    const line = stoa.log.map((text) => JSON.parse(text)).find(({ method }) => method === 'PUT');
    assert.equal(line.route, '/api/workspaces/:workspaceId/files/-');
    assert.equal(line.status, 201);
    assert.match(line.keyId, /^key_/);
    assert.match(line.requestId, /^[0-9a-f]{8}-/);
    assert.equal(typeof line.durationMs, 'number');
  });

  it('cuts secrets out of whatever a record carries', () => {
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => void lines.push(line) });
    logger.info({ password: 'CANARY', headers: { cookie: 'CANARY', 'x-api-key': 'CANARY' } });
    logger.error({ err: new Error('bad key stoa_CANARYCANARYCANARY') });
    logger.error({
      err: new Error('no postgres://stoa:CANARY@db.example.org/stoa, no postgresql://a:CANARY@b'),
    });
    logger.info({ request: { headers: { authorization: 'CANARY', 'set-cookie': 'CANARY' } } });
    assert.equal(lines.length, 4);
    assert.doesNotMatch(lines.join(''), /CANARY/);
  });

  for (const field of [
    ...['x-api-key', 'authorization', 'cookie', 'set-cookie', 'key', 'apiKey', 'api_key', 'secret', 'token'],
    ...['password', 'newPassword', 'currentPassword', 'device_code'],
  ]) {
    it(`never has the value of a field ${field}, in a record or deep within`, () => {
      const lines: string[] = [];
      const logger = createLogger('info', { write: (line) => void lines.push(line) });
      logger.info({ [field]: 'CANARY' });
      logger.info({ request: { body: { [field.toUpperCase()]: 'CANARY' }, told: 'as it was' } });
      assert.equal(lines.length, 2);
      assert.doesNotMatch(lines.join(''), /CANARY/);
      assert.match(lines.join(''), /as it was/);
    });
  }
});
