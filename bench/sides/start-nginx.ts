import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../tests/support/free-port.ts';
import type { Workbench } from '../workbench.ts';
import { findProgram } from './find-program.ts';
import { connectionFolders, type OptionalSide } from './side.ts';
import { startProgram } from './start-program.ts';
import { giveToWebUser, webUser } from './unprivileged-owner.ts';

const install = 'apt-get install nginx';

/** Starts nginx with WebDAV PUT over a directory: no credentials, no versions, no fsync. */
export async function startNginx(workbench: Workbench, connections: number): Promise<OptionalSide> {
  const program = await findProgram('nginx');
  if (program === null) return { kind: 'missing', missing: { name: 'nginx WebDAV', install } };
  const directory = await workbench.directory('nginx');
  const files = join(directory, 'files');
  for (const folder of connectionFolders(connections)) await mkdir(join(files, folder), { recursive: true });
  await mkdir(join(directory, 'temp'));
  const { givenAway } = await giveToWebUser(directory);
  const port = await freePort();
  const file = join(directory, 'nginx.conf');
  await writeFile(file, configuration(directory, port, givenAway));
  const { child, pid } = await startProgram(workbench, program, ['-p', directory, '-c', file], port);
  const side = {
    name: 'nginx WebDAV',
    port,
    pid,
    files: { root: '', headers: [] },
    [Symbol.asyncDispose]: () => workbench.end(child),
  };
  return { kind: 'side', side };
}

/** One worker per core, no logs, and temporary files on the disk of the files, so that a rename is enough. */
function configuration(directory: string, port: number, givenAway: boolean): string {
  return `
daemon off;
worker_processes auto;
${givenAway ? `user ${webUser};` : ''}
pid ${directory}/nginx.pid;
error_log stderr error;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nodelay on;
  keepalive_requests 100000000;
  client_max_body_size 0;
  client_body_buffer_size 64k;
  client_body_temp_path ${directory}/temp;
  proxy_temp_path ${directory}/temp;
  fastcgi_temp_path ${directory}/temp;
  uwsgi_temp_path ${directory}/temp;
  scgi_temp_path ${directory}/temp;
  server {
    listen 127.0.0.1:${port} backlog=1024;
    root ${directory}/files;
    location / { dav_methods PUT DELETE; create_full_put_path on; }
  }
}
`;
}
