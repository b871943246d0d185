/* docs/decisions/0011-toolchain.md
 *
 * Tells what fails in the build by file and line of the source. Node does this too (`process.setSourceMapsEnabled`), but measures
 * each file of the build when it is loaded, an eighth of a start; here a file costs something when the first error comes from it.
 */
'use strict';

const { readFileSync } = require('node:fs');
const { SourceMap } = require('node:module');
const { dirname, join, resolve } = require('node:path');

/** Folders of builds. */
const builds = resolve(__dirname, '../dist');
const maps = new Map();

Error.prepareStackTrace = (error, frames) =>
  [headOf(error), ...frames.map((frame) => `    at ${told(frame)}`)].join('\n');

function headOf(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    // Its name or message cannot be read.
    return 'Error';
  }
}

function told(frame) {
  const text = String(frame);
  const file = frame.getFileName();
  const entry = mapOf(file)?.findEntry(frame.getLineNumber() - 1, frame.getColumnNumber() - 1);
  if (entry?.originalSource === undefined) return text;
  const place = `${file}:${frame.getLineNumber()}:${frame.getColumnNumber()}`;
  const source = join(dirname(file), entry.originalSource);
  return text.replace(place, () => `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`);
}

function mapOf(file) {
  if (typeof file !== 'string' || dirname(dirname(file)) !== builds) return null;
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

function readMap(file) {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  } catch {
    // An error is told all the same, by its place in the build.
    return null;
  }
}
