/** Secrets of the installation that all its nodes share, by name. */
export interface SecretReader {
  /** Null when none was kept under this name. */
  find(name: string): Promise<string | null>;
}

export interface SecretWriter {
  /** Keeps the secret unless there is one of this name: the first is the one that counts. */
  keepSecret(row: {
    readonly name: string;
    readonly value: string;
    readonly createdAt: number;
  }): Promise<void>;
  /** Lets the next one of this name be kept. A missing one is not an error. */
  forgetSecret(name: string): Promise<void>;
}
