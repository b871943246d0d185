import {
  type CheckReport,
  checkInstallation,
  type Problem,
} from '../../service/checking/check-installation.ts';
import { checkWordIndex, type WordIndexReport } from '../../service/checking/check-word-index.ts';
import type { AdminDeps, Command, CommandInput, CommandResult } from '../command.ts';

/** Number of problems printed for each rule; `--json` has more. */
const printedMax = 5;

export const check: Command = {
  name: 'check',
  summary:
    'Check all stored data, and change nothing. The service may run. Exit code 3: problems were found.',
  operands: [],
  audit: 'nothing changes',
  options: {
    contents: {
      type: 'boolean',
      required: false,
      says: 'also read and hash every stored byte; without it, large contents are only checked for existence',
    },
  },
  async run({ service, openBlobs, openWordIndex }, { options, progress }) {
    const { store } = service;
    const deps = { store, blobs: await openBlobs() };
    const report = await checkInstallation(deps, { readBytes: options.contents === true }, progress);
    const contentIndex = await readIndexState({ service, openWordIndex }, progress);
    const { json, text, ...result } = resultOf(report);
    return {
      ...result,
      json: { ...json, contentIndex },
      text: `${text}\n\n${indexText(contentIndex)}`,
    };
  },
};

type IndexState = WordIndexReport | { readonly unreadable: string };

/** The index can be rebuilt: no fault of it fails the check. */
async function readIndexState(
  { service: { store }, openWordIndex }: Pick<AdminDeps, 'service' | 'openWordIndex'>,
  progress: CommandInput['progress'],
): Promise<IndexState> {
  try {
    const wordIndex = await openWordIndex();
    try {
      return await checkWordIndex({ store, wordIndex }, progress);
    } finally {
      await wordIndex[Symbol.asyncDispose]();
    }
  } catch (error) {
    return { unreadable: error instanceof Error ? error.message : String(error) };
  }
}

function indexText(state: IndexState): string {
  if ('unreadable' in state) return `The content index could not be read: ${state.unreadable}`;
  const { bytes, entries, missing } = state;
  const lacks =
    missing === 0
      ? 'none is missing'
      : `${missing} are missing, which the service adds. Until then searches read them`;
  return `The content index has ${entries} contents in ${bytes} bytes; ${lacks}.`;
}

/** Combines the report of a check with the result of the work before it. */
export function resultOf(
  report: CheckReport,
  before: Pick<CommandResult, 'json' | 'text'> | null = null,
): CommandResult {
  const { problems, checked } = report;
  return {
    json: { ...before?.json, problems, checked },
    text: before === null ? textOf(report) : `${before.text}\n${textOf(report)}`,
    foundProblems: problems.length > 0,
  };
}

function textOf({ problems, checked }: CheckReport): string {
  const { workspaces, changes, versions, files, contents, bytesRead } = checked;
  const bytes =
    bytesRead > 0 ? `, ${bytesRead} bytes read` : '; large contents were not read (--contents reads them)';
  const looked = `Looked at ${workspaces} workspaces, ${changes} changes, ${versions} versions, ${files} files, ${contents} contents${bytes}.`;
  if (problems.length === 0) return `${looked}\nNothing is wrong.`;
  return [looked, ...problems.map(problemText), 'docs/operations.md explains each name and what to do.'].join(
    '\n\n',
  );
}

function problemText({ rule, says, found, more }: Problem): string {
  const printed = found.slice(0, printedMax);
  const lines = printed.flatMap(({ workspaceId, subject, versions = [], furtherVersions = 0 }) => [
    `  ${workspaceId === null ? '' : `${workspaceId} `}${subject}`,
    ...versions.map((version) => `    ${version}`),
    ...(furtherVersions > 0 ? [`    and ${furtherVersions} other versions`] : []),
  ]);
  const left = found.length - printed.length;
  const rest = more ? ['  and more'] : left > 0 ? [`  and ${left} more (--json names them)`] : [];
  return [`${rule}: ${says}`, ...lines, ...rest].join('\n');
}
