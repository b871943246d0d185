import { StoaApiError, StoaConnectionError } from '@stoa/client';
import { placeholderName } from '@stoa/core';
import { client } from '../api/client.ts';
import { whyNotRestored } from '../api/restore.ts';
import { files as texts } from '../text/en/files.ts';
import { joinPath } from './folder-contents.ts';
import type { PlanWorker, StepResponse } from './run-plan.ts';
import type { FileStep } from './work-plan.ts';

/** A placeholder has one byte, because the server rejects empty files. */
const placeholderText = '\n';

/** Runs steps through the API client. */
export function planWorker(workspaceId: string): PlanWorker {
  async function change(step: FileStep): Promise<StepResponse> {
    switch (step.kind) {
      case 'move': {
        const { kind } = await client.move(workspaceId, { from: step.from, to: step.to });
        return kind === 'moved' ? { kind: 'done' } : changed;
      }
      case 'delete':
        return step.version === null
          ? deleteCurrent(workspaceId, step.path)
          : (await client.deleteFile(workspaceId, step.path, step.version, hashOf(step))).kind === 'deleted'
            ? { kind: 'done' }
            : changed;
      case 'restore': {
        const outcome = await client.restore(workspaceId, {
          path: step.path,
          targetVersion: step.version,
          ...hashOf(step),
        });
        if (outcome.kind === 'restored') return { kind: 'done' };
        // In a full workspace the next restore would fail as well.
        return outcome.kind === 'conflict'
          ? failed(whyNotRestored(outcome), true)
          : noRoom(whyNotRestored(outcome));
      }
    }
  }

  return {
    change: (step) => responded(() => change(step), step.kind === 'restore' ? null : 'not_needed'),
    keepFolder: (folder) =>
      responded(async () => {
        // No precondition: an existing placeholder stays as it is (428).
        const path = joinPath(folder, placeholderName);
        const outcome = await client.writeFile(workspaceId, path, placeholderText, { kind: 'none' });
        const kept = outcome.kind === 'created' || outcome.kind === 'precondition_required';
        return kept ? { kind: 'done' } : noRoom(texts.workspaceFull);
      }, null),
    moveFolder: (folder) =>
      responded(async () => {
        await client.moveFolder(workspaceId, folder);
        return { kind: 'done' };
      }, null),
  };
}

function hashOf({ contentHash }: { readonly contentHash?: string }) {
  return contentHash === undefined ? {} : { contentHash };
}

const changed: StepResponse = { kind: 'failed', failure: { kind: 'changed' }, goOn: true };

function failed(message: string, goOn: boolean): StepResponse {
  return { kind: 'failed', failure: { kind: 'refused', message }, goOn };
}

function noRoom(message: string): StepResponse {
  return { kind: 'failed', failure: { kind: 'refused', message, noRoom: true }, goOn: false };
}

async function deleteCurrent(workspaceId: string, path: string): Promise<StepResponse> {
  const { entries } = await client.list(workspaceId, { prefix: path });
  const entry = entries.find((each) => each.path === path);
  if (entry === undefined) return { kind: 'not_needed' };
  const { kind } = await client.deleteFile(workspaceId, path, entry.version);
  return kind === 'deleted' ? { kind: 'done_as', version: entry.version } : changed;
}

/** @param whenAbsent meaning of a 404: another user did it already, or null for a failure like any other */
async function responded(
  ask: () => Promise<StepResponse>,
  whenAbsent: 'not_needed' | null,
): Promise<StepResponse> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof StoaApiError) {
      if (error.status === 404 && whenAbsent !== null) return { kind: whenAbsent };
      // Signed out, read-only or rate limited: the next step would fail as well.
      return failed(error.message, ![401, 402, 429, 503].includes(error.status));
    }
    if (error instanceof StoaConnectionError) return failed(texts.noResponse, false);
    throw error;
  }
}
