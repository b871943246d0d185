// The server offers the command line of its own version, so installing it needs no registry.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpDeps } from '../http-deps.ts';
import { mount, mountMethodError } from '../operation.ts';
import { header } from '../request/headers.ts';
import { dataHeaders } from '../responses/response.ts';

const url = '/download/stoa-cli.tgz';
/** Always revalidated, because the package must match the server's version. */
const packageHeaders = {
  ...dataHeaders,
  'cache-control': 'public, no-cache',
  'cross-origin-resource-policy': 'cross-origin',
} as const;

/** Mounts the command line's package. It is public and contains nothing of this server. */
export function mountDownload(app: FastifyInstance, deps: Pick<HttpDeps, 'cliPackage'>): void {
  for (const method of ['GET', 'HEAD'] as const) {
    mount(app, method, url, async (request, reply) => sendPackage(deps, request, reply));
  }
  mountMethodError(app, url, ['GET', 'HEAD']);
}

function sendPackage(
  { cliPackage }: Pick<HttpDeps, 'cliPackage'>,
  { raw }: FastifyRequest,
  reply: FastifyReply,
): void {
  if (cliPackage === null) {
    reply
      .code(503)
      .headers(dataHeaders)
      .header('content-type', 'text/plain; charset=utf-8')
      .send('The command line is not built: run `npm run build` and start the server again.\n');
    return;
  }
  const { bytes, tag } = cliPackage;
  reply.headers(packageHeaders).header('etag', tag);
  const known = (header(raw, 'if-none-match') ?? '')
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''));
  if (known.includes(tag) || known.includes('*')) {
    reply.code(304).send();
    return;
  }
  reply
    .header('content-type', 'application/gzip')
    .header('content-disposition', 'attachment; filename="stoa-cli.tgz"')
    .send(bytes);
}
