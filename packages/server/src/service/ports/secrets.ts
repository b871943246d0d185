/** Secrets of the installation that all its nodes share, by name. */
export interface SecretReader {
  /** Null when there is no secret of this name. */
  find(name: string): Promise<string | null>;
}

export interface SecretWriter {
  /** Stores the secret unless one of this name exists: the first one wins. */
  keepSecret(row: {
    readonly name: string;
    readonly value: string;
    readonly createdAt: number;
  }): Promise<void>;
  /** Allows a new secret of this name. A missing one is not an error. */
  forgetSecret(name: string): Promise<void>;
}
