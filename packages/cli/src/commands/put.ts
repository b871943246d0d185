import { basename, resolve } from 'node:path';
import type { WriteOutcome } from '@stoa/client';
import type { WorkspacePath } from '@stoa/core';
import { readState } from '../create-engine.ts';
import { parseTargetArgument } from '../files/path-argument.ts';
import { openWorkspace, type Workspace } from '../files/workspace.ts';
import { type Over, openLocalFile, writeFile } from '../files/write-file.ts';
import { type ExitCode, exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';
import { startProgress } from '../output/progress.ts';
import { shownText } from '../output/shown-text.ts';
import type { AddCommand, Context } from './context.ts';
import { wholeNumber } from './parse-words.ts';
import { printCopy } from './print-copy.ts';
import { quotaFailure } from './quota-failure.ts';

interface Flags {
  readonly base?: number;
  readonly replace?: boolean;
  readonly type?: string;
}

export const addPut: AddCommand = ({ command, act }) =>
  command('put', 'write a file; replaces only a version that you name')
    .argument('<path>', 'path of the file; ending in / or . a folder for it')
    .argument('[file]', 'local file, or - for standard input')
    .option('--base <n>', 'replace this version only', wholeNumber(1))
    .option('--replace', 'replace any version')
    .option('--type <type>', 'media type (default: by the extension)')
    .action(
      act(async (context, typed: string, file: string | undefined, flags: Flags) => {
        if (flags.base !== undefined && flags.replace === true) {
          throw new Failure({
            code: 'usage',
            exit: exitCodes.usage,
            message: '--base and --replace exclude each other.',
            next: 'With --base only that version is replaced; with --replace whatever is there.',
          });
        }
        const workspace = await openWorkspace(context.host, context.dir);
        const isNamed = file !== undefined && file !== '-';
        const path = parseTargetArgument(
          workspace,
          typed,
          isNamed ? basename(resolve(context.host.cwd, file)) : null,
        );
        const source = await openSource(context, workspace, path, file);
        const progress = startProgress(context.output, context.host.pace, 'Waiting for the server …');
        progress.expect({ up: 0, down: 0, bytes: source.sizeBytes });
        const outcome = await writeFile(workspace, path, source.stream, {
          over: await overOf(workspace, path, flags),
          contentType: flags.type,
          onBytes: (bytes) => progress.moved(path, bytes),
        }).finally(progress.end);
        return report(context, path, outcome);
      }),
    );

async function overOf(
  { source }: Workspace,
  path: WorkspacePath,
  { base: version, replace }: Flags,
): Promise<Over> {
  if (version !== undefined) {
    const known =
      source.kind === 'folder' ? await readState(source.folder, (state) => state.readBaseFile(path)) : null;
    const contentHash = known?.version === version ? { contentHash: known.hash } : {};
    return { kind: 'base', version, ...contentHash };
  }
  return { kind: replace === true ? 'whatever-is-there' : 'nothing' };
}

/** In a linked folder, a path alone means the local file; elsewhere it means standard input. */
async function openSource(
  { host }: Context,
  { source }: Workspace,
  path: WorkspacePath,
  file: string | undefined,
) {
  if (file === '-' || (file === undefined && source.kind === 'environment')) {
    return { stream: host.stdin, sizeBytes: null };
  }
  if (file !== undefined) return openLocalFile(resolve(host.cwd, file));
  return openLocalFile(source.kind === 'folder' ? resolve(source.folder, path) : path);
}

function report({ output }: Context, path: WorkspacePath, outcome: WriteOutcome): ExitCode {
  switch (outcome.kind) {
    case 'created':
    case 'updated':
    case 'unchanged':
      output.data({ path: outcome.path, version: outcome.version, outcome: outcome.kind });
      output.line(`${shownText(outcome.path)} ${outcome.version}`);
      return exitCodes.done;
    case 'conflict':
      return printCopy(
        { output },
        path,
        outcome,
        `Another user wrote ${shownText(path)} first: it is at version ${outcome.currentVersion}. Your bytes are kept in the copy named above.`,
      );
    case 'precondition_required':
      throw new Failure({
        code: 'exists',
        message: `${path} is there already. Nothing was written.`,
        next: `Read it with \`stoa cat\`, then say --base <version>, or --replace for whatever is there.`,
      });
    case 'refused':
      throw new Error('a write was rejected without a precondition');
    default:
      throw quotaFailure(outcome);
  }
}
