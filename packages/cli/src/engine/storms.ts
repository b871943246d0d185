import { stormUploadsMax, stormWindowMs, type WorkspacePath } from '@stoa/core';

interface Exchange {
  /** When a foreign write was answered by an upload, by `Pace.now`. */
  answers: number[];
  /** Who wrote since the last upload; undefined: nobody. Null: nobody that has a name. */
  foreignBy: string | null | undefined;
  lastBy: string | null;
}

/** Paths that are remembered: those that were sent last. */
const pathsMax = 1000;

/**
 * Notices two programs that undo each other's work, such as formatters with different rules on two machines: each upload
 * from here answers a foreign write, many times a minute. A person who saves often beside others does not do that.
 */
export class Storms {
  readonly #exchanges = new Map<WorkspacePath, Exchange>();

  noteForeignWrite(path: WorkspacePath, by: string | null): void {
    const exchange = this.#exchanges.get(path);
    if (exchange !== undefined) exchange.foreignBy = by;
  }

  noteUpload(path: WorkspacePath, now: number): void {
    const exchange = this.#exchanges.get(path) ?? { answers: [], foreignBy: undefined, lastBy: null };
    this.#exchanges.delete(path);
    this.#exchanges.set(path, exchange);
    if (exchange.foreignBy !== undefined) {
      exchange.answers = [...exchange.answers.filter((at) => now - at < stormWindowMs), now];
      exchange.lastBy = exchange.foreignBy;
      exchange.foreignBy = undefined;
    }
    const [oldest] = this.#exchanges.keys();
    if (this.#exchanges.size > pathsMax && oldest !== undefined) this.#exchanges.delete(oldest);
  }

  /** Whether the next upload would be one too many. Then the count begins anew. */
  take(path: WorkspacePath, now: number): { readonly by: string | null } | null {
    const exchange = this.#exchanges.get(path);
    if (exchange === undefined) return null;
    const answers = exchange.answers.filter((at) => now - at < stormWindowMs);
    if (answers.length <= stormUploadsMax) return null;
    exchange.answers = [];
    return { by: exchange.foreignBy ?? exchange.lastBy };
  }
}
