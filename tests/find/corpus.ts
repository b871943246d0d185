/**
 * Reads the files that show how good the ranking of a search is: 10,000 real documents and sources, the same ones on every
 * machine. They come from the packages that `npm ci` installs, from this repository's own documents, and from `texts/`.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareByCodePoint } from '@stoa/core';

export interface CorpusFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export const corpusFiles = 10_000;
const fileMaxBytes = 200_000;
const jsonMaxBytes = 20_000;
/** Packages of icons and of generated schemas would fill the corpus. */
const packageCodeMax = 400;

const root = join(import.meta.dirname, '../..');
const documentPattern = /\.(?:md|markdown|txt|png)$/i;
const codePattern = /\.(?:[cm]?[jt]s|tsx|json|ya?ml|css|html|sh)$/;
/** Folders with the same code in another form, and folders that tools write. */
const skippedFolders =
  /^(?:\..*|_virtual|cjs|commonjs|coverage|dev|dist-bundle|dist-cjs|es[56]|legacy|node_modules|(?:ts|types)\d.*|umd)$/;
/** Folders that a build writes, if their sources are in a `src` next to them. */
const builtFolders: ReadonlySet<string> = new Set([
  'build',
  'dist',
  'dist-es',
  'dist-src',
  'dist-types',
  'esm',
  'lib',
  'types',
]);

/** Returns documents first; then the code with the most text, until there are enough files. Sorted by path. */
export async function readCorpus(): Promise<readonly CorpusFile[]> {
  const seen = new Set<string>();
  const documents: CorpusFile[] = [];
  const code: CorpusFile[] = [];
  for (const file of [...(await readTexts()), ...(await readOwnDocuments())]) addOnce(documents, file, seen);
  for (const folder of await packageFolders()) {
    const files = await readPackage(folder);
    const largest = files.filter(({ path }) => !documentPattern.test(path)).toSorted(compareBySize);
    for (const file of files) if (documentPattern.test(file.path)) addOnce(documents, file, seen);
    const ofPackage: CorpusFile[] = [];
    for (const file of largest) if (ofPackage.length < packageCodeMax) addOnce(ofPackage, file, seen);
    code.push(...ofPackage);
  }
  const chosen = [...documents, ...code.toSorted(compareBySize)].slice(0, corpusFiles);
  return chosen.toSorted((a, b) => compareByCodePoint(a.path, b.path));
}

/** Packages contain many copies of the same licence, and a search has no reason to prefer one of them. */
function addOnce(files: CorpusFile[], file: CorpusFile, seen: Set<string>): void {
  const digest = createHash('sha256').update(file.bytes).digest('base64');
  if (seen.has(digest)) return;
  seen.add(digest);
  files.push(file);
}

function compareBySize(a: CorpusFile, b: CorpusFile): number {
  return b.bytes.length - a.bytes.length || compareByCodePoint(a.path, b.path);
}

/** Reads the texts made for this corpus. Their markdown has a second extension, so that it is not taken for a document. */
async function readTexts(): Promise<readonly CorpusFile[]> {
  const folder = join(import.meta.dirname, 'texts');
  const files = await readFiles(folder, '', await filesBelow(folder, documentPattern));
  return files.map(({ path, bytes }) => ({ path: path.replace(/\.md\.txt$/, '.md'), bytes }));
}

/** Reads the pages of this repository and those of its demo. */
async function readOwnDocuments(): Promise<readonly CorpusFile[]> {
  const rootPages = (await readdir(root)).filter((name) => name.endsWith('.md'));
  const packages = (await readdir(join(root, 'packages'))).map((name) => `packages/${name}/README.md`);
  const below = await Promise.all(
    ['docs', 'demo/files'].map(async (folder) =>
      (await filesBelow(join(root, folder), documentPattern)).map((path) => `${folder}/${path}`),
    ),
  );
  return readFiles(root, 'stoa/', [...rootPages, ...packages, ...below.flat()].toSorted(compareByCodePoint));
}

interface LockedPackage {
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly hasInstallScript?: boolean;
}

/** Lists the packages that every machine has: not those for one platform, and not a second version of one. */
async function packageFolders(): Promise<readonly string[]> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  return Object.entries(lock.packages)
    .filter(([folder]) => /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(folder))
    .filter(([, { link, optional, os, cpu, hasInstallScript }]) => {
      return !link && !optional && !hasInstallScript && os === undefined && cpu === undefined;
    })
    .map(([folder]) => folder.slice('node_modules/'.length))
    .toSorted(compareByCodePoint);
}

async function readPackage(name: string): Promise<readonly CorpusFile[]> {
  const folder = join(root, 'node_modules', name);
  const paths = await filesBelow(folder, /./);
  const present = new Set([...paths, ...paths.filter((path) => /\.m[jt]s$/.test(path)).map(modulesOf)]);
  const chosen = paths.filter(
    (path) => documentPattern.test(path) || (codePattern.test(path) && !isOtherForm(path, present)),
  );
  const files = await readFiles(folder, `packages/${name}/`, chosen);
  return files.filter(({ path, bytes }) => documentPattern.test(path) || isWrittenCode(path, bytes));
}

/** Returns true if the same code is also there in a more readable form. */
function isOtherForm(path: string, present: ReadonlySet<string>): boolean {
  const [, stem = '', form, language] = /^(.*)\.([cm])([jt]s)$/s.exec(path) ?? [];
  if (form === undefined) return false;
  return present.has(`${stem}.${language}`) || (form === 'c' && present.has(modulesOf(path)));
}

/** Stands for any ECMAScript module in the folder of a path. */
function modulesOf(path: string): string {
  return `${path.slice(0, path.lastIndexOf('/') + 1)}*.mjs`;
}

/** Whether people wrote it or can read it: minified code has long lines. */
function isWrittenCode(path: string, bytes: Uint8Array): boolean {
  if (/\.(?:min|umd)\.\w+$/.test(path)) return false;
  if (path.endsWith('.json') && bytes.length > jsonMaxBytes) return false;
  let lines = 1;
  let longest = 0;
  for (let start = 0; ; lines += 1) {
    const end = bytes.indexOf(10, start);
    longest = Math.max(longest, (end === -1 ? bytes.length : end) - start);
    if (end === -1) break;
    start = end + 1;
  }
  return longest <= 5_000 && bytes.length / lines <= 200;
}

/** Lists paths below a folder, with `/` between their names, sorted. */
async function filesBelow(folder: string, pattern: RegExp): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const hasSource = entries.some((entry) => entry.isDirectory() && entry.name === 'src');
  const paths = await Promise.all(
    entries.map(async (entry) => {
      if (skippedFolders.test(entry.name)) return [];
      if (entry.isFile()) return pattern.test(entry.name) ? [entry.name] : [];
      if (!entry.isDirectory() || (hasSource && builtFolders.has(entry.name))) return [];
      const below = await filesBelow(join(folder, entry.name), pattern);
      return below.map((path) => `${entry.name}/${path}`);
    }),
  );
  return paths.flat().toSorted(compareByCodePoint);
}

async function readFiles(
  folder: string,
  prefix: string,
  paths: readonly string[],
): Promise<readonly CorpusFile[]> {
  const files = await Promise.all(
    paths.map(async (path) => ({
      path: prefix + path.normalize('NFC'),
      bytes: await readFile(join(folder, path)),
    })),
  );
  return files.filter(({ bytes }) => bytes.length > 0 && bytes.length <= fileMaxBytes);
}
