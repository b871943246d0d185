import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceVariables } from './service-process.ts';

/** A clock that a test advances, for a service in its own process, started with `variables`. */
export interface AdjustableClock extends AsyncDisposable {
  readonly variables: ServiceVariables;
  readonly advance: (milliseconds: number) => Promise<void>;
}

/**
 * The service's `Date.now` runs ahead by the number in a file. Everything else about the service stays as it is.
 * @param options.standing stops the clock between calls of `advance`, however long the test itself takes.
 */
export async function adjustableClock({ standing: existing = false } = {}): Promise<AdjustableClock> {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-clock-'));
  const file = join(folder, 'ahead');
  let ahead = 0;
  await writeFile(file, String(ahead));
  const source = `import { readFileSync } from 'node:fs';
    const now = ${existing ? `() => ${Date.now()}` : 'Date.now'};
    Date.now = () => now() + Number(readFileSync(${JSON.stringify(file)}, 'utf8'));`;
  return {
    variables: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` },
    async advance(milliseconds) {
      ahead += milliseconds;
      // The rename is atomic: the service must not read half of the file.
      await writeFile(`${file}.next`, String(ahead));
      await rename(`${file}.next`, file);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
