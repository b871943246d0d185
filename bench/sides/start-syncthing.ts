import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../tests/support/free-port.ts';
import type { Workbench } from '../workbench.ts';
import { findProgram } from './find-program.ts';
import { type StartedProgram, startProgram } from './start-program.ts';

const run = promisify(execFile);

/** Two Syncthings on loopback that keep two folders in sync. */
export interface SyncthingPair extends AsyncDisposable {
  readonly folders: readonly [string, string];
}

/** The delay before they notice a change, at the lowest possible setting. */
const delaySeconds = 1;

interface Peer {
  readonly home: string;
  readonly folder: string;
  readonly id: string;
  readonly port: number;
  readonly guiPort: number;
}

/** @returns null when it is not installed. */
export async function startSyncthing(workbench: Workbench): Promise<SyncthingPair | null> {
  const command = await findProgram('syncthing');
  if (command === null) return null;
  const one = await makePeer(workbench, command);
  const other = await makePeer(workbench, command);
  const started: StartedProgram[] = [];
  for (const peer of [one, other]) {
    await writeFile(join(peer.home, 'config.xml'), configuration(peer, [one, other]));
    const words = ['serve', `--home=${peer.home}`, '--no-browser', '--no-restart', '--no-default-folder'];
    started.push(await startProgram(workbench, command, words, peer.port, { HOME: peer.home }));
  }
  return {
    folders: [one.folder, other.folder],
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map(({ child }) => workbench.end(child)));
    },
  };
}

async function makePeer(workbench: Workbench, command: string): Promise<Peer> {
  const home = await workbench.directory('syncthing');
  const env = { ...process.env, HOME: home };
  await run(command, ['generate', `--home=${home}`, '--no-default-folder'], { env });
  const { stdout } = await run(command, [`--home=${home}`, '--device-id'], { env });
  const folder = await workbench.directory('syncthing-folder');
  return { home, folder, id: stdout.trim(), port: await freePort(), guiPort: await freePort() };
}

/** Returns a configuration that sends no data to other machines. */
function configuration(own: Peer, all: readonly Peer[]): string {
  const devices = all.map(({ id }) => `<device id="${id}" introducedBy=""></device>`).join('');
  const known = all
    .map(
      ({ id, port }) =>
        `<device id="${id}" name="peer" compression="never"><address>tcp://127.0.0.1:${port}</address></device>`,
    )
    .join('\n');
  return `<configuration version="35">
<folder id="bench" label="bench" path="${own.folder}" type="sendreceive" rescanIntervalS="3600"
  fsWatcherEnabled="true" fsWatcherDelayS="${delaySeconds}">${devices}</folder>
${known}
<gui enabled="true" tls="false"><address>127.0.0.1:${own.guiPort}</address></gui>
<options>
<listenAddress>tcp://127.0.0.1:${own.port}</listenAddress>
<globalAnnounceEnabled>false</globalAnnounceEnabled><localAnnounceEnabled>false</localAnnounceEnabled>
<relaysEnabled>false</relaysEnabled><natEnabled>false</natEnabled><urAccepted>-1</urAccepted>
<startBrowser>false</startBrowser><crashReportingEnabled>false</crashReportingEnabled>
<autoUpgradeIntervalH>0</autoUpgradeIntervalH>
</options>
</configuration>
`;
}
