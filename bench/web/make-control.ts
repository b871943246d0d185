import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { webBuildLocation } from '../../scripts/building/build-web.ts';

/**
 * Makes a build whose document is a finished page. It contains the rows, and fetches the bytes that the app loads
 * without running any of them.
 */
export async function makeControl(directory: string, rows: readonly string[], files: readonly string[]) {
  await mkdir(directory, { recursive: true });
  await cp(join(webBuildLocation, 'assets'), join(directory, 'assets'), { recursive: true });
  const html = await readFile(join(webBuildLocation, 'index.html'), 'utf8');
  const styles = html.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
  const list = rows.map((name) => `<div role="row"><a href="#">${name}</a></div>`).join('\n');
  const fetching = `Promise.all(${JSON.stringify(files)}.map(async (file) => (await fetch('/' + file)).arrayBuffer()))
  .then(() => { document.documentElement.dataset.fetched = ''; });`;
  await writeFile(
    join(directory, 'index.html'),
    `<!doctype html>
<html lang="en" data-theme="light">
<head><meta charset="utf-8"><title>Control</title>${styles.join('')}</head>
<body><main><h1>Control</h1><div role="grid">${list}</div></main>
<script nonce="{{nonce}}">${fetching}</script></body>
</html>
`,
  );
}
