import type { BackEnd } from './back-end.ts';
import { findSwift } from './swift/find-swift.ts';

/** The servers that a back end needs: one of each for all test files of a run. */
export interface BackEndServers extends AsyncDisposable {
  /** The variables by which the test files find them. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Address and credentials of the object store, with the bucket that the tests share. */
export interface ObjectStoreAccess {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export const postgresVariable = 'STOA_TEST_POSTGRES_URL';
export const objectStoreVariable = 'STOA_TEST_OBJECT_STORE';
const bucket = 'stoa-tests';

/** The reason why the back end cannot be tested here, with the command that changes that; null when it can. */
export async function missingFor(backEnd: BackEnd): Promise<string | null> {
  if (backEnd !== 'postgres-s3') return null;
  const found = await findSwift();
  return found.kind === 'found' ? null : found.reason;
}

export async function startBackEndServers(backEnd: BackEnd): Promise<BackEndServers> {
  switch (backEnd) {
    case 'sqlite-disk':
      return { variables: {}, async [Symbol.asyncDispose]() {} };
    case 'postgres-disk':
      return await startDatabases();
    case 'postgres-s3': {
      const databases = await startDatabases();
      try {
        return bothOf(databases, await startObjects());
      } catch (error) {
        await databases[Symbol.asyncDispose]();
        throw error;
      }
    }
  }
}

async function startDatabases(): Promise<BackEndServers> {
  // Imported here, like the client of object stores below, because most test files need none of them.
  const { startPostgres } = await import('./postgres.ts');
  const server = await startPostgres();
  return {
    variables: { [postgresVariable]: server.url('postgres') },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function startObjects(): Promise<BackEndServers> {
  const { startObjectStore } = await import('./object-store.ts');
  const store = await startObjectStore();
  const { endpoint, region, accessKeyId, secretAccessKey } = store;
  await store.createBucket(bucket);
  const access: ObjectStoreAccess = { endpoint, region, bucket, accessKeyId, secretAccessKey };
  return {
    variables: { [objectStoreVariable]: JSON.stringify(access) },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

function bothOf(one: BackEndServers, other: BackEndServers): BackEndServers {
  return {
    variables: { ...one.variables, ...other.variables },
    async [Symbol.asyncDispose]() {
      await Promise.all([one[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
    },
  };
}
