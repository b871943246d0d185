import { reading } from '../text/en/reading.ts';
import type { FromWorker, ToWorker } from './parse-messages.ts';
import { begin, type ParseListener } from './parser.ts';

/** Returns whether a text begins with valid front matter. Rejects if the worker takes too long. */
export async function hasFrontMatter(source: string): Promise<boolean> {
  const found = await ask((id) => ({ kind: 'read_front_matter', id, source }));
  return found?.kind === 'front_matter';
}

/**
 * Returns the text with another date in its front matter, or null if that is not safe. Rejects like `hasFrontMatter`.
 */
export async function changeDate(source: string, day: string): Promise<string | null> {
  const changed = await ask((id) => ({ kind: 'change_date', id, source, day }));
  return changed?.kind === 'date_changed' ? changed.text : null;
}

/** Returns the last message before `done`, or null if there was no other. */
function ask(message: (id: number) => ToWorker): Promise<FromWorker | null> {
  return new Promise((resolve, reject) => {
    let last: FromWorker | null = null;
    const listener: ParseListener = {
      heard: (heard) => {
        if (heard.kind === 'done') resolve(last);
        else last = heard;
      },
      gaveUp: () => reject(new Error(reading.parserFailed)),
    };
    begin(listener, message);
  });
}
