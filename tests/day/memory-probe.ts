import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';

// Loaded into each thread of a service before anything else. On SIGUSR2 each thread collects its garbage. The main
// thread then writes the bytes in use to the file that the environment names.

/** The memory of a thread after garbage collection, in bytes. */
interface Held {
  readonly threadId: number;
  readonly heap: number;
  readonly external: number;
}

type Message = 'here' | 'measure' | Held;

/** The time for the responses of the other threads. */
const responsesMs = 1_000;
const file = process.env.MEMORY_PROBE_FILE;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function measure(): Held {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return { threadId, heap: heapUsed, external };
}

if (file !== undefined) {
  const channel = new BroadcastChannel('memory-probe');
  channel.unref();
  const say = (message: Message) => channel.postMessage(message);
  if (isMainThread) {
    let held = new Map<number, Held>();
    channel.onmessage = ({ data }: { data: Message }) => {
      if (typeof data === 'object') held.set(data.threadId, data);
    };
    process.on('SIGUSR2', () => {
      held = new Map([[threadId, measure()]]);
      say('measure');
      setTimeout(() => {
        writeFileSync(
          `${file}.next`,
          JSON.stringify({ rss: process.memoryUsage.rss(), threads: [...held.values()] }),
        );
        renameSync(`${file}.next`, file);
      }, responsesMs);
    });
  } else {
    channel.onmessage = ({ data }: { data: Message }) => {
      if (data === 'measure') say(measure());
    };
  }
}
