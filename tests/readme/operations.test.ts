import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { commands } from '../../packages/server/src/admin/commands/index.ts';
import { parseCommandLine } from '../../packages/server/src/admin/parse-command-line.ts';
import { openHttpClient } from '../support/http-client.ts';
import { operator, operatorRun } from '../support/operator.ts';
import { createKey } from '../support/people.ts';
import { makeServiceHome } from '../support/service-home.ts';
import { startService } from '../support/service-process.ts';
import { useServer } from '../sync/support/shared-workspace.ts';
import { runInShell } from './run-in-shell.ts';

const repository = join(import.meta.dirname, '../..');
const page = await readFile(join(repository, 'docs/operations.md'), 'utf8');

/** Returns the text below a heading, up to the next heading of its level or above. */
function under(heading: string): string {
  const level = /^#+/.exec(heading)?.[0].length ?? 0;
  const [, rest = ''] = page.split(`\n${heading}\n`, 2);
  assert.notEqual(rest, '', `the page has no heading ${heading}`);
  return rest.split(new RegExp(`^#{1,${level}} `, 'm'), 1)[0] ?? '';
}

/** Returns the lines of shell blocks without comments at their ends. Continued lines are joined. */
function commandsIn(text: string): readonly string[] {
  return [...text.matchAll(/^( *)```sh\n(.*?)^ *```/gms)]
    .flatMap(([, , block = '']) => block.replaceAll('\\\n', ' ').split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

const ruleShape = z.object({
  alert: z.string(),
  labels: z.object({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.object({ summary: z.string(), runbook_url: z.string() }),
});
const rulesShape = z.object({ groups: z.array(z.object({ rules: z.array(ruleShape) })) });

test('the page has the meaning, checks and actions of each alarm, and its rule links there', async () => {
  const file = await readFile(join(repository, 'deploy/monitoring/alerts.yaml'), 'utf8');
  const rules = rulesShape.parse(parseYaml(file)).groups.flatMap((group) => group.rules);
  assert.ok(rules.length >= 10);
  const headings = [...page.matchAll(/^#### (Stoa\w+)$/gm)].map(([, name]) => name);
  assert.deepEqual(
    headings,
    rules.map(({ alert }) => alert),
  );
  for (const { alert, annotations } of rules) {
    assert.equal(annotations.runbook_url, `docs/operations.md#${alert.toLowerCase()}`);
    const paragraphs = under(`#### ${alert}`).trim().split('\n\n');
    const begins = [/^\*\*It means\*\* \w/, /^\*\*Look\*?\*?:?/, /^\*\*Do\b/];
    assert.equal(paragraphs.length, begins.length, alert);
    for (const [at, begin] of begins.entries()) assert.match(paragraphs[at] ?? '', begin, alert);
  }
});

test('the page begins with "At night", where each symptom links to an existing section', () => {
  const night = under('## At night');
  assert.ok(page.startsWith('# Operating Stoa\n\n## At night\n'));
  const locations = [...night.matchAll(/^\| .* \| .*\[.*\]\(#([a-z0-9-]+)\) \|$/gm)].map(
    ([, anchor]) => anchor,
  );
  assert.ok(locations.length >= 9, locations.join());
  const anchors: readonly string[] = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(' ', '-').replaceAll(',', ''),
  );
  const astray = locations.filter((location) => !anchors.includes(location ?? ''));
  assert.deepEqual(astray, []);
});

test('parses every operator command on the page, which names each command', () => {
  const printed = commandsIn(page).flatMap((line) => line.split('&&'));
  const given = printed.flatMap((line) => {
    const words = /npm run (?:-s )?admin -- ([^|]*)/.exec(line)?.[1];
    return words === undefined ? [] : [words.trim()];
  });
  const inText = [...page.matchAll(/`(?:STOA_\S+ )?npm run admin -- ([^`]+)`/g)].map(
    ([, words = '']) => words,
  );
  assert.ok(given.length > 30 && inText.length > 15);
  // A command is also named without its values.
  for (const words of inText) {
    const isNamed = commands.some(({ name }) => words.replace(/ --?[a-z…-]+$/, '') === name);
    if (!isNamed) given.push(words);
  }
  for (const words of given) {
    const args = words.replaceAll(/<[^>]+>/g, 'value').split(/\s+/);
    assert.equal(parseCommandLine(args).kind, words.includes('--help') ? 'help' : 'run', words);
  }
  const inCode = [...page.matchAll(/`([^`\n]+)`/g)].map(([, words = '']) => words);
  for (const { name } of commands) {
    const isThere = [...given, ...inText, ...inCode].some(
      (words) => words === name || words.startsWith(`${name} `),
    );
    assert.ok(isThere, name);
  }
});

test('the commands for a wrong byte name the file and restore it before any request finds it', async () => {
  await using home = await makeServiceHome('sqlite-disk');
  await using service = await startService({}, { home });
  const folder = await mkdtemp(join(tmpdir(), 'stoa-wrong-byte-'));
  const client = openHttpClient(service.url);
  try {
    const { workspace } = await (await useServer(client)).workspace();
    const large = new Uint8Array(300_000).fill(7);
    assert.equal((await workspace.put('pictures/large.bin', large)).status, 201);
    const backups = join(folder, 'backups');
    await operator(service, 'backup', backups);
    const blobs = join(home.variables.STOA_DATA_DIR ?? '', 'blobs', workspace.id);
    const found = await readdir(blobs, { recursive: true, withFileTypes: true });
    const [file] = found.filter((entry) => entry.isFile());
    await writeFile(
      join(file?.parentPath ?? '', file?.name ?? ''),
      new Uint8Array(large).fill(8, 5000, 5001),
    );
    const runs: { readonly code: number; readonly stdout: string }[] = [];
    for (const line of commandsIn(under('### A byte is wrong'))) {
      const words = filledIn(line, { '/backups/stoa': backups }).split(/\s+/);
      assert.deepEqual(words.slice(0, 4), ['npm', 'run', 'admin', '--']);
      runs.push(await operatorRun(service, ...words.slice(4)));
    }
    assert.deepEqual(
      runs.map(({ code }) => code),
      [3, 0],
    );
    assert.match(
      runs[0]?.stdout ?? '',
      /^stored_bytes_wrong: .*\n {2}\S+ [0-9a-f]{64}\n {4}pictures\/large.bin version 1$/m,
    );
    const read = await workspace.get('pictures/large.bin');
    assert.deepEqual([read.status, read.bytes.equals(large)], [200, true]);
  } finally {
    client.close();
    await rm(folder, { recursive: true, force: true });
  }
});

/** The placeholders of the page with their values here. */
type Locations = Readonly<Record<string, string>>;

function filledIn(line: string, locations: Locations): string {
  let filled = line;
  for (const [open, value] of Object.entries(locations)) filled = filled.replaceAll(open, value);
  assert.doesNotMatch(filled, /<[a-z]|…/i, line);
  return filled;
}

test('the commands for the night, for backups, exports and the audit log run as they are printed', async () => {
  await using home = await makeServiceHome('sqlite-disk');
  await using service = await startService({}, { home });
  const folder = await mkdtemp(join(tmpdir(), 'stoa-operations-'));
  const client = openHttpClient(service.url);
  try {
    const { workspace, person } = await (await useServer(client)).workspace();
    const key = await createKey(person, { workspaceId: workspace.id, name: 'Agent' });
    const large = new Uint8Array(300_000).fill(7);
    assert.equal((await workspace.put('notes/plan.md', '# Plan\n')).status, 201);
    assert.equal((await workspace.put('pictures/large.bin', large)).status, 201);
    await mkdir(join(folder, 'exports'));
    const locations: Locations = {
      'http://127.0.0.1:4700': service.url,
      '/backups/': `${folder}/backups/`,
      '/srv/': `${folder}/srv/`,
      '/exports/': `${folder}/exports/`,
      'ws_4f…': workspace.id,
      // A script confirms the accounts with `--yes`, where a person would be asked.
      '--owner user_8c…': `--owner ${person.id} --yes`,
      '<userId>': person.id,
      '<user>': person.id,
      'key revoke <id>': `key revoke ${key.id}`,
      '<id>': workspace.id,
    };
    const sections = ['### Prune backups', '## At night', '## Leave, or move one workspace', '## Audit log'];
    const backup = under('## Back up').split('\n### ', 1)[0] ?? '';
    const lines = [backup, ...sections.map(under)]
      .flatMap(commandsIn)
      .map((line) => filledIn(line, locations));
    assert.ok(lines.length >= 18, `${lines.length} commands`);
    const { STOA_DATA_DIR } = home.variables;
    // On a machine without jq its input is discarded, and the commands before it still run.
    const start = `cd '${repository}'; set -o pipefail; export STOA_DATA_DIR='${STOA_DATA_DIR}'
      command -v jq >/dev/null || jq() { cat >/dev/null; }`;
    const outputs = (await runInShell([start, ...lines], folder)).slice(1);
    const printedBy = (part: string) => outputs[lines.findIndex((line) => line.includes(part))] ?? '';
    assert.match(printedBy('curl'), /^HTTP\/1.1 200 /);
    assert.match(printedBy('-- check'), /Nothing is wrong\./);
    assert.match(printedBy('-- backup '), /^Backup .* is in /m);
    assert.match(printedBy('--dry-run'), /^Would remove 0 backups/m);
    assert.match(printedBy('-- restore'), /^Restored the backup [\s\S]*Nothing is wrong\.$/m);
    assert.match(printedBy('-- repair'), /Nothing is wrong\./);
    assert.match(printedBy('-- export'), /^Exported the workspace /m);
    assert.match(printedBy('-- import'), /^Imported /m);
    assert.match(printedBy('-- audit --person'), /"action":"workspace.make"/);
  } finally {
    client.close();
    await rm(folder, { recursive: true, force: true });
  }
});
