import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** A small app as a build leaves it, in a folder of its own. */
export interface MadeBuild extends AsyncDisposable {
  readonly directory: string;
  /** The script, as it was before it was compressed. */
  readonly script: string;
}

export const scriptName = 'index-sSILhfTO.js';
export const pictureName = 'icon-B1c2D3e4.svg';

export async function makeWebBuild(): Promise<MadeBuild> {
  const directory = await mkdtemp(join(tmpdir(), 'stoa-web-build-'));
  const script = `console.log('app');\n`.repeat(100);
  await mkdir(join(directory, 'assets'));
  await writeFile(
    join(directory, 'index.html'),
    `<!doctype html><title>Stoa</title><meta property="csp-nonce" nonce="{{nonce}}"><script type="module" src="/assets/${scriptName}" nonce="{{nonce}}"></script>`,
  );
  await writeFile(join(directory, 'not-served.txt'), 'not served');
  const asset = join(directory, 'assets', scriptName);
  await writeFile(asset, script);
  await writeFile(`${asset}.br`, brotliCompressSync(script));
  await writeFile(`${asset}.gz`, gzipSync(script));
  await writeFile(join(directory, 'assets', pictureName), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  return {
    directory,
    script,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}
