/**
 * The server, and Vite in front of it with live reload: http://127.0.0.1:4701. Vite serves the app from its sources and
 * passes the interface and shared pages on, so that a browser sees one origin. Ends with Ctrl-C.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createServer } from 'vite';

const root = join(import.meta.dirname, '..');
const host = '127.0.0.1';
const port = 4701;
const serverPort = process.env.STOA_PORT ?? '4700';
const origin = `http://${host}:${port}`;
const behind = `http://${host}:${serverPort}`;

// The address that browsers use is the one that links and the check of origins go by.
const server = spawn(process.execPath, [join(root, 'packages/server/src/main.ts')], {
  env: { STOA_BASE_URL: origin, STOA_LOG_LEVEL: 'warn', ...process.env },
  stdio: 'inherit',
});
const ended = once(server, 'exit');
// Ctrl-C reaches the server by itself, and a second one would end it at once.
process.on('SIGINT', () => {});
process.once('exit', () => server.kill());

const vite = await createServer({
  root: join(root, 'packages/web'),
  server: { host, port, strictPort: true, proxy: { '/api': behind, '/s/': behind } },
});
await vite.listen();
console.log(`\nThe app with live reload: ${origin}`);
const [code] = await ended;
await vite.close();
process.exitCode = Number(code ?? 0);
