import { extendedTools, unmergedConflictBody } from '@stoa/contract';
import { type ConflictKeep, type OverlapTexts, parseWorkspacePath, type WorkspacePath } from '@stoa/core';
import { resolveConflict } from '../../service/conflicts/resolve-conflict.ts';
import { quotaResponse } from '../quota-result.ts';
import { type DataResponse, workspaceTool } from '../tool.ts';

export const resolveConflictTool = workspaceTool(
  extendedTools.resolveConflict,
  async ({ deps, access, input }) => {
    const copy = parseWorkspacePath(input.path);
    const { keep } = input;
    const outcome = await resolveConflict(deps.service, access, { copy, keep });
    switch (outcome.kind) {
      case 'resolved': {
        const { path, version, merged } = outcome;
        return {
          text: `${doneAs(keep, path, version)} ${copy} is deleted.`,
          data: { ok: true, path, version, merged },
        };
      }
      case 'overlapping':
        return overlapResponse(outcome.path, outcome.overlaps);
      case 'no_base': {
        const next = `Read both. Put what is missing into ${outcome.path} with edit_file, then call this again with keep: current.`;
        return {
          text: `Nothing was changed: it is not known which version the copy was written from. ${next}`,
          data: { ok: false, error: outcome.kind, next },
        };
      }
      case 'quota_exceeded':
      case 'file_count_exceeded':
      case 'history_exceeded':
        return quotaResponse(outcome);
    }
  },
);

function doneAs(keep: ConflictKeep, path: WorkspacePath, version: number): string {
  switch (keep) {
    case 'merge':
      return `Merged the changes of both since the base of the copy: ${path}, version ${version}.`;
    case 'current':
      return `Kept ${path} as it is, version ${version}.`;
    case 'copy':
      return `Kept what the copy has: ${path}, version ${version}.`;
  }
}

function overlapResponse(path: WorkspacePath, overlaps: OverlapTexts): DataResponse {
  const next = `Put what is missing into ${path} with edit_file, then call this again with keep: current. keep: copy takes the copy's text instead.`;
  const { moreHunks, ...body } = unmergedConflictBody(overlaps);
  const shown = body.hunks.map(
    ({ line, base, current, copy }) =>
      `Line ${line}, in the base:\n${base}\nin ${path}:\n${current}\nin the copy:\n${copy}`,
  );
  const count = body.hunks.length + moreHunks;
  const locations = count === 1 ? 'in 1 place' : `in ${count} places`;
  return {
    text: `Nothing was changed: both changed the same lines ${locations}. ${next}\n${shown.join('\n')}`,
    data: { ...body, ...(moreHunks === 0 ? {} : { moreHunks }), next },
  };
}
