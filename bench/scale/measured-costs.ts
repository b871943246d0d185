/** The cost of one operation on PostgreSQL, from `measure-costs.ts`. Bytes and microseconds are per operation. */
export interface MeasuredCosts {
  readonly measuredAt: string;
  readonly machine: string;
  readonly database: string;
  /** Disk space by table, its indexes and its overflow included, after a vacuum. */
  readonly storage: {
    /** A new file of 4 KiB, its bytes in the database. */
    readonly newSmallFile: TableBytes;
    /** A further version of such a file. */
    readonly newSmallVersion: TableBytes;
    /** A new file whose bytes are in the store for large contents. */
    readonly newLargeFile: TableBytes;
  };
  /** Small writes to one workspace: all wait for its row, and share commits. */
  readonly writesToOne: WriteCost;
  /** Small writes to many workspaces: many small commits. */
  readonly writesToMany: WriteCost;
  readonly read: RequestCost;
  readonly idlePoll: RequestCost;
  /** Sessions that one node with its default settings had open under load. */
  readonly sessionsOfNode: number;
}

export type TableBytes = Readonly<Record<string, number>>;

export interface RequestCost {
  readonly requestsPerSecond: number;
  readonly nodeCpuMicroseconds: number;
  readonly databaseCpuMicroseconds: number;
}

export interface WriteCost extends RequestCost {
  readonly writesPerCommit: number;
  readonly walBytes: number;
}
