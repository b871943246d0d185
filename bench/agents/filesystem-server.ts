import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { opening } from '../../tests/support/mcp-client.ts';
import { type JsonRecord, recordOf, recordsAt } from '../../tests/support/response.ts';
import type { Workbench } from '../workbench.ts';
import type { CallTool } from './agent-call.ts';

const packageName = '@modelcontextprotocol/server-filesystem';

/** The version for the figures of the page. It is not a dependency, because only this comparison needs it. */
export const installFilesystemServer = `npm install --no-save ${packageName}@2026.8.31`;

/** @returns null when it is not installed. */
export function findFilesystemServer(): string | null {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${packageName}/package.json`);
    return join(dirname(manifest), 'dist', 'index.js');
  } catch {
    return null;
  }
}

/** Starts the reference server on a folder, over its standard input and output. */
export async function startFilesystemServer(
  workbench: Workbench,
  program: string,
  folder: string,
): Promise<{ readonly callTool: CallTool; readonly end: () => Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, [program, folder], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  workbench.keep(child);
  if (child.stdin === null || child.stdout === null) throw new Error('the filesystem server has no pipes');
  const { stdin } = child;
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const ask = async (method: string, params: JsonRecord): Promise<JsonRecord> => {
    id += 1;
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error('the filesystem server ended');
      const message = recordOf(JSON.parse(value));
      // Notifications and requests of the server are not responses.
      if (message.id === id && 'method' in message === false) return message;
    }
  };
  await ask('initialize', opening());
  stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return {
    async callTool(name, given) {
      const message = await ask('tools/call', { name, arguments: given });
      const result = recordOf(
        message.result ?? { isError: true, content: [{ text: JSON.stringify(message.error) }] },
      );
      const text = recordsAt(result, 'content')
        .map((block) => String(block.text))
        .join('\n');
      return { data: {}, isError: result.isError === true, seen: text };
    },
    end: () => workbench.end(child),
  };
}
