import type { Reader } from '../../service/ports/reader.ts';
import { createBlobReader } from './blob-reader.ts';
import { createChangeReader } from './change-reader.ts';
import type { Executor } from './executor.ts';
import { createFileReader } from './file-reader.ts';
import { createKeyReader } from './key-reader.ts';
import { createLibraryReader } from './library-reader.ts';
import { createNodeReader } from './node-reader.ts';
import type { Queries } from './queries.ts';
import { createUserReader } from './user-reader.ts';
import { createWorkspaceReader } from './workspace-reader.ts';

/** The reading side of the store over one connection or transaction. */
export function createReader(executor: Executor, queries: Queries): Reader {
  return {
    workspaces: createWorkspaceReader(executor, queries.workspaces),
    files: createFileReader(executor, queries.files),
    nodes: createNodeReader(executor, queries.nodes),
    changes: createChangeReader(executor, queries.changes),
    keys: createKeyReader(executor, queries.keys),
    users: createUserReader(executor, queries.users),
    blobs: createBlobReader(executor, queries.blobs),
    library: createLibraryReader(executor),
  };
}
