import { glob, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

/** Each source file of the repository with the files that it names: imports, and the entries of its worker threads. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

const sources = ['packages/*/{src,test}/**/*.{ts,tsx}', '{tests,scripts,bench,demo}/**/*.ts'];
/** The repository is formatted: a module's name is in single quotes. */
const relativeImport = /(?:\bfrom|\bimport|\bimport\()\s*'(\.[^']+)'/g;
const entryAddress = /\bnew URL\(\s*'(\.[^']+\.ts)',\s*import\.meta\.url\)/g;
const namedImport = /\b(?:import|export)\s+(?:type\s+)?(\{[^}]*\}|\*[^']*?)\s*from\s*'([^']+)'/g;
const packageIndex = /^packages\/([^/]+)\/src\/index\.ts$/;
const exported = /^export (?:async )?(?:abstract )?(?:function\*?|const|class|type|interface) (\w+)/gm;

/**
 * Reads the imports of all sources. A name that comes through a package's index leads to the file that exports it:
 * else all that uses a package would depend on all of it. dependency-cruiser cannot parse the tests (`using`).
 */
export async function readImportGraph(): Promise<ImportGraph> {
  const files = (await Array.fromAsync(glob(sources))).sort();
  const texts = new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)),
  );
  const exporters = exportersOf(texts);
  const graph = new Map<string, readonly string[]>();
  for (const [file, text] of texts) {
    graph.set(file, packageIndex.test(file) ? [] : [...new Set(referencesOf(file, text, exporters))]);
  }
  return graph;
}

/** How far each file is from what changed, 0 for a changed one; files that do not depend on it are absent. */
export function distancesFrom(graph: ImportGraph, changed: readonly string[]): ReadonlyMap<string, number> {
  const importers = new Map<string, string[]>();
  for (const [file, references] of graph) {
    for (const reference of references) importers.set(reference, [...(importers.get(reference) ?? []), file]);
  }
  const distances = new Map(changed.map((file) => [file, 0]));
  // A map's iteration meets what is added meanwhile, nearest first.
  for (const [file, distance] of distances) {
    for (const importer of importers.get(file) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  return distances;
}

/** By package and exported name, the file. */
function exportersOf(texts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const exporters = new Map<string, string>();
  for (const [file, text] of texts) {
    const owner = /^packages\/([^/]+)\/src\//.exec(file)?.[1];
    if (owner === undefined) continue;
    for (const [, name = ''] of text.matchAll(exported)) exporters.set(`${owner} ${name}`, file);
  }
  return exporters;
}

function* referencesOf(file: string, text: string, exporters: ReadonlyMap<string, string>) {
  for (const [, path = ''] of text.matchAll(relativeImport)) {
    // The app imports its style sheets, too.
    if (/\.tsx?$/.test(path)) yield normalize(join(dirname(file), path));
  }
  // Tests start the whole service so; what it does is not theirs to depend on.
  if (file.startsWith('packages/')) {
    for (const [, path = ''] of text.matchAll(entryAddress)) yield normalize(join(dirname(file), path));
  }
  for (const [, names = '', from = ''] of text.matchAll(namedImport)) {
    const index = from.startsWith('@stoa/')
      ? `packages/${from.split('/')[1]}/src/index.ts`
      : normalize(join(dirname(file), from));
    const owner = packageIndex.exec(index)?.[1];
    if (owner === undefined) continue;
    yield index;
    for (const [name] of names.matchAll(/\w+/g)) {
      const exporter = exporters.get(`${owner} ${name}`);
      if (exporter !== undefined) yield exporter;
    }
  }
}
