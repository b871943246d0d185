import type { RestoreConflict, RestoredFile, VersionList } from '@stoa/contract';
import { answerOf } from './answer-of.ts';
import { type FileBytes, fileBytesOf } from './file-bytes.ts';
import { type QuotaOutcome, readQuotaOutcome } from './quota-outcome.ts';
import { readApiError, readJson, readOutcome } from './read-json.ts';
import type { CallOptions, Transport } from './transport.ts';
import { workspaceUrl } from './workspace-url.ts';

export type RestoreOutcome =
  | {
      readonly kind: 'restored';
      readonly path: string;
      readonly version: number;
      readonly restoredFrom: number;
    }
  /** Other writes kept winning: the restored bytes are kept at `conflictCopyPath`. */
  | { readonly kind: 'conflict'; readonly currentVersion: number; readonly conflictCopyPath: string }
  | QuotaOutcome;

/** Specification: Endpoints, Files, Version and Restore. Refusals throw `StoaApiError`. */
export interface HistoryCalls {
  readVersion(workspaceId: string, path: string, version: number, options?: CallOptions): Promise<FileBytes>;
  /** Newest first. */
  listVersions(workspaceId: string, path: string, options?: CallOptions): Promise<VersionList>;
  restore(
    workspaceId: string,
    restore: { readonly path: string; readonly targetVersion: number },
    options?: CallOptions,
  ): Promise<RestoreOutcome>;
}

export function historyCalls(transport: Transport): HistoryCalls {
  return {
    readVersion: async (workspaceId, path, version, options = {}) =>
      transport(
        { method: 'GET', path: workspaceUrl(workspaceId, 'version'), query: { path, version }, ...options },
        async (response) => {
          if (response.status !== 200) throw await readApiError(response);
          return fileBytesOf(response);
        },
      ),

    listVersions: async (workspaceId, path, options = {}) =>
      answerOf<VersionList>(transport, {
        method: 'GET',
        path: workspaceUrl(workspaceId, 'versions'),
        query: { path },
        ...options,
      }),

    restore: async (workspaceId, value, options = {}) =>
      transport(
        {
          method: 'POST',
          path: workspaceUrl(workspaceId, 'restore'),
          body: { kind: 'json', value },
          ...options,
        },
        restoreOutcomeOf,
      ),
  };
}

async function restoreOutcomeOf(response: Response): Promise<RestoreOutcome> {
  switch (response.status) {
    case 200:
      return { kind: 'restored', ...(await readJson<RestoredFile>(response)) };
    case 409: {
      // Only under this name: a folder in the way is a refusal.
      const { current_version, conflict_copy_path } = await readOutcome<RestoreConflict>(response, [
        'restore_conflicted',
      ]);
      return { kind: 'conflict', currentVersion: current_version, conflictCopyPath: conflict_copy_path };
    }
    case 507:
      return readQuotaOutcome(response);
    default:
      throw await readApiError(response);
  }
}
