import { glob, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

/** Each source file of the repository with the files that it names: imports, and the entries of its worker threads. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

const sources = ['packages/*/{src,test}/**/*.{ts,tsx}', '{tests,scripts,bench,demo}/**/*.ts'];
/** All code is formatted, so a module's name is in single quotes. */
const relativeImport = /(?:\bfrom|\bimport|\bimport\()\s*'(\.[^']+)'/g;
const entryAddress = /\bnew URL\(\s*'(\.[^']+\.ts)',\s*import\.meta\.url\)/g;
const namedImport = /\b(?:import|export)\s+(?:type\s+)?(\{[^}]*\}|\*[^']*?)\s*from\s*'([^']+)'/g;
const packageIndex = /^packages\/([^/]+)\/src\/index\.ts$/;
const exported = /^export (?:async )?(?:abstract )?(?:function\*?|const|class|type|interface) (\w+)/gm;

/**
 * Reads the imports of all sources. A name from a package's index resolves to the file that exports it. Otherwise every
 * user of a package would depend on all of it. dependency-cruiser cannot parse the tests (`using`).
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

/** Returns the distance of each file from the changed files, 0 for those. Files without a dependency are absent. */
export function distancesFrom(graph: ImportGraph, changed: readonly string[]): ReadonlyMap<string, number> {
  const importers = new Map<string, string[]>();
  for (const [file, references] of graph) {
    for (const reference of references) importers.set(reference, [...(importers.get(reference) ?? []), file]);
  }
  const distances = new Map(changed.map((file) => [file, 0]));
  // The iteration of a map includes entries added during it, nearest first.
  for (const [file, distance] of distances) {
    for (const importer of importers.get(file) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  return distances;
}

/** Maps package and exported name to the file. */
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
    // The app also imports its style sheets.
    if (/\.tsx?$/.test(path)) yield normalize(join(dirname(file), path));
  }
  // Tests start the whole service this way, and do not depend on all its code.
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
