import { createStoaClient, StoaApiError, StoaConnectionError } from '@stoa/client';
import { namedFetch } from '../config/connect.ts';
import { readFolderSource } from '../config/source.ts';
import { isWorkedOn, openFolder, readState } from '../create-engine.ts';
import { requireYes } from '../output/ask.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';
import { counted } from '../output/human.ts';
import { shownText } from '../output/shown-text.ts';
import type { AddCommand, Context } from './context.ts';
import { failureOf } from './failure-of.ts';
import { shownFolder } from './shown-folder.ts';

interface Finding {
  readonly what: string;
  readonly isGood: boolean;
  readonly detail: string;
}

/** Memory and the list grow with it. */
const manyFiles = 200_000;

export const addDoctor: AddCommand = ({ command, act }) =>
  command('doctor', 'look for what keeps sync from working')
    .option('--resync', 'forget what is known of both sides and join them anew; nothing is deleted')
    .action(
      act(async (context, { resync = false }: { readonly resync?: boolean }) => {
        const { host, output, dir, yes } = context;
        const source = await readFolderSource(host.cwd, dir);
        if (resync) {
          await requireYes(
            host,
            'Join both sides anew? Nothing is deleted; what differs is kept beside each other.',
            yes,
          );
          await forgetState(source.folder);
          output.data({ resync: true });
          output.line('Done. The next `stoa sync` joins both sides.');
          return exitCodes.done;
        }
        const findings = [
          {
            what: 'folder',
            isGood: true,
            detail: `${shownFolder(host.home, source.folder)}, configuration readable by you alone`,
          },
          await lookAtServer(context, source),
          ...(await lookAtState(source.folder)),
        ];
        output.data({ problems: findings.filter(({ isGood }) => !isGood), findings });
        for (const { what, isGood, detail } of findings) {
          const mark = isGood ? output.paint('green', 'good') : output.paint('red', 'bad ');
          output.line(`${mark}  ${what.padEnd(8)} ${detail}`);
        }
        return findings.every(({ isGood }) => isGood) ? exitCodes.done : exitCodes.failed;
      }),
    );

async function lookAtServer(
  { host }: Context,
  { apiBase, apiKey, workspaceId }: Awaited<ReturnType<typeof readFolderSource>>,
): Promise<Finding> {
  const client = createStoaClient({ baseUrl: apiBase, apiKey: apiKey.reveal(), fetch: namedFetch(host) });
  try {
    const { name } = await client.readWorkspace(workspaceId, { signal: host.signal });
    return { what: 'server', isGood: true, detail: `${shownText(apiBase)} opens ${shownText(name)}` };
  } catch (error) {
    if (!(error instanceof StoaApiError || error instanceof StoaConnectionError)) throw error;
    const { message, next } = failureOf(error);
    return { what: 'server', isGood: false, detail: shownText(`${message} ${next ?? ''}`) };
  }
}

async function lookAtState(folder: string): Promise<readonly Finding[]> {
  const found = await readState(folder, async (state) => ({
    meta: await state.readMeta(),
    counts: await state.readCounts(),
  }));
  if (found === null)
    return [{ what: 'state', isGood: true, detail: 'nothing yet: this folder was never synced' }];
  const { meta, counts } = found;
  const { files, intents, holds } = counts;
  const working = isWorkedOn(folder);
  return [
    { what: 'state', isGood: true, detail: `${counted(files, 'file')} at change ${meta.cursor}` },
    working
      ? { what: 'lock', isGood: true, detail: 'another stoa works on it now' }
      : { what: 'lock', isGood: true, detail: 'free' },
    ...(files > manyFiles
      ? [{ what: 'size', isGood: false, detail: `more than ${manyFiles} files: memory grows with them` }]
      : []),
    ...(holds > 0
      ? [{ what: 'held', isGood: false, detail: 'something waits for you: stoa status --verbose' }]
      : []),
    ...(intents > 0 && !working
      ? [
          {
            what: 'ended',
            isGood: false,
            detail: `${counted(intents, 'thing')} begun and not ended: the next stoa sync ends them`,
          },
        ]
      : []),
  ];
}

async function forgetState(folder: string): Promise<void> {
  const opened = await openFolder(folder);
  if (opened === null) {
    throw new Failure({
      code: 'busy',
      exit: exitCodes.busy,
      message: `Another stoa works on ${folder}.`,
      next: 'End it first.',
    });
  }
  try {
    await opened.store.commit(
      [
        { table: 'all', kind: 'clear' },
        { table: 'meta', values: { phase: null, cursor: 0, lastRecord: null } },
      ],
      'durable',
    );
  } finally {
    await opened[Symbol.asyncDispose]();
  }
}
