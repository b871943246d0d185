import { parentPort } from 'node:worker_threads';
import { renderMarkdown } from './http/share-pages/markdown/render-markdown.ts';

parentPort?.on('message', (text) => parentPort?.postMessage(renderMarkdown(text)));
