import { inspect } from 'node:util';

const shown = '[key]';

/** A key that shows itself to nobody who does not ask by name: not to logs, not to JSON, not in an error. */
export class ApiKey {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** For the header of a request to the server that it came with, and for `config.json`. */
  reveal(): string {
    return this.#secret;
  }

  toString(): string {
    return shown;
  }

  toJSON(): string {
    return shown;
  }

  [inspect.custom](): string {
    return shown;
  }
}

/** Whether a header can carry it: what is read from standard input or the environment may be anything. */
export function isSendableKey(text: string): boolean {
  return /^[\x21-\x7e]{1,512}$/.test(text);
}
