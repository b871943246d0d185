import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** Encodings of a file in a build, the smaller one first. */
export const codings = ['br', 'gzip'] as const;
export type Coding = (typeof codings)[number];

/** A file of the build, as it is sent. */
export interface Asset {
  readonly contentType: string;
  readonly plain: Buffer;
  readonly encoded: ReadonlyMap<Coding, Buffer>;
}

/** The app as it was built: one document for all pages, and its assets. */
export interface WebBuild {
  /** @param nonce allows the scripts and styles of this one response */
  readonly document: (nonce: string) => Buffer;
  readonly assets: ReadonlyMap<string, Asset>;
}

/** Vite writes it into the document (`html.cspNonce` in packages/web/vite.config.ts). */
const noncePlaceholder = '{{nonce}}';
const encodedFile: Readonly<Record<string, Coding>> = { '.br': 'br', '.gz': 'gzip' };

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** Reads the whole build, some megabytes. @returns null if nothing was built */
export async function readWebBuild(directory: string): Promise<WebBuild | null> {
  const html = await readIfThere(join(directory, 'index.html'));
  if (html === null) return null;
  const chunks = html.toString('utf8').split(noncePlaceholder);
  return {
    document: (nonce) => Buffer.from(chunks.join(nonce)),
    assets: await readAssets(join(directory, 'assets')),
  };
}

async function readAssets(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const names = await readdir(folder);
  const assets = new Map<string, Asset & { readonly encoded: Map<Coding, Buffer> }>();
  for (const name of names.filter((each) => encodedFile[extname(each)] === undefined)) {
    const contentType = contentTypes[extname(name)] ?? 'application/octet-stream';
    assets.set(name, { contentType, plain: await readFile(join(folder, name)), encoded: new Map() });
  }
  for (const name of names) {
    const extension = extname(name);
    const coding = encodedFile[extension];
    if (coding === undefined) continue;
    assets.get(name.slice(0, -extension.length))?.encoded.set(coding, await readFile(join(folder, name)));
  }
  return assets;
}

async function readIfThere(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
