import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, open, readdir, realpath, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { findProgram } from '../../../tests/support/install-program.ts';
import { commandFiles, commandFilesFor } from '../src/commands/command-files.ts';
import { examples } from '../src/commands/examples.ts';
import { gravest } from '../src/output/exit-codes.ts';
import type { Host } from '../src/output/host.ts';
import { shownText } from '../src/output/shown-text.ts';
import { createProgram } from '../src/program.ts';
import { type RunOptions, runStoa } from './support/run-stoa.ts';
import { makeFolder } from './support/temporary-folder.ts';

const launcher = new URL('../bin/stoa.js', import.meta.url).pathname;
const stoa = (...words: string[]) => runStoa(words, { cwd: '/' });

const shells = await Promise.all(
  ['zsh', 'fish'].map((shell) =>
    findProgram({
      name: shell,
      check: `command -v ${shell}`,
      install: `apt-get install -y --no-install-recommends ${shell}`,
    }),
  ),
);
const skipShells = shells.find((found) => found.kind === 'missing')?.reason ?? false;

test('stoa without arguments lists the commands', async () => {
  const alone = await stoa();
  assert.equal(alone.code, 0);
  assert.match(alone.stdout, /^Usage: stoa .*\n {2}link\|login .*\n {2}ls .*\n {2}history /s);
  assert.equal((await stoa('--help')).stdout, alone.stdout);
  assert.match((await stoa('--version')).stdout, /^\d+\.\d+\.\d+\n$/);
});

