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
  ReclaimFromFormerMemberInput,
  ReplyInput,
  RouteId,
  RouteQueryInput,
  StartThreadInput,
  UndoInput,
  UpdateWorkspaceInput,
} from '@stoa/contract';
import { routeTable as routes } from '@stoa/contract/outlines';
import { authCalls } from './auth-calls.ts';
import { type CallOptions, createCall, type RouteInput, type RouteReply, type Routes } from './call.ts';
import { StoaApiError } from './errors.ts';
import {
  contentTypeOf,
  createWorkspaceOutcome,
  deleteOutcome,
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
 * Creates a client of a service: `call` for every route of the contract, and a method for most of them. Outcomes that
 * are data (a conflict, a full workspace, a missing precondition) are returned as unions with a `kind`. Any other
 * error throws `StoaApiError`, a missing response `StoaConnectionError`. It never retries.
 *
 * @throws TypeError if `baseUrl` is not an http or https address
 */
export function createStoaClient(options: TransportOptions) {
  const send = createTransport(options);
  const call = createCall(send);

  /** For routes that describe only successes. */
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

  async function writeFile(
    workspaceId: string,
    path: string,
    content: FileContent,
    precondition: Precondition,
    {
      contentType,
      sizeBytes,
      onConflict = 'keep',
      allowEmpty = false,
      ...options
    }: CallOptions & {
      readonly contentType?: string;
      /**
       * For a stream of known size: the service can reject a file that is too large before it is sent. Not in
       * browsers.
       */
      readonly sizeBytes?: number;
      /**
       * The fate of the bytes of a stale write: kept in a conflicted copy, or dropped. Use `refuse` only if you keep
       * the bytes until a write has succeeded.
       */
      readonly onConflict?: 'keep' | 'refuse';
      /** Accepts content without bytes, which the service otherwise rejects as a broken upload: `StoaApiError` 400. */
      readonly allowEmpty?: boolean;
    } = {},
  ): Promise<WriteOutcome> {
    const headers = {
      ...preconditionHeaders(precondition),
      ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
      ...(sizeBytes === undefined ? {} : { 'Content-Length': String(sizeBytes) }),
      ...(allowEmpty ? { 'X-Service-Allow-Empty': '1' } : {}),
    };
    const query = onConflict === 'refuse' ? { conflict: onConflict } : {};
    const input = { params: { workspaceId, path }, query, headers, body: content };
    try {
      return writeOutcome(await call(routes.writeFile, input, options), precondition);
    } catch (error) {
      if (error instanceof StoaApiError && error.status === 428) return { kind: 'precondition_required' };
      throw error;
    }
  }

  return {
    call,
    auth: authCalls(send),

    health: (options?: CallOptions) => ask(routes.readHealth, {}, options),
    plans: (options?: CallOptions) => ask(routes.listPlans, {}, options),
    /** Reads the sign-up policy and the app's address. Needs no credential. */
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
    /** Absent fields stay unchanged; null clears. */
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
    /**
     * Streams the files that the caller may see as a zip. The stream ends only if the zip is complete; otherwise it
     * fails.
     */
    downloadWorkspace: async (workspaceId: string, options?: CallOptions) => {
      const { body } = await call(routes.downloadWorkspace, { params: { workspaceId } }, options);
      return body.stream;
    },

    /**
     * Streams an export as a tar, with an owner's session. The stream ends only if the tar is complete; otherwise it
     * fails.
     */
    exportWorkspace: async (workspaceId: string, options?: CallOptions) => {
      const { body } = await call(routes.exportWorkspace, { params: { workspaceId } }, options);
      return body.stream;
    },

    members: (workspaceId: string, options?: CallOptions) =>
      ask(routes.listMembers, { params: { workspaceId } }, options),
    /** With a session only. With the caller's own id: leaves. */
    removeMember: (workspaceId: string, userId: string, options?: CallOptions) =>
      ask(routes.removeMember, { params: { workspaceId, userId } }, options),
    /** With a session only. */
    changeRole: (workspaceId: string, userId: string, role: MemberRecord['role'], options?: CallOptions) =>
      ask(routes.changeRole, { params: { workspaceId, userId }, body: { role } }, options),
    /** Private items of former members, by path. For owners, with a session only, as the next. */
    listDepartedPrivate: (
      workspaceId: string,
      { after, limit, ...options }: CallOptions & { readonly after?: string; readonly limit?: number } = {},
    ) => ask(routes.listDepartedPrivate, { params: { workspaceId }, query: { after, limit } }, options),
    /**
     * The audit log, newest first. For owners, with a session only. `person` selects entries by or about this person.
     * `cursor` is the `nextCursor` of the previous page.
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
    reclaimDepartedPrivate: (
      workspaceId: string,
      body: ReclaimFromFormerMemberInput,
      options?: CallOptions,
    ) => ask(routes.reclaimDepartedPrivate, { params: { workspaceId }, body }, options),
    /** Invites are managed with a session only. A preview needs no credential. */
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
        /** Bytes from `start` up to, but not including, `end`. */
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
    /** Reads a file's metadata. A missing file has no error text: `StoaApiError` with status 404. */
    headFile: async (workspaceId: string, path: string, options?: CallOptions): Promise<FileFacts> =>
      fileFacts(await call(routes.headFile, { params: { workspaceId, path } }, options)),
    writeFile,
    deleteFile: async (
      workspaceId: string,
      path: string,
      version: number,
      {
        contentHash,
        ...options
      }: CallOptions & {
        /** The content hash of that version. */
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
        /** With `baseVersion`: the content hash of that version. */
        readonly baseContentHash?: string;
      },
      options?: CallOptions,
    ) => moveOutcome(await call(routes.moveFile, { params: { workspaceId }, body }, options)),
    /** Searches names and paths, not contents. */
    search: (
      workspaceId: string,
      text: string,
      { limit, ...options }: CallOptions & { readonly limit?: number } = {},
    ) => ask(routes.searchFiles, { params: { workspaceId }, query: { q: text, limit } }, options),

    /**
     * Lines of current texts that contain `text`. `truncated`: the search stopped before all files; `next` continues
     * it.
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

    /** Files and folders that match a query of words, phrases and filters, best first. */
    find: (
      workspaceId: string,
      query: string,
      {
        limit,
        cursor,
        ...options
      }: CallOptions & {
        readonly limit?: number;
        /** `nextCursor` of the previous page. */
        readonly cursor?: string;
      } = {},
    ) => ask(routes.find, { params: { workspaceId }, query: { q: query, limit, cursor } }, options),

    /** Moves files only with `files`, all in one transaction; otherwise move each of them first. */
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
        /** Finds any version of `listVersions`, including those from before moves, after which numbers restart. */
        readonly contentHash?: string;
      } = {},
    ) => {
      const query = { path, version, contentHash };
      return fileBytes(await call(routes.readVersion, { params: { workspaceId }, query }, options));
    },
    /** Newest first. */
    listVersions: (workspaceId: string, path: string, options?: CallOptions) =>
      ask(routes.listVersions, { params: { workspaceId }, query: { path } }, options),
    /** The author of each range of lines of the current text. */
    blame: (workspaceId: string, path: string, options?: CallOptions) =>
      ask(routes.blameFile, { params: { workspaceId }, query: { path } }, options),
    /**
     * Removes the changes of one person or key in a period from the files. With `dryRun` it only reports the outcome.
     * One call has a bounded number of files: continue with `nextPath` as `afterPath` until it is null.
     */
    undo: (workspaceId: string, body: UndoInput, options?: CallOptions) =>
      ask(routes.undoChanges, { params: { workspaceId }, body }, options),
    restore: async (
      workspaceId: string,
      body: {
        readonly path: string;
        readonly targetVersion: number;
        /** As in `readVersion`. */
        readonly contentHash?: string;
      },
      options?: CallOptions,
    ) => restoreOutcome(await call(routes.restoreFile, { params: { workspaceId }, body }, options)),

    /** One page after a cursor. To follow the feed use `followFeed`, which follows the cursor rules. */
    readChanges: async (
      workspaceId: string,
      query: {
        readonly sinceSeq: number;
        readonly limit?: number;
        readonly includeComments?: boolean;
        /** Lets the service hold the request while there is no news: 1 to 30. */
        readonly waitSeconds?: number;
      },
      options?: CallOptions,
    ): Promise<ChangePage> => {
      const { sinceSeq, limit, includeComments, waitSeconds: wait } = query;
      const input = { params: { workspaceId }, query: { sinceSeq, limit, includeComments, wait } };
      const page = await ask(routes.readChanges, input, options);
      if ('nextSeq' in page) return page;
      throw new StoaApiError(
        'The response is not a page of changes: is the base address that of a Stoa service?',
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

    /** Absent filters match all threads. Sizes above the service's maximum count as the maximum. */
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
    /** The Markdown that the thread was written against. */
    readPinnedContent: async (workspaceId: string, threadId: string, options?: CallOptions) =>
      fileBytes(await call(routes.readPinnedContent, { params: { workspaceId, threadId } }, options)),

    listShares: (workspaceId: string, path: string, options?: CallOptions) =>
      ask(routes.listShares, { params: { workspaceId }, query: { path } }, options),
    /** Links of the whole workspace, newest first. `truncated`: there are more than listed. */
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
    /** Not sooner than the code's `interval` after the previous poll. Only one response contains the key. */
    pollDevice: (deviceCode: string, options?: CallOptions) =>
      ask(routes.pollDevice, { query: { device_code: deviceCode } }, options),
    /** The user's part, with a session. A lookup assigns the code to the caller. */
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
