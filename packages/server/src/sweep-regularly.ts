import type { Logger } from 'pino';
import type { Deps } from './create-deps.ts';

const sweepEveryMs = 6 * 60 * 60 * 1000;

/** Sweeps the stored bytes every few hours. Disposing it stops a sweep under way and waits for it. */
export function sweepRegularly({ sweep }: Pick<Deps, 'sweep'>, logger: Logger): AsyncDisposable {
  const stopping = new AbortController();
  let underWay: Promise<void> | null = null;
  const run = async () => {
    try {
      logger.info(await sweep(stopping.signal), 'swept the stored bytes');
    } catch (error) {
      if (!stopping.signal.aborted) logger.warn({ err: error }, 'the stored bytes could not be swept');
    } finally {
      underWay = null;
    }
  };
  const timer = setInterval(() => {
    underWay ??= run();
  }, sweepEveryMs);
  timer.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      stopping.abort();
      await underWay;
    },
  };
}
