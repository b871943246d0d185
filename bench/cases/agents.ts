import { realpath } from 'node:fs/promises';
import { openHttpClient } from '../../tests/support/http-client.ts';
import { signUp } from '../../tests/support/people.ts';
import { startService } from '../../tests/support/service-process.ts';
import { countedAgent, type Effort } from '../agents/agent-call.ts';
import {
  findFilesystemServer,
  installFilesystemServer,
  startFilesystemServer,
} from '../agents/filesystem-server.ts';
import { makeFolder } from '../agents/locations.ts';
import { playOnStoa } from '../agents/play-tasks.ts';
import { type AgentTask, agentTasks } from '../agents/tasks.ts';
import type { Bench, BenchCase, Row } from '../bench-case.ts';
import { shareOf } from '../measure/ratio.ts';
import { limitRow } from '../sync/rows.ts';

const filesystemName = 'the filesystem server';

/** Counts calls and bytes of an agent's ordinary work. They are the same in every run: this case measures no time. */
export const agents: BenchCase = {
  id: 'agents',
  measures: "calls and bytes of an agent's ordinary work, compared with the reference filesystem server",
  async run(bench) {
    const service = await startService();
    bench.workbench.keepResource(service);
    const server = openHttpClient(service.url);
    bench.workbench.keepResource({ [Symbol.asyncDispose]: () => server.close() });
    const person = await signUp(server);
    const share = Math.min(1, bench.scale);
    const program = findFilesystemServer();
    const rows: Row[] = [];
    const raw: Record<string, unknown> = {};
    for (const task of agentTasks) {
      const extended = await playOnStoa(server, person, task, 'extended', share);
      const standard = await playOnStoa(server, person, task, 'standard', share);
      const filesystem = program === null ? null : await playInFolder(bench, program, task, share);
      raw[task.id] = { what: task.what, extended, standard, filesystem };
      if (extended === null) continue;
      const { calls, bytes } = task.ceiling;
      const figure = `${task.id}: ${task.what}`;
      rows.push(
        limitRow(`${figure}, calls`, `${calls}`, [extended.calls], calls),
        limitRow(`${figure}, bytes`, bytes.toLocaleString('en'), [bytesOf(extended)], bytes),
      );
      for (const [against, effort] of [
        ['the standard set', standard],
        [filesystemName, filesystem],
      ] as const) {
        if (effort === null) continue;
        const ratio = shareOf([bytesOf(extended)], bytesOf(effort));
        rows.push({ figure: `${figure}, bytes`, against, result: { kind: 'ratio', ratio }, target: null });
      }
    }
    if (program === null) {
      const reason = `${filesystemName} is not installed: ${installFilesystemServer}`;
      rows.push({
        figure: 'the same work on a folder',
        against: filesystemName,
        result: { kind: 'not_measured', reason },
        target: null,
      });
    }
    return { rows, raw };
  },
};

function bytesOf({ bytesIn, bytesOut }: Effort): number {
  return bytesIn + bytesOut;
}

async function playInFolder(
  { workbench }: Bench,
  program: string,
  task: AgentTask,
  share: number,
): Promise<Effort | null> {
  if (task.filesystem === null) return null;
  const folder = await realpath(await workbench.directory('agent'));
  await makeFolder(folder, task.files(share));
  const server = await startFilesystemServer(workbench, program, folder);
  const agent = countedAgent(server.callTool);
  await task.filesystem({ kind: 'folder', agent, folder });
  await server.end();
  return agent.effort;
}
