import { fileURLToPath } from 'node:url';
import { freePort } from '../../tests/support/free-port.ts';
import type { Workbench } from '../workbench.ts';
import type { Side } from './side.ts';
import { startProgram } from './start-program.ts';

export const bareHttpProgram = fileURLToPath(new URL('../controls/bare-http.ts', import.meta.url));

/** Starts node:http that responds to every request with the same bytes from memory. */
export async function startBareHttp(workbench: Workbench, responseBytes: number): Promise<Side> {
  const port = await freePort();
  const words = [bareHttpProgram, String(port), String(responseBytes)];
  const { child, pid } = await startProgram(workbench, process.execPath, words, port);
  return {
    name: 'bare node:http',
    port,
    pid,
    files: { root: '', headers: [] },
    [Symbol.asyncDispose]: () => workbench.end(child),
  };
}
