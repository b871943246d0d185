import { extendedTools } from '@stoa/contract';
import { type LineRange, parseWorkspacePath, type WorkspacePath } from '@stoa/core';
import { type EditFileOutcome, editFile } from '../../service/editing/edit-file.ts';
import { linesText } from '../counted.ts';
import { quotaResponse } from '../quota-result.ts';
import { type DataResponse, workspaceTool } from '../tool.ts';

export const editFileTool = workspaceTool(extendedTools.editFile, async ({ deps, access, input }) => {
  const path = parseWorkspacePath(input.path);
  const { edits, baseVersion = null } = input;
  const outcome = await editFile(deps.service, access, { path, edits, baseVersion });
  const { text, data } = editResponse(path, outcome);
  if (!outcome.baseUnavailable) return { text, data };
  const note = `Version ${baseVersion} is not there, so the current one was taken.`;
  return { text: `${text} ${note}`, data: { ...data, note } };
});

function editResponse(path: WorkspacePath, outcome: EditFileOutcome): DataResponse {
  switch (outcome.kind) {
    case 'updated':
    case 'unchanged':
      return doneResponse(path, outcome);
    case 'text_not_found': {
      const { edit, closest, alsoSimilar = [], currentVersion, baseVersion } = outcome;
      const where = baseVersion === currentVersion ? path : `version ${baseVersion} of ${path}`;
      const similar = closest === null ? [] : [closest, ...alsoSimilar];
      const lines = similar.map(({ line, text }) => `line ${line} «${text}»`).join(', ');
      const near = closest === null ? '' : ` Most similar: ${lines}.`;
      const one = similar.length === 1 ? 'it is' : 'one of them is';
      const next =
        closest === null
          ? 'Read it again, and copy oldText exactly.'
          : `If ${one} meant, copy it exactly; else read the file again.`;
      return rejected(
        `oldText of edit ${edit} is not in ${where} (version ${currentVersion}).${near}`,
        {
          error: outcome.kind,
          edit,
          currentVersion,
          closest,
          ...(alsoSimilar.length === 0 ? {} : { alsoSimilar }),
        },
        next,
      );
    }
    case 'text_ambiguous': {
      const { edit, occurrences, matches, currentVersion } = outcome;
      const lines = [...new Set(matches.map(({ line }) => line))].join(', ');
      const { text, data } = rejected(
        `oldText of edit ${edit} is there ${occurrences} times, in lines ${lines}${occurrences > matches.length ? ' and more' : ''}.`,
        { error: outcome.kind, edit, currentVersion, occurrences, matches },
        'Add text around it, or set all.',
      );
      const shown = matches.map((match) => `${match.line}: ${match.text}`).join('\n');
      return { text: `${text}\n${path}, version ${currentVersion}:\n${shown}`, data };
    }
    case 'text_changed': {
      const { edit, baseVersion, currentVersion, changedBy, current } = outcome;
      const { label, version } = changedBy;
      return rejected(
        `${label} (version ${version}) changed the text of edit ${edit} since version ${baseVersion}. From line ${current.line} on it reads now:\n${current.text}\n`,
        { error: outcome.kind, edit, baseVersion, currentVersion, changedBy, current },
        `Write your edit against this, with baseVersion ${currentVersion}.`,
      );
    }
    case 'edits_overlap': {
      const { edits } = outcome;
      const next = `Edits ${edits.join(' and ')} overlap: make them one.`;
      return { text: next, data: { ok: false, error: outcome.kind, edits, next } };
    }
    case 'quota_exceeded':
    case 'file_count_exceeded':
    case 'history_exceeded':
      return quotaResponse(outcome);
  }
}

function rejected(what: string, facts: Readonly<Record<string, unknown>>, next: string): DataResponse {
  const text = `Nothing was changed: ${what}${what.endsWith('\n') ? '' : ' '}${next}`;
  return { text, data: { ok: false, ...facts, next } };
}

function doneResponse(
  path: WorkspacePath,
  outcome: Extract<EditFileOutcome, { readonly kind: 'updated' | 'unchanged' }>,
): DataResponse {
  const { kind, version, folded, baseVersion } = outcome;
  const lines = outcome.lines.map(spelled).join();
  const [only] = outcome.lines;
  const reported =
    outcome.lines.length === 1 && only !== undefined ? linesText(only.from, only.to) : `lines ${lines}`;
  const others = outcome.others.map(({ by, ...range }) => ({
    lines: spelled(range),
    by: by.label,
    version: by.version,
  }));
  const done =
    kind === 'updated'
      ? `Updated ${path}, version ${version}: ${reported}.`
      : `Unchanged: ${reported} of ${path} (version ${version}) read so already.`;
  const changes = others.map(
    (each) => `${shownRange(each.lines)} since version ${baseVersion} (${each.by}, version ${each.version})`,
  );
  return {
    text: [
      done,
      ...(changes.length === 0 ? [] : [`Others changed ${changes.join(', ')}.`]),
      ...folded.map((edit) => `Edit ${edit} matched but for white space.`),
    ].join(' '),
    data: {
      ok: true,
      version,
      lines,
      ...(kind === 'unchanged' ? { unchanged: true } : {}),
      ...(others.length === 0 ? {} : { others }),
      ...(folded.length === 0 ? {} : { matched: folded }),
    },
  };
}

/** "line 4" for `4-4`. */
function shownRange(lines: string): string {
  const [from, to] = lines.split('-').map(Number);
  return linesText(from ?? 0, to ?? 0);
}

function spelled({ from, to }: LineRange): string {
  return `${from}-${to}`;
}