test('every command shows its options and examples', async () => {
  const names = [...(await stoa()).stdout.matchAll(/^ {2}(\w+)(?:\|\w+)? (?:\[options\] )?.*$/gm)].map(
    ([, name]) => name ?? '',
  );
  assert.ok(names.length > 10);
  for (const name of names.filter((one) => !['stoa', 'help', 'completion'].includes(one))) {
    const help = await stoa('help', name);
    assert.match(help.stdout, new RegExp(`^Usage: stoa ${name}`), name);
    assert.equal((await stoa(name, '--help')).stdout, help.stdout);
    // The command's own options come first, and examples come last.
    assert.match(help.stdout, /\nOptions:\n.*\nGlobal options:\n.*\nExamples:\n {2}# /s, name);
  }
});

/*
 * After an intended change, run `npx -c 'node --test --test-update-snapshots packages/cli/test/program.test.ts'`.
 * Then review the difference.
 */
test('the help of each command and subcommand is pinned', async (t) => {
  const program = await createProgram({} as Host, commandFiles, () => {});
  const named = (command: Command): string[][] => {
    const inner = command.commands.flatMap((one) => named(one).map((words) => [command.name(), ...words]));
    return [[command.name()], ...inner];
  };
  const commands = program.commands.filter((one) => one.name() !== 'help').flatMap(named);
  const globalSection = /\nGlobal options:\n(?: .*\n)+/;
  // Each help has columns of its own width.
  const sectionOf = (help: string) => globalSection.exec(help)?.[0].replace(/\s+/g, ' ');
  const common = sectionOf((await stoa('--help')).stdout);
  assert.match(common ?? '', /--dir <dir>/);
  const reported: string[] = [];
  for (const words of [[], ...commands, ['completion']]) {
    const { code, stdout, stderr } = await stoa(...words, '--help');
    assert.deepEqual([code, stderr], [0, ''], words.join(' '));
    // Global options are equal for all commands, so the snapshot has them once, under `stoa --help`.
    if (words[0] !== 'completion') assert.equal(sectionOf(stdout), common, words.join(' '));
    const own = words.length === 0 ? stdout : stdout.replace(globalSection, '');
    reported.push(`$ stoa ${[...words, '--help'].join(' ')}\n${own}`);
  }
  assert.ok(reported.length > 30, `${reported.length} commands`);
  t.assert.snapshot(reported.join('\n'), { serializers: [(text) => text] });
});

test('commandFilesFor finds a command by its names after any global options', async () => {
  const all = await createProgram({} as Host, commandFiles, () => {});
  const files = commandFiles.flatMap(([, each]) => each);
  assert.deepEqual(
    files.map(({ names }) => names),
    all.commands.filter((one) => one.name() !== 'help').map((one) => [one.name(), ...one.aliases()]),
  );
  for (const { names } of files) {
    for (const name of names) {
      for (const before of [[], ['-q'], ['-C', 'log'], ['-qC', 'log'], ['-Clog'], ['--dir', 'log'], ['--']]) {
        const line = [...before, name, 'a', '--version'];
        const found = commandFilesFor(line).flatMap(([, each]) => each);
        assert.deepEqual(
          found.map((one) => one.names),
          [names],
          line.join(' '),
        );
      }
    }
  }
  for (const line of [[], ['--help'], ['help', 'sync'], ['snyc', 'log'], ['completion', 'zsh'], ['-C']]) {
    assert.equal(commandFilesFor(line), commandFiles, line.join(' '));
  }
});

test('every example uses known commands and options', async () => {
  const program = await createProgram({} as Host, commandFiles, () => {});
  for (const line of Object.values(examples)
    .flat()
    .flatMap(([typed]) => typed.split(/ && | \| /))) {
    const [name, ...words] = [...line.matchAll(/"[^"]*"|'[^']*'|\S+/g)].map(([word]) => word);
    if (name !== 'stoa') continue;
    const command = program.commands.find((one) => one.name() === words[0]);
    assert.ok(command !== undefined || words[0] === 'help', line);
    const inner = command?.commands.find((one) => one.name() === words[1]);
    const known = [...(command?.options ?? []), ...(inner?.options ?? [])];
    for (const flag of words.filter((word) => word.startsWith('-') && word !== '-')) {
      assert.ok(
        known.some(({ short, long }) => flag === short || flag === long),
        `${line}: ${flag}`,
      );
    }
  }
});

test('an unknown command or option suggests the nearest one', async () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['lnk', /Unknown command 'lnk'\.\n +Did you mean link\? See `stoa help`/],
    ['ls --jsn', /Unknown option '--jsn'\.\n +Did you mean --json\? See `stoa help ls`/],
    ['cat', /Missing required argument 'path'\.\n +See `stoa help cat`/],
    ['ls a b', /Too many arguments for 'ls'.* got 2: a, b\.\n/],
    [
      'cat a --version x',
      /'--version <n>' argument 'x' is invalid\. It must be a whole number of at least 1\.\n/,
    ],
    ['help nope', /^stoa: There is no command 'nope'\.\n/],
  ];
  for (const [words, said] of cases) {
    const ran = await stoa(...words.split(' '));
    assert.equal(ran.code, 2, words);
    assert.match(ran.stderr, said);
    assert.equal(ran.stdout, '');
  }
  const [reported] = (await stoa('ls', '--json', '--nothing')).json();
  assert.deepEqual([reported?.schemaVersion, reported?.ok], [1, false]);
});

