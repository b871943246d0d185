import { readMarkdown } from './markdown/read-markdown.ts';
import type { FromWorker, ToWorker } from './parse-messages.ts';

/** The texts that are being read; one that is taken out is left where it is. */
const wanted = new Set<number>();

function send(message: FromWorker): void {
  postMessage(message);
}

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'stop') wanted.delete(data.id);
  else {
    wanted.add(data.id);
    void read(data.id, data.source);
  }
});

async function read(id: number, source: string): Promise<void> {
  // Most files have none, and need no YAML reader.
  if (/^\ufeff?---/.test(source)) {
    const { readFrontMatter } = await import('./markdown/front-matter.ts');
    const frontMatter = readFrontMatter(source);
    if (frontMatter !== null && wanted.has(id)) send({ kind: 'front_matter', id, frontMatter });
  }
  for (const part of readMarkdown(source)) {
    if (!wanted.has(id)) return;
    send({ kind: 'part', id, part });
    // Messages that came meanwhile are read now: a text that nobody wants any more is not parsed to its end.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  wanted.delete(id);
  send({ kind: 'done', id });
}
