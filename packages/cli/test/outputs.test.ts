import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { createKey, signUp } from '../../../tests/support/people.ts';
import { recordOf, recordsAt, textAt } from '../../../tests/support/response.ts';
import { useTarget } from '../../../tests/support/target.ts';
import { createWorkspace } from '../../../tests/support/workspace-client.ts';
import { type RunOptions, runStoa } from './support/run-stoa.ts';
import { makeFolder } from './support/temporary-folder.ts';

/*
 * Pins the output of each command as text and as JSON, and its errors. After an intended change, run
 * `npx -c 'node --test --test-update-snapshots packages/cli/test/outputs.test.ts'` and review the difference.
 */

const server = await useTarget();
const ada = await signUp(server, 'Ada Lovelace');
const home = await makeFolder();
after(() => home[Symbol.asyncDispose]());

/** Sorts transfer lines, because concurrent transfers end in any order. */
function sorted(text: string): string {
  return text.replace(
    /(?:^[↑↓×] .*\n)+/gm,
    (lines) => `${lines.trimEnd().split('\n').toSorted().join('\n')}\n`,
  );
}

/** Replaces values that differ between runs or machines with fixed text. */
function steady(text: string, workspaceId: string): string {
  return sorted(text)
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replace(/"file":"\d{4}-\d\d-\d\d\//g, '"file":"2026-11-20/')
    .replaceAll(server.url, 'https://files.example.org')
    .replaceAll(home.path, '/home/ada')
    .replaceAll(workspaceId, '<workspace>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, '<time>')
    .replace(/\(conflicted copy \d{4}-\d\d-\d\d \d{6}/g, '(conflicted copy 2026-11-20 143012')
    .replace(/"(id|\w+Id|root|bootId)":"[^"]*"/g, '"$1":"<id>"')
    .replace(/"(ms|at|since|seq|\w+Seq|cursor|head|pid|id|retryAt)":\d+/g, '"$1":0')
    .replace(/"score":[\d.]+/g, '"score":0')
    .replace(/"quota":\{[^}]*\}/g, '"quota":{}')
    .replace(/^[0-9a-f]{8}(?= {2}<time>)/gm, '<id>')
    .replace(/change \d+/g, 'change 0')
    .replace(/--since \d+/g, '--since 0')
    .replace(/^( *)\d+(?= {2}<time>)/gm, '$10')
    .replace(/, \d+ s ago/g, ', 0 s ago')
    .replace(/^good {2}(watch|disk) .*$/gm, 'good  $1 …')
    .replace(/\{"what":"(watch|disk)"[^}]*\}/g, '{"what":"$1"}');
}

/** Commands that report progress every five seconds, so their output depends on the speed of the machine. */
const longCommands: readonly (string | undefined)[] = ['clone', 'put', 'sync', 'watch'];

function withoutProgress(words: readonly string[]): readonly string[] {
  return longCommands.includes(words[0]) ? words.toSpliced(1, 0, '--no-progress') : words;
}

/** Opens a workspace and records the commands and their output. */
async function openSession(name: string) {
  const workspace = await createWorkspace(ada, ada.session, 'Notes');
  const key = await createKey(ada, { workspaceId: workspace.id, name: 'service-cli' });
  const folder = join(home.path, name);
  await mkdir(folder);
  const env = { STOA_URL: server.url, STOA_KEY: key.secret };
  const reported: string[] = [];
  const run = async (words: readonly string[], options: Partial<RunOptions> = {}) => {
    const ran = await runStoa(withoutProgress(words), { cwd: folder, home: home.path, ...options });
    const typed = words.map((word) => (/[ *]/.test(word) ? `'${word}'` : word)).join(' ');
    const said = ran.stderr.replace(/^(?=.)/gm, '! ');
    const end = ran.code === 0 ? '' : `exit ${ran.code}\n`;
    assert.ok(!`${ran.stdout}${ran.stderr}`.includes(key.secret), `the output of ${typed} contains the key`);
    reported.push(steady(`$ stoa ${typed}\n${ran.stdout}${said}${end}`, workspace.id));
    return ran;
  };
  return {
    folder,
    env,
    key,
    run,
    files: workspace.as(key.client),
    link: (...words: string[]) =>
      run(['link', server.url, ...words, '--key-stdin', '--workspace', workspace.id], { stdin: key.secret }),
    stoa: (...words: string[]) => run(words),
    /** Runs the command with text output and with JSON. */
    async both(...words: string[]) {
      await run(words);
      return run([...words, '--json']);
    },
    /** The same outside a linked folder, with the key from the environment. */
    async bothApart(...words: string[]) {
      await run(words, { cwd: '/', env });
      return run([...words, '--json'], { cwd: '/', env });
    },
    write: (path: string, text: string) => writeFile(join(folder, path), text),
    compare: (t: TestContext) => t.assert.snapshot(reported.join('\n'), { serializers: [(text) => text] }),
  };
}

/** Asserts that no file except the configuration contains the key. */
async function assertHoldsNo(secret: string, folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  const holding = [];
  for (const file of files) if ((await readFile(file)).includes(secret)) holding.push(file);
  assert.deepEqual(holding, [join(folder, '.stoa/config.json')]);
}

test('a folder: linked, synced, and its status', async (t) => {
  const { link, both, stoa, files, write, run, compare, key } = await openSession('Notes');
  await link();
  await both('status');
  await mkdir(join(home.path, 'Notes/docs'));
  await write('docs/plan.md', '# Plan\n');
  await files.put('there.md', 'there\n');
  await both('sync', '--dry-run');
  await stoa('sync');
  await both('sync');
  await stoa('sync', '--quiet');
  await both('status');
  await both('log', 'docs');
  const again = ['--key-stdin', '--workspace', files.id];
  await run(['clone', server.url, ...again], { cwd: home.path, stdin: key.secret });
  await run(['clone', server.url, 'Second', ...again, '--json'], { cwd: home.path, stdin: key.secret });
  await both('doctor');
  await both('doctor', '--resync', '--yes');
  await stoa('sync');
  await both('mcp', '--show-config');
  await assertHoldsNo(key.secret, join(home.path, 'Notes'));
  await stoa('unlink');
  await run(['unlink', '--purge', '--json'], { cwd: join(home.path, 'Second') });
  compare(t);
});

test('a watch: a line for each thing done, and once that both sides are the same', async (t) => {
  const { link, run, files, folder, write, compare } = await openSession('Watched');
  await link();
  await write('here.md', 'here\n');
  /** Runs the next function each time the watch reports "in sync", and ends the watch after the last. */
  const watch = async (words: readonly string[], ...things: (() => Promise<unknown>)[]) => {
    const ending = new AbortController();
    let times = 0;
    await run(words, {
      signal: ending.signal,
      heard(said) {
        const now = [...said.matchAll(/In sync at|"in_sync"/g)].length;
        if (now === times) return;
        assert.equal(now, times + 1);
        times = now;
        const next = things.shift();
        if (next === undefined) ending.abort();
        else void next();
      },
    });
  };
  await watch(
    ['watch'],
    () => write('new.md', 'new\n'),
    () => files.put('there.md', 'there\n'),
    () => rm(join(folder, 'new.md')),
    () => files.remove('there.md', 1),
    () => write('a\\b.md', 'a name that no workspace takes\n'),
    () => write('last.md', 'last\n'),
  );
  await rm(join(folder, 'a\\b.md'));
  await watch(['watch', '--json'], () => write('new.md', 'new\n'));
  compare(t);
});

test('conflicted copies, the trash, and rules', async (t) => {
  const { link, both, stoa, files, write, compare } = await openSession('Kept');
  await link('--json');
  for (const name of ['one', 'two', 'three']) {
    await write(`${name}.md`, 'first line\n\nmiddle\n\nlast line\n');
  }
  await stoa('sync', '--quiet');
  const race = async (name: string, mine: string, theirs: string) => {
    await files.put(`${name}.md`, theirs, { ifMatch: 1 });
    await write(`${name}.md`, mine);
    const report = recordOf((await stoa('sync', '--json')).json()[0]);
    return textAt(recordOf(recordsAt(report, 'conflicts')[0]), 'copy');
  };
  const one = await race('one', 'mine\n', 'theirs\n');
  const two = await race('two', 'first line\n\nmiddle\n\nmine\n', 'theirs\n\nmiddle\n\nlast line\n');
  const three = await race('three', 'mine\n', 'theirs\n');
  await both('conflicts');
  await both('conflicts', 'show', one);
  await stoa('conflicts', 'merge', one);
  await stoa('conflicts', 'merge', two);
  await stoa('conflicts', 'keep', one, '--mine');
  await stoa('conflicts', 'keep', three, '--theirs', '--json');
  await stoa('sync');
  await both('conflicts');
  await stoa('trash', 'empty', '--yes');
  await files.remove('two.md', 3);
  await stoa('sync');
  await files.remove('three.md', 2);
  await stoa('sync');
  const rows = recordsAt(recordOf((await both('trash')).json()[0]), 'trash');
  const row = recordOf(rows.find((each) => textAt(each, 'path') === 'two.md'));
  await stoa('trash', 'restore', 'no-such-id');
  await stoa('trash', 'restore', textAt(row, 'id'), '--json');
  await both('trash', 'empty', '--yes');
  await both('ignore', 'add', 'drafts/');
  await stoa('ignore', 'add', '*.log', '--private');
  await both('ignore');
  await both('ignore', 'why', 'drafts/a.md');
  await stoa('ignore', 'why', 'one.md');
  await both('ignore', 'accept');
  compare(t);
});

test('changes that need confirmation wait for it', async (t) => {
  const { link, both, stoa, folder, write, compare } = await openSession('Held');
  await link();
  for (let n = 0; n < 6; n += 1) await write(`${n}.md`, `${n}\n`);
  await stoa('sync');
  for (let n = 0; n < 6; n += 1) await rm(join(folder, `${n}.md`));
  await both('sync');
  await both('status');
  await stoa('status', '--verbose');
  await stoa('sync', '--undo-held');
  for (let n = 0; n < 6; n += 1) await rm(join(folder, `${n}.md`));
  await stoa('sync', '--json');
  await stoa('sync', '--confirm');
  compare(t);
});

test('files without a folder', async (t) => {
  const { bothApart, run, env, compare } = await openSession('Apart');
  const apart = (words: readonly string[], stdin = '') => run(words, { cwd: '/', env, stdin });
  await apart(['put', 'docs/plan.md'], '# Plan\n');
  await apart(['put', 'docs/plan.md', '--base', '1', '--json'], 'more\n');
  await apart(['put', 'todo.md'], 'todo\n');
  await bothApart('ls');
  await bothApart('ls', '--long');
  await bothApart('ls', '--match', '*.txt');
  await bothApart('find', 'plan');
  await apart(['cat', 'docs/plan.md']);
  await apart(['cat', 'docs/plan.md', '--version', '1']);
  await bothApart('history', 'docs/plan.md');
  await apart(['restore', 'docs/plan.md', '--version', '1']);
  await apart(['restore', 'docs/plan.md', '--version', '2', '--json']);
  await apart(['mv', 'todo.md', 'done.md']);
  await apart(['mv', 'done.md', 'docs/', '--json']);
  await apart(['mv', '-r', 'docs', 'kept']);
  await apart(['put', 'kept/plan.md', '--base', '7'], 'late\n');
  await apart(['rm', 'kept/done.md']);
  await apart(['rm', 'kept/plan.md', '--json']);
  await bothApart('changes', '--limit', '2');
  await bothApart('mcp', '--show-config');
  compare(t);
});

test('a failure says what happened, to what, and what to do next', async (t) => {
  const { link, both, bothApart, stoa, run, env, folder, files, compare } = await openSession('Failed');
  await both('snyc');
  await both('put');
  await both('status');
  await bothApart('cat', 'nothing.md');
  await run(['cat', 'a.md', '--json'], { cwd: '/', env });
  await run(['ls'], { cwd: '/', env: { STOA_KEY: 'stoa_key' } });
  await run(['ls'], { cwd: '/', env: { ...env, STOA_KEY: 'stoa_no_such_key' } });
  await run(['ls', '--json'], { cwd: '/', env: { ...env, STOA_URL: 'http://127.0.0.1:9' } });
  await run(['link', 'http://files.example.org'], {});
  await run(['link', server.url, home.path], {});
  await run(['link', server.url, '--key-stdin', '--workspace', files.id], { stdin: '' });
  await link();
  await files.put('a.md', 'a\n');
  await both('put', ':/a.md', '-');
  await both('put', 'b.md');
  await both('history', 'nothing.md');
  await both('restore', 'nothing.md');
  await both('restore', 'a.md');
  await both('restore', 'a.md', '--version', '9');
  await both('rm', '../elsewhere.md');
  await both('mv', 'nothing.md', 'b.md');
  await both('rm', 'nothing.md');
  await stoa('sync', '--confirm', '--undo-held');
  await stoa('sync', '--dry-run', '--undo-held');
  await stoa('conflicts', 'keep', 'a.md');
  await stoa('conflicts', 'keep', 'a.md', '--mine');
  await stoa('conflicts', 'show', 'nothing.md');
  await stoa('doctor', '--resync');
  await writeFile(join(folder, '.stoa/config.json'), '{');
  await both('sync');
  await stoa('doctor');
  await stoa('help', 'nope');
  compare(t);
});
