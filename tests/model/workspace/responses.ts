import { sha256, type Version } from './facts.ts';

/** The response that the service must give. `null` for parts that are not compared. */
export interface Expected {
  readonly status: number;
  /** The whole JSON body. Of an error only the status is compared. */
  readonly json?: Readonly<Record<string, unknown>>;
  readonly bytes?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const error = (status: number): Expected => ({ status });

export function stale(currentVersion: number): Expected {
  return { status: 412, json: { error: 'version_conflict', current_version: currentVersion } };
}

export function readOf(version: Version): Expected {
  return {
    status: 200,
    bytes: version.content,
    headers: {
      etag: `"${version.version}"`,
      'x-service-version': String(version.version),
      'x-service-content-hash': sha256(version.content),
      'content-type': version.contentType,
    },
  };
}
