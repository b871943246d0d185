import { editLoopUploadsMax, editLoopWindowMs, type WorkspacePath } from '@stoa/core';

interface Exchange {
  /** Times by `Pace.now` of uploads that followed a foreign write. */
  uploadTimes: number[];
  /** The last writer since the last upload. Undefined: there was no write. Null: the writer has no name. */
  foreignBy: string | null | undefined;
  lastBy: string | null;
}

/** Limit of paths in memory. The most recently sent ones are kept. */
const pathsMax = 1000;

/**
 * Detects edit loops: two programs that undo each other's work, such as formatters with different rules on two
 * machines. Each upload from here follows a foreign write, many times per minute. A user who saves often next to others
 * does not do that.
 */
export class EditLoops {
  readonly #exchanges = new Map<WorkspacePath, Exchange>();

  recordForeignWrite(path: WorkspacePath, by: string | null): void {
    const exchange = this.#exchanges.get(path);
    if (exchange !== undefined) exchange.foreignBy = by;
  }

  recordUpload(path: WorkspacePath, now: number): void {
    const exchange = this.#exchanges.get(path) ?? { uploadTimes: [], foreignBy: undefined, lastBy: null };
    this.#exchanges.delete(path);
    this.#exchanges.set(path, exchange);
    if (exchange.foreignBy !== undefined) {
      exchange.uploadTimes = [...exchange.uploadTimes.filter((at) => now - at < editLoopWindowMs), now];
      exchange.lastBy = exchange.foreignBy;
      exchange.foreignBy = undefined;
    }
    const [oldest] = this.#exchanges.keys();
    if (this.#exchanges.size > pathsMax && oldest !== undefined) this.#exchanges.delete(oldest);
  }

  /** The last foreign writer if the next upload would exceed the limit, else null. The count then starts again. */
  take(path: WorkspacePath, now: number): { readonly by: string | null } | null {
    const exchange = this.#exchanges.get(path);
    if (exchange === undefined) return null;
    const responses = exchange.uploadTimes.filter((at) => now - at < editLoopWindowMs);
    if (responses.length <= editLoopUploadsMax) return null;
    exchange.uploadTimes = [];
    return { by: exchange.foreignBy ?? exchange.lastBy };
  }
}
