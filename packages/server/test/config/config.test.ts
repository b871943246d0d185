import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ConfigError } from '../../src/config/config-error.ts';
import { describeConfig } from '../../src/config/describe-config.ts';
import { onPort, parseConfig } from '../../src/config.ts';

const folder = mkdtempSync(join(tmpdir(), 'stoa-config-'));
after(() => rmSync(folder, { recursive: true }));

function plansFile(content: unknown): string {
  const file = join(folder, `plans-${Math.random()}.json`);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('settings', () => {
  it('nothing has to be set', () => {
    const config = parseConfig({ PATH: '/bin' });
    assert.equal(config.host, '127.0.0.1');
    assert.equal(config.port, 4700);
    assert.equal(config.baseUrl, 'http://127.0.0.1:4700');
    assert.equal(config.appUrl, config.baseUrl);
    assert.equal(config.signup, 'first');
    assert.equal(config.signinLimit, 20);
    assert.equal(config.plans.maxFileBytes, 100_000_000);
    assert.equal(config.seedWorkspaces, true);
    assert.equal(config.metricsPort, null);
    assert.deepEqual(config.trustProxy, []);
    assert.deepEqual(
      config.plans.plans.map(({ storageBytes, files }) => [storageBytes, files]),
      [[null, null]],
    );
  });

  it('an empty variable counts as unset', () => {
    assert.equal(parseConfig({ STOA_PORT: '', STOA_BASE_URL: '' }).port, 4700);
  });

  it('a server without a public address may be opened under any name of its own machine', () => {
    const { trustedOrigins } = parseConfig({ STOA_PORT: '5000' });
    assert.deepEqual(trustedOrigins, ['http://127.0.0.1:5000', 'http://localhost:5000', 'http://[::1]:5000']);
  });

  it('a public address is trusted alone, with that of the app', () => {
    const config = parseConfig({
      STOA_BASE_URL: 'https://api.example.org/',
      STOA_APP_URL: 'https://app.example.org',
    });
    assert.equal(config.baseUrl, 'https://api.example.org');
    assert.deepEqual(config.trustedOrigins, ['https://api.example.org', 'https://app.example.org']);
  });

  it('port 0 takes its address from the port that was picked', () => {
    const config = onPort(parseConfig({ STOA_PORT: '0' }), 4711);
    assert.equal(config.baseUrl, 'http://127.0.0.1:4711');
    assert.ok(config.trustedOrigins.includes('http://127.0.0.1:4711'));
  });

  const wrong: readonly [name: string, value: string, says: RegExp][] = [
    ['STOA_PORT', 'abc', /whole number from 0 to 65535.*STOA_PORT=4700/],
    ['STOA_PORT', '70000', /whole number from 0 to 65535/],
    ['STOA_PORT', '-1', /whole number/],
    ['STOA_BASE_URL', 'files.example.org', /http:\/\/ or https:\/\//],
    ['STOA_BASE_URL', 'ftp://x', /http:\/\/ or https:\/\//],
    ['STOA_APP_URL', 'https://user:secret@x', /user name or password/],
    ['STOA_SIGNUP', 'yes', /one of first, open, closed/],
    ['STOA_SIGNIN_LIMIT', '1.5', /whole number/],
    ['STOA_MAX_FILE_BYTES', '0', /whole number from 1/],
    ['STOA_MAX_FILE_BYTES', '100MB', /whole number from 1/],
    ['STOA_SEED_WORKSPACES', '1', /true, false/],
    ['STOA_TRUST_PROXY', 'everyone', /"everyone" must be an address/],
    ['STOA_TRUST_PROXY', '10.0.0.0/40', /must be an address/],
    ['STOA_LOG_LEVEL', 'loud', /one of trace/],
    ['STOA_METRICS_PORT', '0', /whole number from 1/],
    ['STOA_PLANS', '/nowhere/plans.json', /cannot be read/],
  ];
  for (const [name, value, says] of wrong) {
    it(`${name}=${value} is refused with the reason and an example`, () => {
      const problems = problemsOf({ [name]: value });
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', says);
      assert.ok(problems[0]?.startsWith(name));
      assert.match(problems[0] ?? '', /e\.g\. /);
    });
  }

  it('a password in an address is not repeated', () => {
    assert.doesNotMatch(problemsOf({ STOA_APP_URL: 'https://user:secret@x' }).join(), /secret/);
  });

  it('a misspelt variable is refused, not passed over', () => {
    assert.match(problemsOf({ STOA_SIGNUPS: 'open' }).join(), /STOA_SIGNUPS is not a setting.*STOA_SIGNUP,/);
  });

  it('every problem is told at once', () => {
    assert.equal(problemsOf({ STOA_PORT: 'x', STOA_SIGNUP: 'x', STOA_NOPE: 'x' }).length, 3);
  });

  it('settings of the tests may stand beside', () => {
    assert.deepEqual(problemsOf({ STOA_TEST_URL: 'http://x' }), []);
  });

  it('proxies are named by address, range or place', () => {
    const { trustProxy } = parseConfig({ STOA_TRUST_PROXY: '10.0.0.0/8, ::1,loopback' });
    assert.deepEqual(trustProxy, ['10.0.0.0/8', '::1', 'loopback']);
  });
});

describe('the plans file', () => {
  const free = { id: 'free', name: 'Free', storageBytes: 10, files: 5, fileBytes: null, workspaces: 1 };

  it('gives the limits; what is left out is unlimited', () => {
    const file = plansFile({ default: 'free', plans: [free, { id: 'pro', name: 'Pro' }] });
    const { plans } = parseConfig({ STOA_PLANS: file });
    assert.equal(plans.defaultPlanId, 'free');
    assert.equal(plans.plans[0]?.storageBytes, 10);
    assert.equal(plans.plans[1]?.storageBytes, null);
  });

  const wrong: readonly [what: string, content: unknown, says: RegExp][] = [
    ['is not JSON', '{', /not JSON/],
    ['lacks its default', { default: 'pro', plans: [free] }, /"pro", which is none of its plans/],
    ['has a plan twice', { default: 'free', plans: [free, free] }, /same "id"/],
    ['has a negative limit', { default: 'free', plans: [{ ...free, files: -1 }] }, /"plans.0.files"/],
    ['has a misspelt field', { default: 'free', plans: [{ ...free, storage: 1 }] }, /"plans.0"/],
    ['has no plans', { default: 'free', plans: [] }, /"plans"/],
  ];
  for (const [what, content, says] of wrong) {
    it(`a file that ${what} is refused at start`, () => {
      const problems = problemsOf({ STOA_PLANS: plansFile(content) });
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', says);
      assert.match(problems[0] ?? '', /^STOA_PLANS names .*e\.g\. \{/);
    });
  }

  it('the settings in force can be shown', () => {
    const shown = describeConfig(parseConfig({ STOA_PLANS: plansFile({ default: 'free', plans: [free] }) }));
    assert.equal(shown.STOA_PLANS, 'free');
    assert.equal(shown.STOA_METRICS_PORT, 'off');
  });
});
