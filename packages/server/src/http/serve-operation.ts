import { parseRequest } from '@stoa/contract';
import { parseUrlPath } from '@stoa/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendAnswer } from './answers/send-answer.ts';
import type { HttpDeps } from './http-deps.ts';
import type { Operation, OperationFacts } from './operation.ts';
import { rawFilePath } from './request/file-target.ts';
import { findAccess } from './request/find-access.ts';
import { readJsonBody } from './request/read-json-body.ts';
import { noteActor } from './request-record.ts';

type Params = Readonly<Record<string, string>>;

/** An id that no database can keep names nothing, like one that nobody was ever given. */
function namedOnes(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).map(([name, id]) => [name, id.includes('\0') || !id.isWellFormed() ? '' : id]),
  );
}

/** Asks in the order in which refusals count: who calls and whether they may, the path, the query, the body. */
export async function serveOperation(
  deps: HttpDeps,
  { route, handle }: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const raw = request.raw;
  const params = namedOnes(request.params as Params);
  const { caller, access } = await findAccess(deps, raw, route.access, params.workspaceId);
  if (caller !== null) noteActor(raw, caller.actor);
  const path = route.restOfPath === undefined ? null : parseUrlPath(rawFilePath(request.originalUrl));
  const query = route.query === undefined ? undefined : parseRequest(route.query, request.query, 'query');
  const body =
    route.body === undefined || route.body === 'bytes'
      ? undefined
      : parseRequest(route.body, await readJsonBody(raw, reply.raw), 'body');
  const facts: OperationFacts = {
    deps,
    params,
    query,
    body,
    raw,
    response: reply.raw,
    clientAddress: request.ip,
    caller,
    access,
    path,
  };
  await sendAnswer(reply, await handle(facts));
}
