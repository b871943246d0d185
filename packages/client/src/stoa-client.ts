import { type AccountCalls, accountCalls } from './account-calls.ts';
import { type CommentCalls, commentCalls } from './comment-calls.ts';
import { type DeviceCalls, deviceCalls } from './device-calls.ts';
import { type FeedCalls, feedCalls } from './feed-calls.ts';
import { type FileCalls, fileCalls } from './file-calls.ts';
import { type FolderCalls, folderCalls } from './folder-calls.ts';
import { type HistoryCalls, historyCalls } from './history-calls.ts';
import { type IconCalls, iconCalls } from './icon-calls.ts';
import { type MemberCalls, memberCalls } from './member-calls.ts';
import { type ShareCalls, shareCalls } from './share-calls.ts';
import { createTransport, type TransportOptions } from './transport.ts';
import { type WorkspaceCalls, workspaceCalls } from './workspace-calls.ts';

export interface StoaClient
  extends FileCalls,
    FolderCalls,
    HistoryCalls,
    FeedCalls,
    IconCalls,
    MemberCalls,
    ShareCalls,
    WorkspaceCalls,
    AccountCalls,
    CommentCalls,
    DeviceCalls {}

/**
 * A client of a service. Outcomes that are data (a lost race, a full workspace, a missing precondition) are returned
 * as unions with a `kind`; every other refusal throws `StoaApiError`, a missing answer `StoaConnectionError`. Nothing is
 * tried again by itself.
 *
 * @throws TypeError when `baseUrl` is not an http or https address.
 */
export function createStoaClient(options: TransportOptions): StoaClient {
  const transport = createTransport(options);
  return {
    ...fileCalls(transport),
    ...folderCalls(transport),
    ...historyCalls(transport),
    ...feedCalls(transport),
    ...iconCalls(transport),
    ...memberCalls(transport),
    ...shareCalls(transport),
    ...workspaceCalls(transport),
    ...accountCalls(transport),
    ...commentCalls(transport),
    ...deviceCalls(transport),
  };
}
