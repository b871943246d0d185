import { createStoaClient } from '@stoa/client';
import { sizeText } from '@stoa/core';
import { ApiKey, isSendableKey } from '../config/api-key.ts';
import { namedSend } from '../config/connect.ts';
import { writeFolderConfig } from '../config/folder-config.ts';
import { parseServerAddress } from '../config/server-address.ts';
import { openServer } from '../link/check-server.ts';
import { chooseAddress, rejectNarrowKey } from '../link/choose-address.ts';
import { type Approval, askForCodes, awaitApproval } from '../link/device-flow.ts';
import { freeFolderName, type PreparedFolder, prepareFolder } from '../link/prepare-folder.ts';
import type { FolderContents } from '../link/survey-folder.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';
import type { Host } from '../output/host.ts';
import { counted } from '../output/human.ts';
import { shownText } from '../output/shown-text.ts';
import type { AddCommand, Context } from './context.ts';
import { readShortInput } from './read-input.ts';
import { shownFolder } from './shown-folder.ts';

export interface LinkFlags {
  /** Rejects a folder that is linked or has files. */
  readonly onlyEmpty?: true;
  readonly allowHttp?: boolean;
  readonly keyStdin?: boolean;
  readonly workspace?: string;
}

interface NewKey {
  readonly apiBase: string;
  readonly apiKey: ApiKey;
  readonly apiKeyId: string | null;
  readonly workspaceId: string;
  readonly workspaceName: string;
}

export interface LinkedFolder {
  readonly folder: string;
  readonly workspaceName: string;
}

export const addLink: AddCommand = ({ command, act }) =>
  command('link', 'link a folder to a workspace; you approve it in the browser')
    .alias('login')
    .argument('<server>', 'address of the server: files.example.org, localhost:4700')
    .argument('[dir]', 'the folder, created if missing (default: the current one)')
    .option('--allow-http', 'send the key over plain http, in a network that you trust')
    .option('--key-stdin', 'read a key from standard input instead of asking a person')
    .option('--workspace <id>', 'with --key-stdin: the workspace')
    .action(
      act(async (context, server: string, dir: string | undefined, flags: LinkFlags) => {
        await linkFolder(context, server, dir ?? context.dir, flags);
        context.output.note('Next: `stoa sync` once, or `stoa watch` to keep it so.');
        return exitCodes.done;
      }),
    );

/** Links a folder with the user's approval or with a given key, and reports the result. */
export async function linkFolder(
  context: Context,
  server: string,
  /** Null: a new folder with the name of the workspace. */
  dir: string | undefined | null,
  flags: LinkFlags,
): Promise<LinkedFolder> {
  const { host, output } = context;
  const allowHttp = flags.allowHttp === true;
  if ((flags.keyStdin === true) !== (flags.workspace !== undefined)) {
    throw new Failure({
      code: 'usage',
      exit: exitCodes.usage,
      message: '--key-stdin and --workspace <id> go together.',
      next: 'Without both, a person approves the link in the app.',
    });
  }
  const typed = parseServerAddress(server, { allowHttp });
  const client = await openServer(host, typed);
  const options = { typed, allowHttp };
  const askForKey = (shown: string) =>
    flags.workspace === undefined
      ? askPerson(context, client, { ...options, shown })
      : readKey(host, typed, flags.workspace);
  let early: NewKey | null = null;
  let prepared: PreparedFolder;
  if (dir === null) {
    early = await askForKey('a new folder');
    prepared = await prepareFolder(host, await freeFolderName(host.cwd, early.workspaceName));
  } else prepared = await prepareFolder(host, dir);
  try {
    const { folder, config, contents } = prepared;
    if (flags.onlyEmpty === true && (config !== null || contents.files > 0)) throw notEmpty(folder);
    const shown = shownFolder(host.home, folder);
    const key = early ?? (await askForKey(shown));
    if (config !== null && config.workspaceId !== key.workspaceId) {
      throw new Failure({
        code: 'other_workspace',
        exit: exitCodes.usage,
        message: `${folder} is linked to another workspace than ${key.workspaceName}.`,
        next: 'Choose another folder, or `stoa unlink` this one first. Revoke the new key in the app.',
      });
    }
    await writeFolderConfig(folder, {
      ...config?.fields,
      api_base: key.apiBase,
      workspace_id: key.workspaceId,
      api_key_id: key.apiKeyId,
      api_key: key.apiKey.reveal(),
      ...(allowHttp ? { allow_http: true } : {}),
    });
    const { workspaceId, workspaceName, apiBase } = key;
    output.data({ event: 'linked', folder, workspaceId, workspaceName, server: apiBase });
    output.line(
      `Linked ${shown} to ${output.paint('bold', shownText(workspaceName))} at ${shownText(apiBase)}.`,
    );
    describeContents(output, contents);
    return { folder, workspaceName };
  } catch (error) {
    await prepared.undo();
    throw error;
  }
}

