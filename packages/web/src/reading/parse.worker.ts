import { readParts } from '@stoa/markdown';
import type { FromWorker, ToWorker } from './parse-messages.ts';

/** Texts being read; removing one stops its reading. */
const wanted = new Set<number>();

function send(message: FromWorker): void {
  postMessage(message);
}

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'stop') wanted.delete(data.id);
  else {
    wanted.add(data.id);
    void run(data);
  }
});

async function run(message: Exclude<ToWorker, { kind: 'stop' }>): Promise<void> {
  const { kind, id, source } = message;
  switch (kind) {
    case 'read':
      await read(id, source);
      return;
    case 'read_front_matter':
      await readFront(id, source);
      break;
    case 'change_date': {
      const { changeDate } = await import('./change-date.ts');
      send({ kind: 'date_changed', id, text: changeDate(source, message.day) });
    }
  }
  wanted.delete(id);
  send({ kind: 'done', id });
}

/** Returns the offset of the text after the front matter. */
async function readFront(id: number, source: string): Promise<number | undefined> {
  // Most files have no front matter and need no YAML parser.
  if (!/^\ufeff?---/.test(source)) return undefined;
  const { readFrontMatter } = await import('./front-matter.ts');
  const frontMatter = readFrontMatter(source);
  if (frontMatter !== null && wanted.has(id)) send({ kind: 'front_matter', id, frontMatter });
  return frontMatter?.end;
}

async function read(id: number, source: string): Promise<void> {
  const start = await readFront(id, source);
  for (const part of readParts(source, { start })) {
    if (!wanted.has(id)) return;
    send({ kind: 'part', id, part });
    // Handles messages that have arrived, so that a text that is no longer needed is not parsed to its end.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  wanted.delete(id);
  send({ kind: 'done', id });
}
