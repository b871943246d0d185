import type { DestinationStream } from 'pino';

const blockCharacters = 4096;
const heldMs = 250;

/** A log whose lines are sent in blocks, because each block costs a message to another thread. */
export interface GatheredLines extends DestinationStream {
  /** Sends the gathered lines. */
  flush(): void;
}

export function gatherLines(send: (block: string) => void): GatheredLines {
  let block = '';
  let timer: NodeJS.Timeout | null = null;
  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (block === '') return;
    const sent = block;
    block = '';
    send(sent);
  };
  return {
    write(line) {
      block += line;
      if (block.length >= blockCharacters) return flush();
      timer ??= setTimeout(flush, heldMs).unref();
    },
    flush,
  };
}
