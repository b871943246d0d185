import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { stringify as stringifyYaml } from 'yaml';
import { z } from 'zod';
import { findProgram } from '../support/install-program.ts';

const run = promisify(execFile);
const repository = join(import.meta.dirname, '../..');
const monitoring = join(repository, 'deploy/monitoring');
/** Unpacked, because the installed package would start a server. No other user can write to this folder. */
const unpacked = join(repository, 'node_modules/.cache/prometheus');
const promtool = join(unpacked, 'usr/bin/promtool');
const found = await findProgram({
  name: 'promtool',
  check: `test -x '${promtool}'`,
  install: `mkdir -p '${unpacked}' && cd '${unpacked}' && apt-get download prometheus && dpkg -x prometheus_*.deb .`,
});
const skip = found.kind === 'missing' ? found.reason : false;
const panelsShape = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).default([]) })),
});

/** @returns the output of promtool if it failed, else null. */
async function rejection(words: readonly string[]): Promise<string | null> {
  return await run(promtool, words).then(
    () => null,
    (error: { readonly stdout?: string; readonly stderr?: string }) => `${error.stdout}${error.stderr}`,
  );
}

test('each alarm is raised when it should be, and not before', { skip }, async () => {
  const [rules, cases] = await Promise.all(
    ['alerts.yaml', 'alerts.test.yaml'].map((name) => readFile(join(monitoring, name), 'utf8')),
  );
  const names = [...(rules ?? '').matchAll(/^ *- alert: (\w+)$/gm)].map(([, name]) => name);
  assert.ok(names.length > 0);
  // Each alarm must be raised in a case, and not only be absent.
  const raised = [...(cases ?? '').matchAll(/^ *- alertname: (\w+)\n.*\n *exp_alerts:\n/gm)].map(
    ([, name]) => name,
  );
  assert.deepEqual(new Set(raised), new Set(names));
  assert.equal(await rejection(['test', 'rules', join(monitoring, 'alerts.test.yaml')]), null);
});

test('Prometheus understands every expression of the dashboard', { skip }, async () => {
  const dashboard = panelsShape.parse(JSON.parse(await readFile(join(monitoring, 'dashboard.json'), 'utf8')));
  const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  assert.ok(expressions.length > 10);
  const check = async (checked: readonly string[]) => {
    const folder = await mkdtemp(join(tmpdir(), 'stoa-rules-'));
    try {
      const rules = checked.map((expr, at) => ({ record: `panel_${at}`, expr }));
      const file = join(folder, 'rules.yaml');
      await writeFile(file, stringifyYaml({ groups: [{ name: 'dashboard', rules }] }));
      return await rejection(['check', 'rules', file]);
    } finally {
      await rm(folder, { recursive: true });
    }
  };
  assert.equal(await check(expressions), null);
  assert.match((await check([...expressions, 'rate(stoa_feed_waiting)'])) ?? '', /range vector/);
});
