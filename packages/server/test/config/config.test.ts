import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ConfigError } from '../../src/config/config-error.ts';
import { redactDatabaseUrl } from '../../src/config/database-url.ts';
import { describeConfig } from '../../src/config/describe-config.ts';
import { onPort, parseConfig } from '../../src/config/parse-config.ts';
import { unlimitedPlan } from '../../src/config/plans-file.ts';
import { settingsHelp } from '../../src/config/settings-help.ts';
import { variableNames } from '../../src/config/variables.ts';

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
  it('every setting is optional', () => {
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
    assert.equal(config.traces, null);
    assert.deepEqual(config.allowedHosts, []);
    assert.deepEqual(config.trustProxy, []);
    assert.deepEqual(
      config.plans.plans.map(({ storageBytes, files }) => [storageBytes, files]),
      [[null, null]],
    );
  });

  it('traces cover every request by default', () => {
    const url = 'http://127.0.0.1:4318/v1/traces';
    assert.deepEqual(parseConfig({ STOA_TRACES_URL: url }).traces, { url, ratio: 1 });
    for (const [given, ratio] of [
      ['0', 0],
      ['0.01', 0.01],
      ['1.0', 1],
    ] as const) {
      assert.deepEqual(parseConfig({ STOA_TRACES_URL: url, STOA_TRACES_RATIO: given }).traces, {
        url,
        ratio,
      });
    }
  });

  it('an empty variable counts as unset', () => {
    assert.equal(parseConfig({ STOA_PORT: '', STOA_BASE_URL: '' }).port, 4700);
  });

  it('a server without a public address may be opened under any name of its own machine', () => {
    const { trustedOrigins } = parseConfig({ STOA_PORT: '5000' });
    assert.deepEqual(trustedOrigins, ['http://127.0.0.1:5000', 'http://localhost:5000', 'http://[::1]:5000']);
  });

  it('only a public address and that of the app are trusted', () => {
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
    ['STOA_LOG_FORMAT', 'pretty', /one of text, json/],
    ['STOA_METRICS_PORT', '0', /whole number from 1/],
    ['STOA_TRACES_URL', 'collector:4318', /http:\/\/ or https:\/\//],
    ['STOA_TRACES_URL', 'http://collector:4318', /must include its path, which usually is \/v1\/traces/],
    ['STOA_TRACES_RATIO', '1.5', /number from 0 to 1/],
    ['STOA_TRACES_RATIO', '10%', /number from 0 to 1/],
    ['STOA_TRACES_RATIO', '0.5', /has no effect without STOA_TRACES_URL/],
    ['STOA_PLANS', '/nowhere/plans.json', /cannot be read/],
    ['STOA_DATABASE_URL', 'mysql://db/stoa', /postgres:\/\/user:password@host:5432\/database/],
    ['STOA_DATABASE_URL', 'db.example.org', /postgres:\/\/user:password@host:5432\/database/],
    ['STOA_DATABASE_URL', 'postgres://db.example.org', /must name a database/],
    ['STOA_DATABASE_URL', 'postgres:///stoa', /must name a host/],
    ['STOA_DATABASE_POOL', '8', /has no effect without STOA_DATABASE_URL/],
    ['STOA_DATABASE_POOL', '2', /whole number from 4 to 1000/],
    ['STOA_BLOB_URL', 'https://objects.example.org/bucket', /must begin with s3:\/\//],
    ['STOA_BLOB_URL', 's3://key:secret@bucket', /must not contain credentials.*AWS_ACCESS_KEY_ID/],
    ['STOA_SECRET', 'too short', /32 to 256 printable/],
  ];
  for (const [name, value, says] of wrong) {
    it(`${name}=${value} is rejected with the reason and an example`, () => {
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

  it('an error does not repeat a wrong database address or secret', () => {
    const wrong = {
      STOA_DATABASE_URL: 'postgres://stoa:CANARY#word@db.example.org/stoa',
      STOA_BLOB_URL: 's3://CANARY:CANARY@bucket',
      STOA_SECRET: 'CANARY CANARY CANARY CANARY CANARY CANARY',
    };
    const problems = problemsOf(wrong);
    assert.equal(problems.length, 3);
    assert.doesNotMatch(problems.join(), /CANARY/);
  });

  it('without addresses everything is in the data directory', () => {
    const { database, blobs, secret } = parseConfig({});
    assert.deepEqual([database, blobs, secret], [{ kind: 'sqlite' }, { kind: 'disk' }, null]);
    assert.equal(describeConfig(parseConfig({ STOA_DATA_DIR: '/srv' })).STOA_DATA_DIR, '/srv');
  });

  it('a database and an object store are each named by an address; the data directory is unused', () => {
    const config = parseConfig({
      STOA_DATABASE_URL: 'postgres://stoa:CANARY%40@db.example.org/stoa?sslmode=verify-full',
      STOA_DATABASE_POOL: '8',
      STOA_BLOB_URL: 's3://bucket/stoa?endpoint=https://objects.example.org',
      STOA_SECRET: 'CANARY'.repeat(6),
    });
    assert.equal(config.database.kind === 'postgres' && config.database.poolSize, 8);
    assert.equal(config.blobs.kind === 's3' && config.blobs.location.prefix, 'stoa');
    const shown = describeConfig(config);
    assert.equal(shown.STOA_DATA_DIR, 'not used');
    assert.equal(
      shown.STOA_DATABASE_URL,
      'postgres://stoa:[redacted]@db.example.org/stoa?sslmode=verify-full',
    );
    assert.equal(shown.STOA_BLOB_URL, 's3://bucket/stoa?endpoint=https://objects.example.org&pathStyle=true');
    assert.equal(shown.STOA_SECRET, 'given');
    assert.doesNotMatch(JSON.stringify(shown), /CANARY/);
  });

  it('a database address is shown without its password, wherever the address contains it', () => {
    const cases = [
      ['postgres://db/stoa', 'postgres://db/stoa'],
      ['postgres://stoa@db/stoa', 'postgres://stoa@db/stoa'],
      ['postgresql://stoa:CANARY@db:5433/stoa', 'postgresql://stoa:[redacted]@db:5433/stoa'],
      ['postgres://db/stoa?password=CANARY&port=1', 'postgres://db/stoa?password=[redacted]&port=1'],
    ] as const;
    for (const [address, shown] of cases) assert.equal(redactDatabaseUrl(address), shown);
  });

  it('every setting is in the help and, in the same order, in the operating instructions', () => {
    const guide = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
    assert.deepEqual(
      [...guide.matchAll(/^\| `(STOA_[A-Z_]+)` \|/gm)].map(([, name]) => name),
      variableNames,
    );
    assert.deepEqual(
      [...settingsHelp().matchAll(/^ {2}(STOA_[A-Z_]+)=/gm)].map(([, name]) => name),
      variableNames,
    );
  });

  it('a misspelt variable is rejected, not ignored', () => {
    assert.match(problemsOf({ STOA_SIGNUPS: 'open' }).join(), /STOA_SIGNUPS is not a setting.*STOA_SIGNUP,/);
  });

  it('every problem is reported at once', () => {
    assert.equal(problemsOf({ STOA_PORT: 'x', STOA_SIGNUP: 'x', STOA_NOPE: 'x' }).length, 3);
  });

  it('a setting that is present but wrong is not reported as missing', () => {
    const problems = problemsOf({ STOA_TRACES_URL: 'x', STOA_TRACES_RATIO: '0.1', STOA_OIDC_ISSUER: 'x' });
    assert.deepEqual(
      problems.map((problem) => problem.split(' ', 3).join(' ')),
      [
        'STOA_OIDC_ISSUER must be',
        'STOA_TRACES_URL must be',
        'STOA_OIDC_CLIENT_ID is missing,',
        'STOA_OIDC_CLIENT_SECRET is missing,',
      ],
    );
  });

  it('test settings are allowed', () => {
    assert.deepEqual(problemsOf({ STOA_TEST_URL: 'http://x' }), []);
  });

  it('proxies are named by address, range or group name', () => {
    const { trustProxy } = parseConfig({ STOA_TRUST_PROXY: '10.0.0.0/8, ::1,loopback' });
    assert.deepEqual(trustProxy, ['10.0.0.0/8', '::1', 'loopback']);
  });
});

describe('the plans file', () => {
  const free = { ...unlimitedPlan, id: 'free', name: 'Free', storageBytes: 10, files: 5, workspaces: 1 };

  it('gives the limits; a missing limit means unlimited', () => {
    const file = plansFile({ default: 'free', plans: [free, { id: 'pro', name: 'Pro' }] });
    const { plans } = parseConfig({ STOA_PLANS: file });
    assert.equal(plans.defaultPlanId, 'free');
    assert.equal(plans.plans[0]?.storageBytes, 10);
    assert.equal(plans.plans[1]?.storageBytes, null);
    assert.deepEqual(plans.plans[1], { ...unlimitedPlan, id: 'pro', name: 'Pro' });
  });

  it('may omit names: the id is then the name', () => {
    const { plans } = parseConfig({ STOA_PLANS: plansFile({ default: 'pro', plans: [{ id: 'pro' }] }) });
    assert.equal(plans.plans[0]?.name, 'pro');
  });

  const wrong: readonly [what: string, content: unknown, says: RegExp][] = [
    ['is not JSON', '{', /not JSON/],
    ['lacks its default', { default: 'pro', plans: [free] }, /"pro", which is not one of its plans/],
    ['has a plan twice', { default: 'free', plans: [free, free] }, /same "id"/],
    ['has a negative limit', { default: 'free', plans: [{ ...free, files: -1 }] }, /"plans.0.files"/],
    ['has a misspelt field', { default: 'free', plans: [{ ...free, storage: 1 }] }, /"plans.0"/],
    ['has no plans', { default: 'free', plans: [] }, /"plans"/],
  ];
  for (const [what, content, says] of wrong) {
    it(`a file that ${what} is rejected at start`, () => {
      const problems = problemsOf({ STOA_PLANS: plansFile(content) });
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', says);
      assert.match(problems[0] ?? '', /^STOA_PLANS names .*e\.g\. \{/);
    });
  }

  it('the active settings can be shown', () => {
    const shown = describeConfig(parseConfig({ STOA_PLANS: plansFile({ default: 'free', plans: [free] }) }));
    assert.equal(shown.STOA_PLANS, 'free');
    assert.equal(shown.STOA_METRICS_PORT, 'off');
  });
});

it('a sign-in provider is set as a whole, over https, and takes the rule for sign-ups from the server', () => {
  const whole = {
    STOA_OIDC_ISSUER: 'https://login.example.org/realms/staff/',
    STOA_OIDC_CLIENT_ID: 'stoa',
    STOA_OIDC_CLIENT_SECRET: 'secret',
  };
  assert.deepEqual(parseConfig({ ...whole, STOA_SIGNUP: 'closed' }).provider, {
    issuer: 'https://login.example.org/realms/staff',
    clientId: 'stoa',
    clientSecret: 'secret',
    name: 'login.example.org',
    signup: 'closed',
  });
  const named = parseConfig({ ...whole, STOA_OIDC_NAME: 'Staff', STOA_OIDC_SIGNUP: 'open' });
  assert.deepEqual([named.provider?.name, named.provider?.signup], ['Staff', 'open']);
  assert.equal(parseConfig({}).provider, null);
  assert.ok(!JSON.stringify(describeConfig(named)).includes('"secret"'));
  const { STOA_OIDC_CLIENT_SECRET: _, ...part } = whole;
  assert.throws(() => parseConfig(part), /STOA_OIDC_CLIENT_SECRET is missing/);
  assert.throws(() => parseConfig({ STOA_OIDC_NAME: 'Staff' }), /STOA_OIDC_ISSUER is missing/);
  const issuer = 'http://login.example.org';
  assert.throws(() => parseConfig({ ...whole, STOA_OIDC_ISSUER: issuer }), /must be an https:.. address/);
});
