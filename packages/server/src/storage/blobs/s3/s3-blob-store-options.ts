import type { Patience } from './object-store.ts';
import type { ObjectPlace } from './parse-blob-url.ts';

export interface S3BlobStoreOptions {
  /** From `parseBlobUrl`. Credentials come from the AWS environment variables or from what the machine is given. */
  readonly place: ObjectPlace;
  readonly patience?: Partial<Patience>;
  /** What one request copies, at least 5 MiB. Usually 128 MiB. */
  readonly copyPartBytes?: number;
  /** Something went wrong beside a request, or in a way that only the operator can mend. */
  readonly reportProblem: (message: string, cause: unknown) => void;
}
