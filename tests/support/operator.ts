import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServiceProcess } from './service-process.ts';

const entry = new URL('../../packages/server/bin/stoa-admin.cjs', import.meta.url).pathname;
const run = promisify(execFile);

/** Runs an operator command to its end, successful or not. */
export async function operatorRun(
  service: Pick<ServiceProcess, 'env'>,
  ...words: readonly string[]
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  try {
    return { code: 0, stderr: '', stdout: await operator(service, ...words) };
  } catch (error) {
    const failed = error as { code: number; stdout: string; stderr: string };
    return { code: failed.code, stdout: failed.stdout, stderr: failed.stderr };
  }
}

/** Runs an operator command while the service runs, on the same data. Rejects when it fails. */
export async function operator(
  service: Pick<ServiceProcess, 'env'>,
  ...words: readonly string[]
): Promise<string> {
  const { stdout } = await run(process.execPath, [entry, ...words], { env: service.env, timeout: 300_000 });
  return stdout;
}
