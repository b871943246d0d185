import type {
  ApproveDeviceInput,
  ChangePage,
  ChangesSince,
  ConflictKeep,
  CreateInviteInput,
  CreateKeyInput,
  CreateShareBody,
  CreateWorkspaceInput,
  DetailedFileList,
  FileList,
  MemberRecord,
  NodeKind,
  ReclaimDepartedInput,
  ReplyInput,
  RouteId,
  RouteQueryInput,
  StartThreadInput,
  UndoInput,
  UpdateWorkspaceInput,
} from '@stoa/contract';
import { routeOutlines as routes } from '@stoa/contract/outlines';
import { authCalls } from './auth-calls.ts';
import { type CallOptions, createCall, type RouteInput, type RouteReply, type Routes } from './call.ts';
import { writeEmptyFile } from './empty-file.ts';
import { StoaApiError } from './errors.ts';
import {
  contentTypeOf,
  createWorkspaceOutcome,
  deleteOutcome,
  type EmptyFilePrecondition,
  type FileFacts,
  fileBytes,
  fileFacts,
  moveOutcome,
  type Precondition,
  type ReadOutcome,
  resolveConflictOutcome,
  restoreOutcome,
  startThreadOutcome,
  type WriteOutcome,
  writeOutcome,
} from './outcomes.ts';
import { createTransport, type FileContent, type TransportOptions } from './transport.ts';

export type StoaClient = ReturnType<typeof createStoaClient>;

/**
 * A client of a service: `call` for every route of the contract, and a method for most of them. Outcomes that are data
 * (a lost race, a full workspace, a missing precondition) are returned as unions with a `kind`; every other refusal
 * throws `StoaApiError`, a missing answer `StoaConnectionError`. Nothing is tried again by itself.
 *
 * @throws TypeError when `baseUrl` is not an http or https address.
 */
