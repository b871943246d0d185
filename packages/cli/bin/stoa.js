#!/usr/bin/env node
/* docs/decisions/0047-node-26-and-the-launcher.md
 *
 * Starts the program, on a Node that can run it. In the words of the oldest Node there is: whatever the PATH has reads
 * this file, and a syntax error would tell nobody what to do.
 */
'use strict';

var fs = require('fs');
var path = require('path');
var neededMajor = 26;

if (parseInt(process.versions.node, 10) >= neededMajor) startProgram();
else startOnAnotherNode();

function startProgram() {
  endWithLauncher();
  var source = path.join(__dirname, '..', 'src', 'main.ts');
  var built = path.join(__dirname, '..', 'lib', 'main.cjs');
  keepCompiled();
  var main = require(fs.existsSync(source) ? source : built).main;
  main().catch(function (error) {
    process.stderr.write((error && error.stack ? error.stack : String(error)) + '\n');
    process.exitCode = 1;
  });
}

/**
 * What V8 made of the program serves the next start: docs/decisions/0062-the-command-line-starts-with-little.md. It is
 * code, so it is read from a folder of this person alone; where there is none the program starts without.
 */
function keepCompiled() {
  try {
    var uid = process.getuid ? process.getuid() : null;
    var above = cacheHome();
    if (above === null || !isOwn(above, uid)) return;
    var folder = path.join(above, 'stoa');
    fs.mkdirSync(folder, { recursive: true, mode: 448 });
    if (isOwn(folder, uid)) require('module').enableCompileCache(folder);
  } catch (_) {
    // A full disk, or a home that nobody may write to.
  }
}

function cacheHome() {
  var env = process.env;
  if (process.platform === 'win32') return env.LOCALAPPDATA || null;
  if (env.XDG_CACHE_HOME && path.isAbsolute(env.XDG_CACHE_HOME)) return env.XDG_CACHE_HOME;
  return env.HOME ? path.join(env.HOME, process.platform === 'darwin' ? 'Library/Caches' : '.cache') : null;
}

/** Run as another than whoever the folder belongs to, as by sudo, the program would run what that one put there. */
function isOwn(folder, uid) {
  if (uid === null) return true;
  var stat = fs.lstatSync(folder);
  return stat.isDirectory() && stat.uid === uid && (stat.mode & 18) === 0;
}

/** A launcher that was killed passes no signal on: the channel to it closes, and nobody would know what still runs. */
function endWithLauncher() {
  if (!process.channel) return;
  process.once('disconnect', function () {
    process.kill(process.pid, 'SIGTERM');
  });
  process.channel.unref();
}

function startOnAnotherNode() {
  var node = process.env.STOA_LAUNCHED ? null : findNode();
  if (node === null) {
    process.stderr.write(
      'stoa needs Node ' +
        neededMajor +
        ' or newer, and this is ' +
        process.versions.node +
        '. Get it from https://nodejs.org, or beside stoa: npm install -g node@' +
        neededMajor +
        '\n'
    );
    process.exit(1);
  }
  var env = {};
  Object.keys(process.env).forEach(function (name) {
    env[name] = process.env[name];
  });
  // Should that Node be an old one, too, it says so instead of looking for another for ever.
  env.STOA_LAUNCHED = '1';
  var child = require('child_process').spawn(node, [__filename].concat(process.argv.slice(2)), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: env
  });
  // A terminal signals the whole group; others signal this process alone. The program ends by itself, and then this.
  ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach(function (signal) {
    process.on(signal, function () {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  });
  child.on('error', function (error) {
    process.stderr.write('stoa: ' + node + ' cannot be started: ' + error.message + '\n');
    process.exit(1);
  });
  child.on('exit', function (code, signal) {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else process.exit(code);
  });
}

/** The npm package `node`, in the folders above: beside this package, or beside what it was installed for. */
function findNode() {
  var name = process.platform === 'win32' ? 'node.exe' : 'node';
  var folder = __dirname;
  for (;;) {
    var node = path.join(folder, 'node_modules', 'node', 'bin', name);
    if (fs.existsSync(node)) return node;
    node = path.join(folder, 'node', 'bin', name);
    if (path.basename(folder) === 'node_modules' && fs.existsSync(node)) return node;
    var above = path.dirname(folder);
    if (above === folder) return null;
    folder = above;
  }
}