test('a run exits with the code of its error', async () => {
  await using folder = await makeFolder();
  const statuses = new Map([
    [401, 4],
    [403, 4],
    [404, 1],
    [402, 1],
    [409, 1],
    [413, 1],
    [429, 5],
    [301, 5],
    [500, 5],
    [502, 5],
    [503, 5],
  ]);
  let status = 200;
  const server = createServer((_request, response) => {
    response.writeHead(status, {
      'Content-Type': 'application/json',
      Location: 'https://elsewhere.example/',
    });
    response.end(JSON.stringify({ message: `status \u001b[31m${status}` }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = (server.address() as AddressInfo).port;
  const env = { STOA_URL: `127.0.0.1:${port}`, STOA_KEY: 'stoa_canary', STOA_WORKSPACE: 'ws_1' };
  const run = (...words: string[]) => runStoa(words, { cwd: folder.path, env });
  try {
    for (const [responded, code] of statuses) {
      status = responded;
      const ran = await run('ls', '--verbose');
      assert.equal(ran.code, code, String(responded));
      assert.doesNotMatch(JSON.stringify(ran), /canary|\\u001b/);
      assert.match(ran.stderr, /^stoa: .+\n {6}\S/, `${responded}: no next step in the error`);
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
  const gone = await run('ls');
  assert.deepEqual([gone.code, /could not be reached \(.+\)\./.test(gone.stderr)], [5, true]);
  assert.equal((await runStoa(['ls'], { cwd: folder.path })).code, 3);
  assert.equal((await runStoa(['ls'], { cwd: folder.path, env: { STOA_KEY: 'k' } })).code, 3);
  assert.equal(gravest([0, 8, 6]), 6);
  assert.equal(gravest([6, 7, 5]), 5);
});

test('a cut or silent download, and an upload without a response, end the run with an error', async (t) => {
  let isCut = true;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Length': '1000', 'X-Service-Version': '1' });
    response.write('half', () => {
      if (isCut) response.destroy();
    });
  }).listen(0, '127.0.0.1');
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  await once(server, 'listening');
  const port = (server.address() as AddressInfo).port;
  const env = { STOA_URL: `127.0.0.1:${port}`, STOA_KEY: 'k', STOA_WORKSPACE: 'ws_1' };
  const cat = (options: Partial<RunOptions> = {}) =>
    runStoa(['cat', 'a.md', '--no-progress'], { cwd: '/', env, ...options });
  const cut = await cat();
  assert.deepEqual([cut.code, cut.stdout], [5, 'half']);
  assert.match(cut.stderr, /^stoa: The transfer broke off \(the connection was cut\)\.\n/);
  isCut = false;
  let waits = 0;
  const silent = await cat({
    pace: {
      now: () => 0,
      // The server does not send more after the first chunk.
      async sleep(ms, signal) {
        waits += 1;
        if (waits === 1) await once(signal, 'abort');
        else assert.equal(ms, 30_000);
      },
    },
  });
  assert.deepEqual([silent.code, silent.stdout], [5, 'half']);
  assert.match(silent.stderr, /^stoa: The server has been silent for 30 s\.\n/);
  // The server neither reads the upload nor responds to it.
  const put = await runStoa(['put', 'a.md', '--no-progress'], {
    cwd: '/',
    env,
    stdin: 'all of it',
    pace: {
      now: () => 0,
      async sleep(ms, signal) {
        if (ms !== 120_000) await once(signal, 'abort');
      },
    },
  });
  assert.equal(put.code, 5);
  assert.match(put.stderr, /^stoa: The server has been silent for 120 s\.\n/);
  const end = new AbortController();
  const ended = await cat({ signal: end.signal, heard: () => end.abort() });
  assert.match(ended.stderr, /^stoa: Ended before it was done\.\n/);
});

test('errors are coloured only on terminals that allow it', async () => {
  const red = '\u001b[31m';
  const fail = (options: { terminal?: boolean; env?: Record<string, string> }, ...words: string[]) =>
    runStoa(['ls', ...words], { cwd: '/', ...options }).then(({ stderr }) => stderr.startsWith(red));
  assert.equal(await fail({}), false);
  assert.equal(await fail({ terminal: true }), true);
  assert.equal(await fail({ terminal: true, env: { NO_COLOR: '1' } }), false);
  assert.equal(await fail({ env: { FORCE_COLOR: '1' } }), true);
  assert.equal(await fail({ terminal: true }, '--no-color'), false);
});

test('control characters in texts of others are escaped', () => {
  assert.equal(shownText('plan é 😀.md'), 'plan é 😀.md');
  assert.equal(
    shownText('\u001b]0;x\u0007\r\n\u009b\u202e\u2028\ud800\u0378'),
    '\\u{1B}]0;x\\u{7}\\u{D}\\u{A}\\u{9B}\\u{202E}\\u{2028}\\u{D800}\\u{378}',
  );
});

test('shells load the completion scripts and complete commands and options', {
  skip: skipShells,
}, async (context) => {
  // The library prints with `console.log`.
  const log = context.mock.method(console, 'log', () => {});
  const printed = async (...words: string[]) => {
    log.mock.resetCalls();
    const { code, stdout } = await stoa(...words);
    assert.equal(code, 0);
    return stdout || log.mock.calls.map(({ arguments: [text] }) => String(text)).join('\n');
  };
  assert.match(await printed('complete', '--', 'hi'), /^history\t/m);
  assert.match(await printed('complete', '--', 'put', '--re'), /^--replace\t/m);
  assert.match(await printed('completion', 'powershell'), /stoa/);

  await using folder = await makeFolder();
  const program = join(folder.path, 'stoa');
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${folder.path}:${process.env.PATH}`, HOME: folder.path };
  const runShell = async (shell: string, script: string, ...before: string[]) =>
    (await promisify(execFile)(shell, [...before, '-c', script], { env, cwd: folder.path })).stdout;
  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    await writeFile(join(folder.path, `completion.${shell}`), await printed('completion', shell));
  }
  const inBash = (line: string) =>
    runShell(
      'bash',
      `set -u; source completion.bash; source completion.bash
      COMP_LINE='${line}' COMP_POINT=${line.length}; _stoa_complete; printf '%s\\n' "\${COMPREPLY[@]-}"`,
      '--noprofile',
      '--norc',
    );
  assert.equal(await inBash('stoa hi'), 'history\n');
  assert.equal(await inBash('stoa put --re'), '--replace\n');
  // Completion must not execute the typed line.
  await inBash('stoa cat $(touch typed) `touch typed` ');
  assert.deepEqual((await readdir(folder.path)).includes('typed'), false);
  assert.match(
    await runShell(
      'zsh',
      'autoload -U compinit; compinit -D -u; source completion.zsh; print $_comps[stoa]',
      '-f',
    ),
    /^_stoa$/m,
  );
  assert.match(
    await runShell('fish', `source completion.fish; complete -C 'stoa hi'`, '--no-config'),
    /^history\t/m,
  );
});

test('a closed pipe ends the run without an error message', async () => {
  const child = spawn('bash', [
    '-c',
    `"${process.execPath}" "${launcher}" help | true; echo "\${PIPESTATUS[0]}"`,
  ]);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  await once(child, 'close');
  assert.equal(said, '0\n');
});

test('a signal ends a run with its exit code, and a second signal ends it at once', async (t) => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const env = { ...process.env, STOA_URL: `http://127.0.0.1:${port}`, STOA_KEY: 'k' };
  // Reports the signal on stderr. The program itself does so only on a terminal.
  const reports = "process.on('SIGINT', () => process.stderr.write('heard'))";
  for (const [word, signals, code] of [
    ['ls', ['SIGINT'], 130],
    ['ls', ['SIGTERM'], 143],
    // After the first signal it waits for the response and would exit with the code of the first.
    ['mcp', ['SIGINT', 'SIGTERM'], 143],
  ] as const) {
    const words = ['--import', `data:text/javascript,${encodeURIComponent(reports)}`, launcher, word];
    const child = spawn(process.execPath, words, { env, stdio: ['pipe', 'ignore', 'pipe'] });
    t.after(() => child.kill('SIGKILL'));
    const closed = once(child, 'close');
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    // The server never responds to this request.
    await once(server, 'request');
    const [first, second] = signals;
    child.kill(first);
    for await (const said of child.stderr) {
      if (second !== undefined && String(said).includes('heard')) child.kill(second);
    }
    const [ended] = await closed;
    assert.equal(ended, code, `${word}: ${signals.join(', ')}`);
  }
});

test('a failed write to standard output ends the run with its reason', {
  skip: process.platform !== 'linux',
}, async () => {
  await using full = await open('/dev/full', 'w');
  const child = spawn(process.execPath, [launcher, 'help'], { stdio: ['ignore', full.fd, 'pipe'] });
  let said = '';
  assert.ok(child.stderr !== null);
  for await (const chunk of child.stderr) said += chunk;
  assert.equal(said, 'stoa: Standard output cannot be written (ENOSPC).\n');
  assert.equal(child.exitCode ?? (await once(child, 'close'))[0], 1);
});

const onOldNode = (pretended: string, ...words: string[]) => {
  const argv = JSON.stringify([process.execPath, launcher, ...words]);
  const old = "Object.defineProperty(process.versions, 'node', { value: '18.0.0' });";
  return ['-e', `${old} ${pretended} process.argv = ${argv}; require(process.argv[1]);`];
};

test('an older Node starts the Node next to the program, or names the required version', async () => {
  const run = (pretended: string, env: NodeJS.ProcessEnv = {}) =>
    promisify(execFile)(process.execPath, onOldNode(pretended, '--version'), {
      env: { ...process.env, ...env },
    });
  assert.match((await run('')).stdout, /^\d+\.\d+\.\d+\n$/);
  for (const [pretended, env] of [
    ["require('fs').existsSync = function () { return false; };", {}],
    ['', { STOA_LAUNCHED: '1' }],
  ] as const) {
    await assert.rejects(run(pretended, env), ({ code, stderr }) => {
      assert.match(`${code} ${stderr}`, /^1 stoa needs Node 26 or newer, and this is 18\.0\.0\. Get it from/);
      return true;
    });
  }
});

test('the compile cache is kept in a folder that only its user can access', async () => {
  await using made = await makeFolder();
  const folder = made.path;
  const start = async (name: string) => {
    const env = { ...process.env, XDG_CACHE_HOME: join(folder, name), NODE_COMPILE_CACHE: undefined };
    const { stdout } = await promisify(execFile)(process.execPath, [launcher, '--version'], { env });
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
    return readdir(join(folder, name)).catch(() => null);
  };
  await mkdir(join(folder, 'own'), { mode: 0o700 });
  await mkdir(join(folder, 'open'));
  await chmod(join(folder, 'open'), 0o777);
  assert.deepEqual(await start('own'), ['stoa']);
  assert.equal((await stat(join(folder, 'own/stoa'))).mode & 0o777, 0o700);
  assert.deepEqual(await start('own'), ['stoa']);
  assert.ok((await readdir(join(folder, 'own/stoa'))).length > 0);
  assert.deepEqual(await start('open'), []);
  assert.equal(await start('missing'), null);
  await writeFile(join(folder, 'file'), '');
  await start('file');
});

test('each older Node on this machine also starts the newer Node', async (context) => {
  const found = await Promise.all(
    (process.env.PATH ?? '').split(delimiter).map(async (folder) => {
      const node = join(folder, 'node');
      const reported = await promisify(execFile)(node, ['--version']).catch(() => null);
      return reported !== null && Number.parseInt(reported.stdout.slice(1), 10) < 26
        ? [await realpath(node)]
        : [];
    }),
  );
  const olds = new Set(found.flat());
  context.diagnostic(`older than 26: ${[...olds].join(', ') || 'none but the pretended one above'}`);
  for (const old of olds) {
    const { stdout } = await promisify(execFile)(old, [launcher, '--version']);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
    await assert.rejects(
      promisify(execFile)(old, [launcher, 'ls'], { env: { ...process.env, STOA_LAUNCHED: '1' } }),
      ({ code, stderr }) => code === 1 && /^stoa needs Node 26 or newer, and this is \d+/.test(stderr),
    );
    await assert.rejects(promisify(execFile)(old, [launcher, 'nope']), { code: 2 });
  }
});

test('a program started by an older Node ends when that Node is killed', async (t) => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const env = { ...process.env, STOA_URL: `http://127.0.0.1:${port}`, STOA_KEY: 'k' };
  const launched = spawn(process.execPath, onOldNode('', 'ls'), { env, stdio: 'ignore' });
  t.after(() => launched.kill('SIGKILL'));
  // The server never responds to this request.
  const [{ socket }] = await once(server, 'request');
  launched.kill('SIGKILL');
  await once(socket, 'close');
});
