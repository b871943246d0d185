import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildWeb, webBuildLocation } from '../../../../scripts/building/build-web.ts';

/** A chunk in Vite's manifest. */
interface Entry {
  readonly file: string;
  readonly src?: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/** The build of the app. File names are those of the build, `assets/index-….js`. */
export interface WebBundle {
  readonly files: readonly string[];
  /** Sources with their own chunk: the first document and sources that load later. */
  readonly entries: readonly string[];
  /** Returns the script and style files that must load before the chunks of these sources run. */
  readonly closureOf: (sources: readonly string[]) => ReadonlySet<string>;
  /** The modules of each chunk, by their path in the repository. */
  readonly modules: ReadonlyMap<string, readonly string[]>;
  readonly gzipBytesOf: (files: Iterable<string>) => Promise<number>;
}

/** Builds the app if its build is outdated. */
export async function readWebBundle(): Promise<WebBundle> {
  await buildWeb();
  const manifest: Readonly<Record<string, Entry>> = await readJson('.vite/manifest.json');
  const modules: Readonly<Record<string, readonly string[]>> = await readJson('.vite/modules.json');
  const assets = await readdir(join(webBuildLocation, 'assets'));
  return {
    files: assets.map((name) => `assets/${name}`).filter((file) => /\.(?:m?js|css)$/.test(file)),
    entries: Object.values(manifest).flatMap(({ src, file }) =>
      src !== undefined && file.endsWith('.js') ? [src] : [],
    ),
    closureOf: (sources) => {
      const keys = new Set(sources);
      // The iteration of a set includes entries that are added during it.
      for (const key of keys) for (const imported of manifest[key]?.imports ?? []) keys.add(imported);
      return new Set([...keys].flatMap((key) => filesOf(manifest[key])));
    },
    modules: new Map(Object.entries(modules)),
    async gzipBytesOf(files) {
      const sizes = await Promise.all([...files].map((file) => readFile(join(webBuildLocation, file))));
      return sizes.reduce((sum, bytes) => sum + gzipSync(bytes).length, 0);
    },
  };
}

function filesOf(entry: Entry | undefined): readonly string[] {
  return entry === undefined ? [] : [entry.file, ...(entry.css ?? [])];
}

async function readJson<Value>(file: string): Promise<Value> {
  return JSON.parse(await readFile(join(webBuildLocation, file), 'utf8'));
}