export function createStoaClient(options: TransportOptions) {
  const send = createTransport(options);
  const call = createCall(send);

  /** For routes whose only described answers are successes. */
  async function ask<const Id extends RouteId>(
    route: { readonly id: Id },
    input: RouteInput<Routes[Id]>,
    options?: CallOptions,
  ): Promise<RouteReply<Routes[Id]>['body']> {
    return (await call(route, input, options)).body;
  }

  function list(
    workspaceId: string,
    options: CallOptions & { readonly prefix?: string; readonly details: true },
  ): Promise<DetailedFileList>;
  function list(workspaceId: string, options?: CallOptions & { readonly prefix?: string }): Promise<FileList>;
  /** With `details`: content hash, last change and front matter of each file. */
  async function list(
    workspaceId: string,
    { prefix, details, ...options }: CallOptions & { readonly prefix?: string; readonly details?: true } = {},
  ): Promise<FileList> {
    return ask(routes.listFiles, { params: { workspaceId }, query: { prefix, details } }, options);
  }

  return {
    call,
    auth: authCalls(send),

    health: (options?: CallOptions) => ask(routes.readHealth, {}, options),
    plans: (options?: CallOptions) => ask(routes.listPlans, {}, options),
    /** Who may sign up, and where the app is. Anybody may ask. */
    readSignUp: (options?: CallOptions) => ask(routes.readSignUp, {}, options),
    me: (options?: CallOptions) => ask(routes.readMe, {}, options),

    /** Keys are managed with a session only. */
    createKey: (body: CreateKeyInput, options?: CallOptions) => ask(routes.createKey, { body }, options),
    listKeys: (options?: CallOptions) => ask(routes.listKeys, {}, options),
    revokeKey: (keyId: string, options?: CallOptions) =>
      ask(routes.revokeKey, { params: { keyId } }, options),

    /** The workspace of a scoped key, else the caller's oldest one. */
    workspace: (options?: CallOptions) => ask(routes.findOwnWorkspace, {}, options),
    /** With a session only. */
    listWorkspaces: (options?: CallOptions) => ask(routes.listWorkspaces, {}, options),
    /** With a session only. */
    createWorkspace: async (body: CreateWorkspaceInput, options?: CallOptions) =>
      createWorkspaceOutcome(await call(routes.createWorkspace, { body }, options)),
    readWorkspace: (workspaceId: string, options?: CallOptions) =>
      ask(routes.readWorkspace, { params: { workspaceId } }, options),
    /** Fields left out stay; null clears. */
    updateWorkspace: (workspaceId: string, body: UpdateWorkspaceInput, options?: CallOptions) =>
      ask(routes.updateWorkspace, { params: { workspaceId }, body }, options),
    usage: (workspaceId: string, options?: CallOptions) =>
      ask(routes.readUsage, { params: { workspaceId } }, options),
    /** A PNG, JPEG, GIF or WebP of at most 1 MiB. */
    uploadWorkspaceIcon: (workspaceId: string, image: FileContent, options?: CallOptions) =>
      ask(routes.uploadWorkspaceIcon, { params: { workspaceId }, body: image }, options),
    /** `contentHash` is the last segment of the icon's address. */
    readWorkspaceIcon: async (workspaceId: string, contentHash: string, options?: CallOptions) => {
      const params = { workspaceId, contentHash };
      const { headers, body } = await call(routes.readWorkspaceIcon, { params }, options);
      return { contentType: contentTypeOf(headers), bytes: await body.bytes() };
    },
    /** The files that one may see as a zip. It is whole when the stream ends, and fails when it is not. */
    downloadWorkspace: async (workspaceId: string, options?: CallOptions) => {
      const { body } = await call(routes.downloadWorkspace, { params: { workspaceId } }, options);
      return body.stream;
    },

    /** With an owner's session: everything as a tar that an import reads. It is whole when the stream ends, and fails when it is not. */
    exportWorkspace: async (workspaceId: string, options?: CallOptions) => {
      const { body } = await call(routes.exportWorkspace, { params: { workspaceId } }, options);
      return body.stream;
    },

    members: (workspaceId: string, options?: CallOptions) =>
      ask(routes.listMembers, { params: { workspaceId } }, options),
    /** With a session only. With one's own id: leaves. */
    removeMember: (workspaceId: string, userId: string, options?: CallOptions) =>
      ask(routes.removeMember, { params: { workspaceId, userId } }, options),
    /** With a session only. */
    changeRole: (workspaceId: string, userId: string, role: MemberRecord['role'], options?: CallOptions) =>
      ask(routes.changeRole, { params: { workspaceId, userId }, body: { role } }, options),
    /** Private items of people who have left, by path. For owners, with a session only, as the next. */
    listDepartedPrivate: (
      workspaceId: string,
      { after, limit, ...options }: CallOptions & { readonly after?: string; readonly limit?: number } = {},
    ) => ask(routes.listDepartedPrivate, { params: { workspaceId }, query: { after, limit } }, options),
    /**
     * The audit log, the newest first. For owners, with a session only. `person`: what they did, and what is about them.
     * `cursor` is the `nextCursor` of the page before.
     */
    audit: (
      workspaceId: string,
      { signal, keepalive, ...query }: CallOptions & RouteQueryInput<Routes['readAudit']> = {},
    ) =>
      ask(
        routes.readAudit,
        { params: { workspaceId }, query },
        { ...(signal === undefined ? {} : { signal }), ...(keepalive === undefined ? {} : { keepalive }) },
      ),
    /** Without `toUserId` the item is shared with all members. */
    reclaimDepartedPrivate: (workspaceId: string, body: ReclaimDepartedInput, options?: CallOptions) =>
      ask(routes.reclaimDepartedPrivate, { params: { workspaceId }, body }, options),
    /** Invites are managed with a session only; anybody may preview one. */
    createInvite: (body: CreateInviteInput, options?: CallOptions) =>
      ask(routes.createInvite, { body }, options),
    /** `token` is the last segment of the invite's address. */
    previewInvite: (token: string, options?: CallOptions) =>
      ask(routes.previewInvite, { params: { token } }, options),
    acceptInvite: (token: string, options?: CallOptions) =>
      ask(routes.acceptInvite, { params: { token } }, options),
    listInvites: (workspaceId: string, options?: CallOptions) =>
      ask(routes.listInvites, { params: { workspaceId } }, options),
    revokeInvite: (workspaceId: string, inviteId: string, options?: CallOptions) =>
      ask(routes.revokeInvite, { params: { workspaceId, inviteId } }, options),

    readFile: async (
      workspaceId: string,
      path: string,
      {
        unlessVersion,
        range,
        ...options
      }: CallOptions & {
        readonly unlessVersion?: number;
        /** Bytes from `start` up to and without `end`. */
        readonly range?: { readonly start: number; readonly end: number };
      } = {},
    ): Promise<ReadOutcome> => {
      const headers = {
        ...(unlessVersion === undefined ? {} : { 'If-None-Match': `"${unlessVersion}"` }),
        ...(range === undefined ? {} : { Range: `bytes=${range.start}-${range.end - 1}` }),
      };
      const reply = await call(routes.readFile, { params: { workspaceId, path }, headers }, options);
      return reply.status === 304 ? { kind: 'not_modified' } : { kind: 'file', ...fileBytes(reply) };
    },
    /** What is at a path now, without its bytes. Where nothing is the answer has no words: `StoaApiError` with status 404. */
    headFile: async (workspaceId: string, path: string, options?: CallOptions): Promise<FileFacts> =>
      fileFacts(await call(routes.headFile, { params: { workspaceId, path } }, options)),
    /** `writeFile` takes no empty content. */
    writeEmptyFile: (
      workspaceId: string,
      path: string,
      precondition: EmptyFilePrecondition,
      options?: CallOptions,
    ): Promise<WriteOutcome> => writeEmptyFile(send, workspaceId, path, precondition, options),
    writeFile: async (
      workspaceId: string,
      path: string,
      content: FileContent,
      precondition: Precondition,
      {
        contentType,
        sizeBytes,
        onConflict = 'keep',
        ...options
      }: CallOptions & {
        readonly contentType?: string;
        /** Of a stream, where it is known: then the service can refuse what is too large before it is sent. Not in browsers. */
        readonly sizeBytes?: number;
        /**
         * What becomes of bytes that lose a race: a conflicted copy, or nothing. `refuse` is only for callers who keep
         * the bytes until a write has succeeded.
         */
        readonly onConflict?: 'keep' | 'refuse';
      } = {},
    ): Promise<WriteOutcome> => {
      const headers = {
        ...preconditionHeaders(precondition),
        ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
        ...(sizeBytes === undefined ? {} : { 'Content-Length': String(sizeBytes) }),
      };
      const query = onConflict === 'refuse' ? { conflict: onConflict } : {};
      const input = { params: { workspaceId, path }, query, headers, body: content };
      try {
        return writeOutcome(await call(routes.writeFile, input, options), precondition);
      } catch (error) {
        if (error instanceof StoaApiError && error.status === 428) return { kind: 'precondition_required' };
        throw error;
      }
    },
    deleteFile: async (
      workspaceId: string,
      path: string,
      version: number,
      {
        contentHash,
        ...options
      }: CallOptions & {
        /** What that version held. */
        readonly contentHash?: string;
      } = {},
    ) => {
      const headers = seenHeaders(version, contentHash);
      const input = { params: { workspaceId, path }, headers };
      return deleteOutcome(await call(routes.deleteFile, input, options));
    },
    list,
    move: async (
      workspaceId: string,
      body: {
        readonly from: string;
        readonly to: string;
        readonly baseVersion?: number;
        /** Beside `baseVersion`: what that version held. */
        readonly baseContentHash?: string;
      },
      options?: CallOptions,
    ) => moveOutcome(await call(routes.moveFile, { params: { workspaceId }, body }, options)),
    /** Names and paths, not contents. */
    search: (
      workspaceId: string,
      text: string,
      { limit, ...options }: CallOptions & { readonly limit?: number } = {},
    ) => ask(routes.searchFiles, { params: { workspaceId }, query: { q: text, limit } }, options),

    /**
     * Lines of current texts that have `text`. `truncated`: the search ended before it had looked at every file; `next` says
     * where to go on.
     */
    searchContent: (
      workspaceId: string,
      text: string,
      {
        path,
        matchCase,
        context,
        limit,
        after,
        offset,
        ...options
      }: CallOptions & {
        /** A folder, a file or a glob. */
        readonly path?: string;
        readonly matchCase?: boolean;
        readonly context?: number;
        readonly limit?: number;
        /** Only files after this path. */
        readonly after?: string;
        readonly offset?: number;
      } = {},
    ) =>
      ask(
        routes.searchContent,
        { params: { workspaceId }, query: { q: text, path, matchCase, context, limit, after, offset } },
        options,
      ),

    /** Moves files only with `files`, all in one transaction; else move each of them first. */
    moveFolder: (
      workspaceId: string,
      body: { readonly from: string; readonly to: string; readonly files?: boolean },
      options?: CallOptions,
    ) => ask(routes.moveFolder, { params: { workspaceId }, body }, options),
    /** Keeps one text of a file and its conflicted copy, and deletes the copy. */
    resolveConflict: async (
      workspaceId: string,
      body: { readonly copy: string; readonly keep: ConflictKeep },
      options?: CallOptions,
    ) =>
      resolveConflictOutcome(await call(routes.resolveConflict, { params: { workspaceId }, body }, options)),
    /** Null clears the icon. */
    setNodeIcon: (workspaceId: string, path: string, icon: string | null, options?: CallOptions) =>
      ask(routes.setNodeIcon, { params: { workspaceId }, body: { path, icon } }, options),
    setNodePrivate: (
      workspaceId: string,
      body: { readonly path: string; readonly kind: NodeKind; readonly private: boolean },
      options?: CallOptions,
    ) => ask(routes.setNodePrivate, { params: { workspaceId }, body }, options),
    /** At most 1000 paths, in the wanted order. */
    setNodeOrder: (workspaceId: string, paths: readonly string[], options?: CallOptions) =>
      ask(routes.setNodeOrder, { params: { workspaceId }, body: { paths: [...paths] } }, options),

    readVersion: async (
      workspaceId: string,
      path: string,
      version: number,
      {
        contentHash,
        ...options
      }: CallOptions & {
        /** Finds any version that `listVersions` shows, from before moves too: numbers alone begin again. */
        readonly contentHash?: string;
      } = {},
    ) => {
      const query = { path, version, contentHash };
      return fileBytes(await call(routes.readVersion, { params: { workspaceId }, query }, options));
    },
    /** Newest first. */
    listVersions: (workspaceId: string, path: string, options?: CallOptions) =>
      ask(routes.listVersions, { params: { workspaceId }, query: { path } }, options),
    /** Who wrote which lines of a text, as it is now. */
    blame: (workspaceId: string, path: string, options?: CallOptions) =>
      ask(routes.blameFile, { params: { workspaceId }, query: { path } }, options),
    /**
     * Takes what one person or key did in a time out of the files that they changed, or tells with `dryRun` what that would
     * do. One call has a bounded number of files: go on with `nextPath` as `afterPath` until it is null.
     */
    undo: (workspaceId: string, body: UndoInput, options?: CallOptions) =>
      ask(routes.undoChanges, { params: { workspaceId }, body }, options),
    restore: async (
      workspaceId: string,
      body: {
        readonly path: string;
        readonly targetVersion: number;
        /** As of `readVersion`. */
        readonly contentHash?: string;
      },
      options?: CallOptions,
    ) => restoreOutcome(await call(routes.restoreFile, { params: { workspaceId }, body }, options)),

    /** One page after a cursor. To follow the feed use `followFeed`, which keeps the cursor rules. */
    readChanges: async (
      workspaceId: string,
      query: {
        readonly sinceSeq: number;
        readonly limit?: number;
        readonly includeComments?: boolean;
        /** Lets the service hold the request while there is nothing new: 1 to 30. */
        readonly waitSeconds?: number;
      },
      options?: CallOptions,
    ): Promise<ChangePage> => {
      const { sinceSeq, limit, includeComments, waitSeconds: wait } = query;
      const input = { params: { workspaceId }, query: { sinceSeq, limit, includeComments, wait } };
      const page = await ask(routes.readChanges, input, options);
      if ('nextSeq' in page) return page;
      throw new StoaApiError(
        'The answer is not a page of changes: is the base address that of a Stoa service?',
        {
          status: 200,
        },
      );
    },
    /** By time, for showing activity. */
    readChangesSince: (
      workspaceId: string,
      query: {
        readonly since: Date;
        readonly newestFirst?: boolean;
        readonly limit?: number;
        readonly includeComments?: boolean;
      },
      options?: CallOptions,
    ): Promise<ChangesSince> => {
      const { since, newestFirst, limit, includeComments } = query;
      const order = newestFirst === true ? 'desc' : undefined;
      const input = { params: { workspaceId }, query: { since, order, limit, includeComments } } as const;
      return ask(routes.readChanges, input, options);
    },

    /** Which threads, and how many: a filter left out asks for any. Sizes above the service's maximum count as that. */
    listComments: (
      workspaceId: string,
      { signal, keepalive, ...query }: CallOptions & RouteQueryInput<Routes['listComments']> = {},
    ) =>
      ask(
        routes.listComments,
        { params: { workspaceId }, query },
        { ...(signal === undefined ? {} : { signal }), ...(keepalive === undefined ? {} : { keepalive }) },
      ),
    startThread: async (workspaceId: string, body: StartThreadInput, options?: CallOptions) =>
      startThreadOutcome(await call(routes.startThread, { params: { workspaceId }, body }, options)),
    /** With a `dedupeKey` the call may be repeated. */
    reply: (workspaceId: string, threadId: string, body: ReplyInput, options?: CallOptions) =>
      ask(routes.addReply, { params: { workspaceId, threadId }, body }, options),
    /** May be repeated. */
    setResolved: (workspaceId: string, threadId: string, resolved: boolean, options?: CallOptions) =>
      ask(routes.setResolved, { params: { workspaceId, threadId }, body: { resolved } }, options),
    /** The markdown that the thread was written against. */
    readPinnedContent: async (workspaceId: string, threadId: string, options?: CallOptions) =>
      fileBytes(await call(routes.readPinnedContent, { params: { workspaceId, threadId } }, options)),

    listShares: (workspaceId: string, path: string, options?: CallOptions) =>
      ask(routes.listShares, { params: { workspaceId }, query: { path } }, options),
    /** Of the whole workspace, newest first. `truncated` says that there are more than are listed. */
    listAllShares: (workspaceId: string, options?: CallOptions) =>
      ask(routes.listShares, { params: { workspaceId } }, options),
    /** With a key only member links without a password and without scripts. */
    createShare: (workspaceId: string, body: CreateShareBody, options?: CallOptions) =>
      ask(routes.createShare, { params: { workspaceId }, body }, options),
    updateShare: (
      workspaceId: string,
      shareId: string,
      body: { readonly allowScripts: boolean },
      options?: CallOptions,
    ) => ask(routes.updateShare, { params: { workspaceId, shareId }, body }, options),
    revokeShare: (workspaceId: string, shareId: string, options?: CallOptions) =>
      ask(routes.revokeShare, { params: { workspaceId, shareId } }, options),

    /** The device's part of the device flow, without any credential. */
    createDeviceCode: (options?: CallOptions) => ask(routes.createDeviceCode, {}, options),
    /** Not sooner than the code's `interval` after the poll before. The key is in one answer only. */
    pollDevice: (deviceCode: string, options?: CallOptions) =>
      ask(routes.pollDevice, { query: { device_code: deviceCode } }, options),
    /** The person's part, with a session: looking a code up makes it theirs. */
    lookUpDevice: (userCode: string, options?: CallOptions) =>
      ask(routes.lookUpDevice, { body: { userCode } }, options),
    approveDevice: (body: ApproveDeviceInput, options?: CallOptions) =>
      ask(routes.approveDevice, { body }, options),
    denyDevice: (userCode: string, options?: CallOptions) =>
      ask(routes.denyDevice, { body: { userCode } }, options),
  };
}

function preconditionHeaders(precondition: Precondition) {
  switch (precondition.kind) {
    case 'version':
      return seenHeaders(precondition.version, precondition.contentHash);
    case 'absent':
      return { 'If-None-Match': '*' };
    case 'none':
      return {};
  }
}

function seenHeaders(version: number, contentHash: string | undefined) {
  return {
    'If-Match': `"${version}"`,
    ...(contentHash === undefined ? {} : { 'X-Service-If-Content-Hash': contentHash }),
  };
}