function notEmpty(folder: string): Failure {
  return new Failure({
    code: 'folder_refused',
    exit: exitCodes.usage,
    message: `${folder} is not empty.`,
    next: 'Choose another folder. To join its files with the workspace, run `stoa link`, then `stoa sync`.',
  });
}

async function askPerson(
  { host, output }: Context,
  client: Awaited<ReturnType<typeof openServer>>,
  options: { readonly typed: string; readonly allowHttp: boolean; readonly shown: string },
): Promise<NewKey> {
  const codes = await askForCodes(client, host.signal);
  output.data({
    event: 'code',
    verification_uri_complete: codes.approvalUrl,
    user_code: codes.userCode,
    expires_in: codes.expiresInSeconds,
  });
  output.line(`To link ${options.shown}, open`);
  output.line(`    ${output.paint('cyan', shownText(codes.approvalUrl))}`);
  output.line(`and check that it shows  ${output.paint('bold', shownText(codes.userCode))}`);
  const minutes = Math.ceil(codes.expiresInSeconds / 60);
  output.note(`Waiting for approval, up to ${counted(minutes, 'minute')} …`);
  const approval = await awaitApproval(client, codes, host);
  if (approval.kind !== 'approved') throw notApproved(approval);
  const { apiKey, apiKeyId, workspaceId } = approval;
  const opened = await chooseAddress(host, { ...options, said: approval.apiBase }, approval);
  if (opened.unusedBase !== null) {
    output.warn(
      `The server says that its address is ${shownText(opened.unusedBase)}, which does not respond here like ${opened.apiBase} does. Its operator can set STOA_BASE_URL.`,
    );
  }
  return { ...opened, apiKey, apiKeyId, workspaceId };
}

function notApproved({ kind }: Exclude<Approval, { kind: 'approved' }>): Failure {
  const again = 'Run `stoa link` again for a new code.';
  switch (kind) {
    case 'denied':
      return rejected('denied', 'The link was denied in the app.', again);
    case 'expired':
      return rejected('expired', 'The link was not approved in time.', again);
    case 'unknown':
      return rejected('unknown_code', 'The server no longer knows the code.', again);
    case 'lost': {
      const time = new Date().toTimeString().slice(0, 5);
      return rejected(
        'key_lost',
        'The link was approved, but the response with its key did not arrive. A key is sent only once.',
        `Run \`stoa link\` again, and revoke the key service-cli made at ${time} in the app.`,
      );
    }
    case 'interrupted':
      return new Failure({
        code: 'interrupted',
        message: 'Not linked: ended before the approval.',
        next: again,
      });
  }
}

function rejected(code: string, message: string, next: string): Failure {
  return new Failure({ code, exit: exitCodes.rejected, message, next });
}

async function readKey(host: Host, apiBase: string, workspaceId: string): Promise<NewKey> {
  const text = (await readShortInput(host.stdin)).trim();
  if (!isSendableKey(text)) {
    throw new Failure({
      code: 'usage',
      exit: exitCodes.usage,
      message: 'Standard input holds no key.',
      next: 'Send the key alone: printf %s "$KEY" | stoa link <server> --key-stdin --workspace <id>',
    });
  }
  const apiKey = new ApiKey(text);
  const client = createStoaClient({ baseUrl: apiBase, apiKey: text, fetch: namedSend(host) });
  const { name } = await client.readWorkspace(workspaceId, { signal: host.signal });
  rejectNarrowKey((await client.workspace({ signal: host.signal })).key);
  return { apiBase, apiKey, apiKeyId: null, workspaceId, workspaceName: name };
}

/** Users who link a full folder want to know what will happen to it. */
function describeContents(output: Context['output'], contents: FolderContents): void {
  if (contents.files === 0) return;
  const { files, bytes, isMore, largest } = contents;
  output.note(
    `It holds ${isMore ? 'more than ' : ''}${counted(files, 'file')}, ${sizeText(bytes)} in all. The largest:`,
  );
  for (const file of largest) output.note(`  ${sizeText(file.bytes).padStart(7)}  ${shownText(file.path)}`);
  output.note('`stoa sync` will join both sides; nothing will be deleted.');
}
