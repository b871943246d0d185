import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { webBuildLocation } from '../../../scripts/building/build-web.ts';
import { readWebBundle } from './support/web-bundle.ts';

const bundle = await readWebBundle();
const entriesLike = (pattern: RegExp) => bundle.entries.filter((source) => pattern.test(source));

/** Sources that load before a folder is usable. */
const firstScreen = bundle.closureOf(['index.html', ...entriesLike(/^src\/files\/\w*FolderPage\.tsx$/)]);

/** Parts that load on demand, each with the sources loaded before it. Sizes are compressed kB. */
const reading = /^src\/(?:file-page\/FilePage|reading\/(?!Pdf)\w+)\.tsx$/;
/** Loaded when the first screen is idle, or earlier by the first menu or dialog. */
const framed = /^src\/ui\/(?:Dialog|menu-content)\.tsx$/;
const editing = /^src\/editing\/(?!find-bar)/;
const parts: readonly {
  readonly part: string;
  readonly sources: RegExp;
  readonly alongside?: readonly RegExp[];
  /** Other files that belong to it. */
  readonly workers?: RegExp;
  /** Files that have a budget of their own. */
  readonly without?: RegExp;
  readonly kBMax: number;
}[] = [
  { part: 'menus and dialogs', sources: framed, kBMax: 40 },
  {
    part: 'the reading view and its worker',
    sources: reading,
    alongside: [framed],
    workers: /\/parse\.worker-/,
    kBMax: 70,
  },
  { part: 'the editor', sources: editing, alongside: [framed, reading], without: /\/saving-/, kBMax: 130 },
  {
    part: 'find and replace',
    sources: /^src\/editing\/find-bar/,
    alongside: [framed, reading, editing],
    kBMax: 10,
  },
  { part: 'compare and merge', sources: /^src\/merging\//, alongside: [framed, reading, editing], kBMax: 18 },
  {
    part: 'the palette and the page of results',
    sources: /^src\/palette\//,
    alongside: [framed],
    kBMax: 16,
  },
  { part: 'the calendar', sources: /^src\/calendar\//, alongside: [framed], kBMax: 15 },
  { part: 'settings and account', sources: /^src\/(?:settings|account)\//, alongside: [framed], kBMax: 45 },
];

test('the scripts and styles before a folder is usable stay within budget', async (t) => {
  await hold(t, 'script', pick(firstScreen, '.js'), 175);
  await hold(t, 'style', pick(firstScreen, '.css'), 25);
});

for (const { part, sources, alongside = [], workers = /$^/, without = /$^/, kBMax } of parts) {
  test(`${part}: small`, async (t) => {
    const there = new Set([
      ...firstScreen,
      ...alongside.flatMap((each) => [...bundle.closureOf(entriesLike(each))]),
    ]);
    const needed = new Set([
      ...bundle.closureOf(entriesLike(sources)),
      ...bundle.files.filter((file) => workers.test(file)),
    ]);
    const files = pick(needed.difference(there), '.js').filter((file) => !without.test(file));
    await hold(t, part, files, kBMax);
  });
}

test('the code that keeps typed text safe stays within budget', async (t) => {
  await hold(
    t,
    'saving',
    bundle.files.filter((file) => /\/saving-.*\.js$/.test(file)),
    20,
  );
});

test('the reader of YAML stays within budget', async (t) => {
  // It is a chunk of the worker's, whose modules the list does not name.
  const files = pick(bundle.files, '.js').filter((file) => /\/front-matter-/.test(file));
  await hold(t, 'yaml', files, 36);
});

test('the first screen brings no schema library, no parser and no editor', () => {
  const later =
    /node_modules\/(zod|yaml|unified|pdfjs-dist|@lezer|@codemirror|micromark|mdast-|remark-|rehype-|hast-)/;
  const found = [...firstScreen].flatMap((file) =>
    (bundle.modules.get(file) ?? []).filter((module) => later.test(module)),
  );
  assert.deepEqual(found, []);
});

test('the first script begins with the hint to compile all of it, and no other does', async () => {
  const hinted: string[] = [];
  for (const file of pick(bundle.files, '.js')) {
    const [firstLine] = (await readFile(join(webBuildLocation, file), 'utf8')).split('\n', 1);
    if (firstLine === '//# allFunctionsCalledOnLoad') hinted.push(file);
  }
  assert.deepEqual(hinted, pick(bundle.closureOf(['index.html']), '.js'));
});

test('no package is in the bundle twice', () => {
  const locations = new Map<string, Set<string>>();
  for (const module of [...bundle.modules.values()].flat()) {
    const [location, name] = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)(?=\/)/.exec(module) ?? [];
    if (location === undefined || name === undefined) continue;
    locations.set(name, (locations.get(name) ?? new Set()).add(location));
  }
  const twice = [...locations.values()].filter((each) => each.size > 1).map((each) => [...each].toSorted());
  assert.ok(locations.size > 10, 'the list of modules names no packages');
  assert.deepEqual(twice, []);
});

function pick(files: Iterable<string>, ending: string): readonly string[] {
  return [...files].filter((file) => file.endsWith(ending));
}

async function hold(
  t: { readonly diagnostic: (message: string) => void },
  what: string,
  files: readonly string[],
  kBMax: number,
): Promise<void> {
  assert.ok(files.length > 0, `${what}: no file of the build is known by this name`);
  const kB = (await bundle.gzipBytesOf(files)) / 1000;
  t.diagnostic(`${what}: ${kB.toFixed(1)} of ${kBMax} kB in ${files.length} files`);
  assert.ok(kB <= kBMax, `${what}: ${kB.toFixed(1)} kB, more than ${kBMax}\n${files.join('\n')}`);
}
