// Assets are served from memory by exact name, so a request never reaches the file system. The nonce admits our
// scripts and no uploaded ones.
import { randomBytes } from 'node:crypto';
import { WorkspaceError } from '@stoa/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpDeps } from '../http-deps.ts';
import { mount, mountMethodError } from '../operation.ts';
import { assetName, originForm, pathPlaceholder } from '../request/file-target.ts';
import { header } from '../request/headers.ts';
import { dataHeaders } from '../responses/response.ts';
import { chooseCoding } from './choose-coding.ts';
import { assetHeaders, documentHeaders } from './document-headers.ts';

type WebApp = Pick<HttpDeps, 'webBuild'>;

/** Addresses of the app's pages. The app itself distinguishes the pages below `/w/` and `/account/`. */
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

/** Addresses of the interface. A browser that opens an unknown one also gets the interface's error. */
const interfaceTarget = /^\/(?:api|s)(?:[/?]|$)/;

/** Mounts the app's document at the addresses of its pages, and its assets below `/assets/`. */
export function mountWebApp(app: FastifyInstance, deps: WebApp): void {
  for (const url of documentUrls) {
    for (const method of ['GET', 'HEAD'] as const) {
      mount(app, method, url, async (_request, reply) => sendDocument(deps, reply, 200));
    }
    mountMethodError(app, url, ['GET', 'HEAD']);
  }
  for (const method of ['GET', 'HEAD'] as const) {
    mount(app, method, assetUrl, async (request, reply) => sendAsset(deps, request, reply));
  }
  mountMethodError(app, assetUrl, ['GET', 'HEAD']);
}

/** Whether a browser shows the response as a page: then the app says that the page does not exist. */
export function wantsDocument({ raw, originalUrl }: FastifyRequest): boolean {
  if (raw.method !== 'GET' && raw.method !== 'HEAD') return false;
  if (interfaceTarget.test(originForm(originalUrl))) return false;
  const mode = header(raw, 'sec-fetch-mode');
  if (mode !== null) return mode === 'navigate';
  return (header(raw, 'accept') ?? '').toLowerCase().includes('text/html');
}

/** @param status 404 if the app has no page; the document itself then says so */
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
