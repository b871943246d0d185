import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../tests/support/free-port.ts';
import type { Workbench } from '../workbench.ts';
import { findProgram } from './find-program.ts';
import { connectionFolders, type MissingSide, type OptionalSide } from './side.ts';
import { startProgram } from './start-program.ts';
import { giveToWebUser, webUser } from './unprivileged-owner.ts';

const run = promisify(execFile);

const moduleDirectories = ['/usr/lib/apache2/modules', '/usr/lib64/httpd/modules', '/usr/libexec/apache2'];
const modules = [
  'mpm_event',
  'authn_core',
  'authn_file',
  'authz_core',
  'authz_user',
  'auth_basic',
  'dav',
  'mime',
];
const credentials = { user: 'bench', password: 'bench' };
const authentication = (directory: string) => `
  AuthType Basic
  AuthName bench
  AuthUserFile ${directory}/passwords
  Require valid-user`;

/** The differences between one kind of Apache and another. */
interface ApacheKind extends MissingSide {
  readonly modules: readonly string[];
  /** The root of its files in addresses. */
  readonly root: string;
  /** Creates the folders for the files. @returns whether the required programs are installed. */
  readonly prepare: (directory: string, folders: readonly string[]) => Promise<boolean>;
  /** Its part of the configuration. */
  readonly configuration: (directory: string) => string;
}

const davKind: ApacheKind = {
  name: 'Apache mod_dav',
  install: 'apt-get install apache2',
  modules: ['dav_fs'],
  root: '',
  async prepare(directory, folders) {
    for (const folder of folders) await mkdir(join(directory, 'files', folder), { recursive: true });
    return true;
  },
  configuration: (directory) => `
DavLockDB ${directory}/locks
DocumentRoot ${directory}/files
<Directory ${directory}/files>
  Dav On
  AllowOverride None${authentication(directory)}
</Directory>
`,
};

const subversionKind: ApacheKind = {
  name: 'Apache Subversion',
  install: 'apt-get install apache2 subversion libapache2-mod-svn',
  modules: ['dav_svn'],
  root: '/repository',
  async prepare(directory, folders) {
    const [admin, client] = [await findProgram('svnadmin'), await findProgram('svn')];
    if (admin === null || client === null) return false;
    const repository = join(directory, 'repository');
    await run(admin, ['create', repository]);
    const urls = folders.map((folder) => `${pathToFileURL(repository)}/${folder}`);
    await run(client, [
      'mkdir',
      '--quiet',
      '--message',
      'folders',
      '--config-dir',
      join(directory, 'svn'),
      ...urls,
    ]);
    return true;
  },
  configuration: (directory) => `
<Location /repository>
  DAV svn
  SVNPath ${directory}/repository
  SVNAutoversioning on${authentication(directory)}
</Location>
`,
};

/** Starts Apache with mod_dav over a directory, event MPM, behind basic authentication: no versions, no fsync. */
export function startApache(workbench: Workbench, connections: number): Promise<OptionalSide> {
  return startKind(davKind, workbench, connections);
}

/**
 * Starts the same Apache with a Subversion repository and autoversioning. Each PUT is a revision of its own, flushed to
 * the disk before the response. Earlier versions of a file can be read.
 */
export function startApacheSubversion(workbench: Workbench, connections: number): Promise<OptionalSide> {
  return startKind(subversionKind, workbench, connections);
}

async function startKind(kind: ApacheKind, workbench: Workbench, connections: number): Promise<OptionalSide> {
  const { name, install, root } = kind;
  const missing = { kind: 'missing' as const, missing: { name, install } };
  const program = (await findProgram('apache2')) ?? (await findProgram('httpd'));
  const needed = [...modules, ...kind.modules];
  const moduleDirectory = await firstWith(moduleDirectories, needed.map(moduleFile));
  if (program === null || moduleDirectory === null) return missing;
  const directory = await workbench.directory('apache');
  if (!(await kind.prepare(directory, connectionFolders(connections)))) return missing;
  await writeFile(join(directory, 'mime.types'), 'application/octet-stream bin\n');
  // The cheapest hash that Apache accepts: the comparison is about serving files, not about hashing passwords.
  const hash = createHash('sha1').update(credentials.password).digest('base64');
  await writeFile(join(directory, 'passwords'), `${credentials.user}:{SHA}${hash}\n`);
  const { givenAway } = await giveToWebUser(directory);
  const port = await freePort();
  const file = join(directory, 'apache.conf');
  const load = needed.map((module) => `LoadModule ${module}_module ${moduleDirectory}/${moduleFile(module)}`);
  await writeFile(
    file,
    `${load.join('\n')}${commonConfiguration(directory, port, givenAway)}${kind.configuration(directory)}`,
  );
  const { child, pid } = await startProgram(workbench, program, ['-DFOREGROUND', '-f', file], port);
  const basic = Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64');
  const side = {
    name,
    port,
    pid,
    files: { root, headers: [`Authorization: Basic ${basic}`] },
    [Symbol.asyncDispose]: () => workbench.end(child),
  };
  return { kind: 'side', side };
}

function moduleFile(module: string): string {
  return `mod_${module}.so`;
}

/** Returns the first directory that has all the files. */
async function firstWith(directories: readonly string[], files: readonly string[]): Promise<string | null> {
  for (const directory of directories) {
    const found = await Promise.all(files.map((file) => isThere(join(directory, file))));
    if (found.every(Boolean)) return directory;
  }
  return null;
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function commonConfiguration(directory: string, port: number, givenAway: boolean): string {
  return `
ServerRoot ${directory}
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
PidFile ${directory}/apache.pid
DefaultRuntimeDir ${directory}
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
`;
}
