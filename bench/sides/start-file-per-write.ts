import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../tests/support/free-port.ts';
import type { Workbench } from '../workbench.ts';
import { connectionFolders, type Side } from './side.ts';
import { startProgram } from './start-program.ts';

const program = fileURLToPath(new URL('../controls/file-per-write.ts', import.meta.url));

/** Starts node:http that writes and fsyncs one file per PUT. */
export async function startFilePerWrite(workbench: Workbench, connections: number): Promise<Side> {
  const directory = await workbench.directory('file-per-write');
  for (const folder of connectionFolders(connections)) await mkdir(join(directory, folder));
  const port = await freePort();
  const { child, pid } = await startProgram(
    workbench,
    process.execPath,
    [program, String(port), directory],
    port,
  );
  return {
    name: 'one fsynced file per write',
    port,
    pid,
    files: { root: '', headers: [] },
    [Symbol.asyncDispose]: () => workbench.end(child),
  };
}
