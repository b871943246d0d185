// docs/decisions/0038-the-app-is-served-from-memory.md
import { randomBytes } from 'node:crypto';
import { WorkspaceError } from '@stoa/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { dataHeaders } from '../answers/answer.ts';
import type { HttpDeps } from '../http-deps.ts';
import { mount, mountMethodRefusal } from '../operation.ts';
import { assetName, originForm, pathPlaceholder } from '../request/file-target.ts';
import { header } from '../request/headers.ts';
import { chooseCoding } from './choose-coding.ts';
import { assetHeaders, documentHeaders } from './document-headers.ts';

type WebApp = Pick<HttpDeps, 'webBuild'>;

/** Where the app has a page; the app itself tells the pages below `/w/` and `/account/` apart. */
const documentUrls = [
  '/',
  '/signin',
  '/signup',
  '/reset',
  `/invite/${pathPlaceholder}`,
  '/link',
  `/w/${pathPlaceholder}`,
  '/account',
  `/account/${pathPlaceholder}`,
];
const assetUrl = `/assets/${pathPlaceholder}`;
const nonceBytes = 18;

/** Addresses of the interface. A browser that is sent to one that does not exist gets the interface's answer too. */
const interfaceTarget = /^\/(?:api|s)(?:[/?]|$)/;

/** Mounts the app's document at the addresses of its pages, and what it loads below `/assets/`. */
export function mountWebApp(app: FastifyInstance, deps: WebApp): void {
  for (const url of documentUrls) {
    for (const method of ['GET', 'HEAD'] as const) {
      mount(app, method, url, async (_request, reply) => sendDocument(deps, reply, 200));
    }
    mountMethodRefusal(app, url, ['GET', 'HEAD']);
  }
  for (const method of ['GET', 'HEAD'] as const) {
    mount(app, method, assetUrl, async (request, reply) => sendAsset(deps, request, reply));
  }
  mountMethodRefusal(app, assetUrl, ['GET', 'HEAD']);
}

/** Whether a person's browser shows the answer: then the app's page says that nothing is there. */
export function wantsDocument({ raw, originalUrl }: FastifyRequest): boolean {
  if (raw.method !== 'GET' && raw.method !== 'HEAD') return false;
  if (interfaceTarget.test(originForm(originalUrl))) return false;
  const mode = header(raw, 'sec-fetch-mode');
  if (mode !== null) return mode === 'navigate';
  return (header(raw, 'accept') ?? '').toLowerCase().includes('text/html');
}

/** @param status 404 where the app has no page: it is the document that says so. */
export function sendDocument({ webBuild }: WebApp, reply: FastifyReply, status: 200 | 404): void {
  if (webBuild === null) {
    reply
      .code(503)
      .headers(dataHeaders)
      .header('content-type', 'text/plain; charset=utf-8')
      .send('The web app is not built: run `npm run build` and start the server again.\n');
    return;
  }
  const nonce = randomBytes(nonceBytes).toString('base64url');
  reply.code(status).headers(documentHeaders(nonce)).send(webBuild.document(nonce));
}

function sendAsset({ webBuild }: WebApp, request: FastifyRequest, reply: FastifyReply): void {
  const asset = webBuild?.assets.get(assetName(request.originalUrl));
  if (asset === undefined) throw new WorkspaceError('route_not_found');
  const coding = chooseCoding(header(request.raw, 'accept-encoding'), asset.encoded.keys());
  reply.headers(assetHeaders).header('content-type', asset.contentType);
  if (coding !== null) reply.header('content-encoding', coding);
  reply.send((coding === null ? undefined : asset.encoded.get(coding)) ?? asset.plain);
}
