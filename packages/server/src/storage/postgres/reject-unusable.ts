/** The server responds, but must not be used as it is. The text is a message for the operator. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase';
  readonly losesCommits: boolean;

  constructor(message: string, { losesCommits }: { readonly losesCommits: boolean }) {
    super(message);
    this.losesCommits = losesCommits;
  }
}

/** The settings that a server reports for itself and the database. */
export interface ServerFacts {
  /** As `server_version_num`: 180004 is 18.4. */
  readonly version: number;
  readonly fsync: string;
  readonly fullPageWrites: string;
  readonly encoding: string;
  /** A standby, or configured as read-only. */
  readonly isReadOnly: boolean;
}

/** The oldest major version that still gets fixes. */
const oldestMajor = 15;
const harmless = { losesCommits: false };

/** @throws UnusableDatabase when the server is too old, may lose acknowledged changes, or cannot store all texts. */
export function rejectUnusable(server: ServerFacts): void {
  const major = Math.trunc(server.version / 10_000);
  // Also rejects NaN.
  if (!(major >= oldestMajor)) {
    throw new UnusableDatabase(
      `The database server is PostgreSQL ${major}: it must be ${oldestMajor} or newer.`,
      harmless,
    );
  }
  rejectOff('fsync', server.fsync);
  rejectOff('full_page_writes', server.fullPageWrites);
  if (server.encoding !== 'UTF8') {
    throw new UnusableDatabase(
      `The database has the encoding ${server.encoding}: make one with "create database … template template0 encoding 'UTF8'".`,
      harmless,
    );
  }
  if (server.isReadOnly) {
    throw new UnusableDatabase(
      'The database server is a standby or read-only: name the primary in its address.',
      harmless,
    );
  }
}

function rejectOff(setting: string, value: string): void {
  if (value === 'on') return;
  throw new UnusableDatabase(
    `The database server runs with ${setting} = ${value}, so a power cut could lose what was acknowledged: set ${setting} = on and restart it.`,
    { losesCommits: true },
  );
}
