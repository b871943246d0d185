/**
 * Starts the server, and Vite in front of it with live reload: http://127.0.0.1:4701, or the port in `--port 4801`.
 * Vite serves the app from its sources and proxies the API and shared pages, so that a browser sees one origin.
 * Documents have the server's content security policy with a fixed nonce, so that violations show during development.
 * Ctrl-C ends both.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createServer, type Plugin } from 'vite';
import { documentHeaders } from '../packages/server/src/http/web-app/document-headers.ts';

const root = join(import.meta.dirname, '..');
const host = '127.0.0.1';
const { values } = parseArgs({ options: { port: { type: 'string', default: '4701' } } });
const port = Number(values.port);
const serverPort = process.env.STOA_PORT ?? '4700';
const origin = `http://${host}:${port}`;
const behind = `http://${host}:${serverPort}`;

// Links and the check of origins use the address of the browser.
const server = spawn(process.execPath, [join(root, 'packages/server/src/main.ts')], {
  env: { STOA_BASE_URL: origin, STOA_LOG_LEVEL: 'warn', ...process.env },
  stdio: 'inherit',
});
const ended = once(server, 'exit');
// Ctrl-C also reaches the server, and a second signal would end it at once.
process.on('SIGINT', () => {});
process.once('SIGTERM', () => server.kill());
process.once('exit', () => server.kill());

const nonce = 'development';
const policy: Plugin = {
  name: 'stoa-policy',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, response, next) => {
      if (request.headers.accept?.includes('text/html') === true) {
        for (const [name, value] of Object.entries(documentHeaders(nonce))) response.setHeader(name, value);
      }
      next();
    });
  },
};

const vite = await createServer({
  root: join(root, 'packages/web'),
  plugins: [policy],
  html: { cspNonce: nonce },
  // Includes the dependencies of workers: one that Vite finds later makes every page reload.
  optimizeDeps: { entries: ['index.html', 'src/**/*.worker.ts'] },
  server: { host, port, strictPort: true, proxy: { '/api': behind, '/s/': behind } },
});
await vite.listen();
console.log(`\nThe app with live reload: ${origin}`);
const [code] = await ended;
await vite.close();
process.exitCode = Number(code ?? 0);
