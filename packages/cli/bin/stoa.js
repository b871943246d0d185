#!/usr/bin/env node
/* docs/decisions/0011-toolchain.md
 *
 * Starts the program on a Node that can run it. Written in old JavaScript: any Node in the PATH may run this file, and a
 * syntax error would not say what to install.
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
 * Caches the compiled program for the next start. The cache is code, so it is only read from a folder that belongs to this
 * user. Without such a folder the program starts without a cache.
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

/** Returns the Node of an npm package in the folders above: next to this package, or of the checkout it is in. */
function findNode() {
  var name = process.platform === 'win32' ? 'node.exe' : 'node';
  var folder = __dirname;
  for (;;) {
    var packages = path.basename(folder) === 'node_modules' ? folder : path.join(folder, 'node_modules');
    var found = [path.join(packages, 'node', 'bin', name), path.join(packages, '.bin', name)].filter(fs.existsSync);
    if (found.length > 0) return found[0];
    var above = path.dirname(folder);
    if (above === folder) return null;
    folder = above;
  }
}
