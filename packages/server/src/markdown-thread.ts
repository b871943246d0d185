import { parentPort } from 'node:worker_threads';
import { renderMarkdown } from './http/pages/share/markdown/render-markdown.ts';

parentPort?.on('message', (text) => parentPort?.postMessage(renderMarkdown(text)));
