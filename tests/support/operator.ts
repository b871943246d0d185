import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServiceProcess } from './service-process.ts';

const entry = new URL('../../packages/server/src/admin/main.ts', import.meta.url).pathname;
const run = promisify(execFile);

/** Runs an operator command beside the running service, on the same data; rejects when it fails. */
export async function operator(
  service: Pick<ServiceProcess, 'env'>,
  ...words: readonly string[]
): Promise<string> {
  const { stdout } = await run(process.execPath, [entry, ...words], { env: service.env, timeout: 30_000 });
  return stdout;
}
