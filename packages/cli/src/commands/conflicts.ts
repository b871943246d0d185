import type { FileFacts } from '@stoa/client';
import { sizeText, type WorkspacePath } from '@stoa/core';
import { findLinkedFolder } from '../config/find-folder.ts';
import { readState } from '../create-engine.ts';
import type { StateReader } from '../engine/ports/state-store.ts';
import {
  type KnownCopies,
  keepMine,
  keepTheirs,
  listCopies,
  mergeCopy,
  originalOf,
  readText,
} from '../files/conflicted-copies.ts';
import { parsePathArgument } from '../files/path-argument.ts';
import { aboutFile } from '../files/read-file.ts';
import { openWorkspace, type Workspace } from '../files/workspace.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';
import { shownTime } from '../output/human.ts';
import { shownText } from '../output/shown-text.ts';
import { unifiedDiff } from '../output/unified-diff.ts';
import type { AddCommand, Context } from './context.ts';

const conflictsKept = 100_000;

export const addConflicts: AddCommand = ({ command, act }) => {
  const conflicts = command('conflicts', 'list and resolve conflicted copies');
  conflicts
    .command('list', { isDefault: true })
    .description('list each copy with its file')
    .action(
      act(async ({ host, output, dir }) => {
        const workspace = await openOwn(host, dir);
        const copies = await listCopies(workspace, await readKnown(workspace));
        output.data({ conflicts: copies.map(({ copy, ...rest }) => ({ path: copy, ...rest })) });
        for (const { copy, of, size, ofSize, writer, at } of copies) {
          output.line(shownText(copy));
          const there = ofSize === null ? 'which is gone' : sizeText(ofSize);
          const facts = [sizeText(size), shownText(writer), at === null ? '' : shownTime(at)];
          const reported = facts.filter((fact) => fact !== '').join(', ');
          output.line(`    ${reported}; of ${shownText(of)}, ${there}`);
        }
        output.note(
          copies.length === 0
            ? 'There are no conflicted copies.'
            : 'Compare: stoa conflicts show <copy>. Settle: stoa conflicts keep <copy> --mine or --theirs.',
        );
        return exitCodes.done;
      }),
    );
  conflicts
    .command('show')
    .description('show the differences between a copy and its file')
    .argument('<copy>')
    .action(
      act(async (context, typed: string) => {
        const { workspace, copy, of } = await openCopy(context, typed);
        const { output } = context;
        const [theirs, mine] = await Promise.all([readText(workspace, of), readText(workspace, copy)]).catch(
          (error: unknown) => {
            if (error instanceof Failure && error.code === 'not_text') return [null, null];
            throw error;
          },
        );
        if (theirs === null || mine === null) {
          const [other, one] = await readFacts(workspace, [copy, of]);
          output.data({
            path: copy,
            of,
            size: other.sizeBytes,
            ofSize: one.sizeBytes,
            hash: other.contentHash,
            ofHash: one.contentHash,
          });
          output.line(factsText(of, one));
          output.line(factsText(copy, other));
          return exitCodes.done;
        }
        const diff = unifiedDiff(theirs, mine);
        output.data({ path: copy, of, diff });
        output.line(`--- ${shownText(of)}`);
        output.line(`+++ ${shownText(copy)}`);
        for (const line of diff) output.line(painted(output, shownText(line)));
        return exitCodes.done;
      }),
    );
  conflicts
    .command('keep')
    .description('resolve a conflict: use the copy, or delete it')
    .argument('<copy>')
    .option('--mine', 'make the copy the next version of the file')
    .option('--theirs', 'keep the file and delete the copy')
    .action(
      act(
        async (
          context,
          typed: string,
          { mine = false, theirs = false }: { readonly mine?: boolean; readonly theirs?: boolean },
        ) => {
          if (mine === theirs) {
            throw new Failure({
              code: 'usage',
              exit: exitCodes.usage,
              message: 'Say which text stays.',
              next: '--mine for that of the copy, --theirs for that of the file. Both stay in the history.',
            });
          }
          const { workspace, copy, of } = await openCopy(context, typed);
          if (theirs) await keepTheirs(workspace, copy, of);
          printSettled(context, copy, mine ? await keepMine(workspace, copy, of) : { of, version: null });
          return exitCodes.done;
        },
      ),
    );
  conflicts
    .command('merge')
    .description('merge both texts if no changes overlap')
    .argument('<copy>')
    .action(
      act(async (context, typed: string) => {
        const { workspace, copy, of } = await openCopy(context, typed);
        const outcome = await mergeCopy(workspace, copy, of);
        if (outcome.kind === 'merged') {
          printSettled(context, copy, outcome);
          return exitCodes.done;
        }
        if (outcome.kind === 'no_base') throw noBase(copy);
        const lines = outcome.lines.join(', ') + (outcome.more === 0 ? '' : `, … (${outcome.more} more)`);
        throw new Failure({
          code: 'overlaps',
          message: `Both changed the same text, at line ${lines} of ${of}. Nothing was changed.`,
          next: `Compare them: stoa conflicts show "${copy}"`,
        });
      }),
    );
  return conflicts;
};

function printSettled(
  { output }: Context,
  copy: WorkspacePath,
  { of, version }: { readonly of: WorkspacePath; readonly version: number | null },
): void {
  output.data({ settled: copy, of, version });
  output.line(
    version === null
      ? `${shownText(of)} stays; the copy is gone.`
      : `${shownText(of)} ${version}; the copy is gone.`,
  );
}

/** Opens the current linked folder, if there is one, whatever the environment names. */
async function openOwn(host: Context['host'], dir: string | undefined): Promise<Workspace> {
  return openWorkspace(host, dir ?? (await findLinkedFolder(host.cwd)) ?? undefined);
}

async function openCopy({ host, dir }: Context, typed: string) {
  const workspace = await openOwn(host, dir);
  const copy = parsePathArgument(workspace, typed);
  return { workspace, copy, of: originalOf(copy, await readKnown(workspace)) };
}

/** Conflicted copies in the local state. Further copies are known by their names only. */
async function readKnown({ source }: Workspace): Promise<KnownCopies> {
  const read = (state: StateReader) => state.listConflicts(conflictsKept);
  const rows = source.kind === 'folder' ? ((await readState(source.folder, read)) ?? []) : [];
  return new Map(rows.map(({ copyPath, ofPath }) => [copyPath, ofPath]));
}

/** Facts of two files that are not compared as text. */
function readFacts({ client, workspaceId, signal }: Workspace, [copy, of]: [WorkspacePath, WorkspacePath]) {
  const read = (path: WorkspacePath) => aboutFile(path, client.headFile(workspaceId, path, { signal }));
  return Promise.all([read(copy), read(of)]);
}

function factsText(path: WorkspacePath, { sizeBytes, contentHash }: FileFacts): string {
  const size = sizeBytes === null ? 'size unknown' : sizeText(sizeBytes);
  return [shownText(path), size, contentHash ?? ''].join('  ');
}

function noBase(copy: WorkspacePath): Failure {
  return new Failure({
    code: 'no_base',
    message: 'It is not known what both texts began from.',
    next: `Compare them: stoa conflicts show "${copy}"`,
  });
}

function painted({ paint }: Context['output'], line: string): string {
  if (line.startsWith('+')) return paint('green', line);
  if (line.startsWith('-')) return paint('red', line);
  return line.startsWith('@@') ? paint('cyan', line) : line;
}
