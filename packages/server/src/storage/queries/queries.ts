import { blobQueries } from './blob-reader.ts';
import { changeQueries } from './change-reader.ts';
import { credentialWrites } from './credential-writes.ts';
import { fileQueries } from './file-reader.ts';
import { fileWrites } from './file-writes.ts';
import { keyQueries } from './key-reader.ts';
import { nodeQueries } from './node-reader.ts';
import { nodeWrites } from './node-writes.ts';
import type { QueryDialect } from './query-dialect.ts';
import { userQueries } from './user-reader.ts';
import { workspaceQueries } from './workspace-reader.ts';
import { workspaceWrites } from './workspace-writes.ts';

export type Queries = ReturnType<typeof compileQueries>;

/** Every statement of the service for one database, compiled once and shared by all its connections. */
export function compileQueries(dialect: QueryDialect) {
  return {
    workspaces: workspaceQueries(dialect),
    files: fileQueries(dialect),
    nodes: nodeQueries(dialect),
    changes: changeQueries(dialect),
    keys: keyQueries(dialect),
    users: userQueries(dialect),
    blobs: blobQueries(dialect),
    workspaceWrites: workspaceWrites(dialect),
    fileWrites: fileWrites(dialect),
    nodeWrites: nodeWrites(dialect),
    credentialWrites: credentialWrites(dialect),
  };
}
