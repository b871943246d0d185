import { inspect } from 'node:util';

const shown = '[key]';

/** A key that is hidden from logs, JSON and error messages unless it is revealed by name. */
export class ApiKey {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** For request headers to the server that issued it, and for `config.json`. */
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

/** Whether a header can hold the key. Input from standard input or the environment may be anything. */
export function isSendableKey(text: string): boolean {
  return /^[\x21-\x7e]{1,512}$/.test(text);
}
