import { createHash } from 'node:crypto';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../tests/support/free-port.ts';
import type { Workbench } from '../workbench.ts';
import { findProgram } from './find-program.ts';
import { connectionFolders, type OptionalSide } from './side.ts';
import { startProgram } from './start-program.ts';
import { giveToWebUser, webUser } from './unprivileged-owner.ts';

const name = 'Apache mod_dav';
const install = 'apt-get install apache2';
const moduleDirectories = ['/usr/lib/apache2/modules', '/usr/lib64/httpd/modules', '/usr/libexec/apache2'];
const modules = [
  'mpm_event',
  'authn_core',
  'authn_file',
  'authz_core',
  'authz_user',
  'auth_basic',
  'dav',
  'dav_fs',
  'mime',
];
const credentials = { user: 'bench', password: 'bench' };

/** Apache with mod_dav over a directory, event MPM, behind basic authentication: no versions, no fsync. */
export async function startApache(workbench: Workbench, connections: number): Promise<OptionalSide> {
  const program = (await findProgram('apache2')) ?? (await findProgram('httpd'));
  const moduleDirectory = await firstExisting(moduleDirectories);
  if (program === null || moduleDirectory === null) return { kind: 'missing', missing: { name, install } };
  const directory = await workbench.directory('apache');
  for (const folder of connectionFolders(connections)) {
    await mkdir(join(directory, 'files', folder), { recursive: true });
  }
  await writeFile(join(directory, 'mime.types'), 'application/octet-stream bin\n');
  // The cheapest hash that Apache accepts: what is compared is serving files, not stretching passwords.
  const hash = createHash('sha1').update(credentials.password).digest('base64');
  await writeFile(join(directory, 'passwords'), `${credentials.user}:{SHA}${hash}\n`);
  const { givenAway } = await giveToWebUser(directory);
  const port = await freePort();
  const file = join(directory, 'apache.conf');
  await writeFile(file, configuration(directory, moduleDirectory, port, givenAway));
  const { child, pid } = await startProgram(workbench, program, ['-DFOREGROUND', '-f', file], port);
  const basic = Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64');
  const side = {
    name,
    port,
    pid,
    files: { root: '', headers: [`Authorization: Basic ${basic}`] },
    [Symbol.asyncDispose]: () => workbench.end(child),
  };
  return { kind: 'side', side };
}

async function firstExisting(directories: readonly string[]): Promise<string | null> {
  for (const directory of directories) {
    const exists = await access(directory).then(
      () => true,
      () => false,
    );
    if (exists) return directory;
  }
  return null;
}

function configuration(directory: string, moduleDirectory: string, port: number, givenAway: boolean): string {
  return `
ServerRoot ${directory}
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
PidFile ${directory}/apache.pid
DefaultRuntimeDir ${directory}
${modules.map((module) => `LoadModule ${module}_module ${moduleDirectory}/mod_${module}.so`).join('\n')}
${givenAway ? `User ${webUser}\nGroup ${webUser}` : ''}
ErrorLog ${directory}/error.log
LogLevel error
TypesConfig ${directory}/mime.types
KeepAlive On
MaxKeepAliveRequests 0
KeepAliveTimeout 60
StartServers 2
ServerLimit 4
ThreadsPerChild 64
MaxRequestWorkers 256
DavLockDB ${directory}/locks
DocumentRoot ${directory}/files
<Directory ${directory}/files>
  Dav On
  AllowOverride None
  AuthType Basic
  AuthName bench
  AuthUserFile ${directory}/passwords
  Require valid-user
</Directory>
`;
}
