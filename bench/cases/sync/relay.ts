import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { recordOf } from '../../../tests/support/response.ts';
import { atMost, type Bench, type BenchCase } from '../../bench-case.ts';
import { ratioOf } from '../../measure/ratio.ts';
import { plainEnvironment } from '../../sides/start-program.ts';
import { allowedRow, percentile } from '../../sync/rows.ts';
import { type DeskWorkspace, openSyncDesk, type StoaCommand } from '../../sync/sync-desk.ts';

const callsUsual = 300;
const largeBytesUsual = 20_000_000;
const allowanceMs = 1.5;

type Message = Readonly<Record<string, unknown>>;
/** Sends one message and returns its response. */
type Ask = (message: Message) => Promise<Message>;

/** Compares `stoa mcp` with the same calls over HTTP: the cost of a command instead of an address. */
export const syncRelay: BenchCase = {
  id: 'sync-relay',
  measures: 'read_file of 4 KiB and a message of 20 MB through stoa mcp, compared with HTTP',
  async run(bench) {
    const calls = Math.max(10, Math.round(callsUsual * bench.scale));
    const largeBytes = Math.max(100_000, Math.round(largeBytesUsual * bench.scale));
    await using desk = await openSyncDesk(bench);
    const workspace = await desk.makeWorkspace();
    const relay = startRelay(bench, desk.commandFor(workspace));
    const direct = overHttp(desk.origin, workspace);
    await succeed(direct, 0, 'write_file', { path: 'read.md', content: 'x'.repeat(4096) });
    const sides = [
      { name: 'relay', ask: relay, times: [] as number[], large: [] as number[] },
      { name: 'direct', ask: direct, times: [] as number[], large: [] as number[] },
    ];
    let id = 0;
    const timed = async (ask: Ask, tool: string, given: Message): Promise<number> => {
      id += 1;
      const startedAt = performance.now();
      await succeed(ask, id, tool, given);
      return performance.now() - startedAt;
    };
    for (const { ask } of sides) await timed(ask, 'read_file', { path: 'read.md' });
    for (let call = 0; call < calls; call += 1) {
      for (const { ask, times } of sides) times.push(await timed(ask, 'read_file', { path: 'read.md' }));
    }
    for (let round = -1; round < bench.rounds; round += 1) {
      for (const { ask, large, name } of sides) {
        const content = `${round} ${name}\n`.padEnd(largeBytes, 'x');
        const ms = await timed(ask, 'write_file', { path: `large-${name}-${round}.md`, content });
        if (round >= 0) large.push(ms);
      }
    }
    const [through, over] = sides;
    if (through === undefined || over === undefined) throw new Error('there are two sides');
    const size = `${Math.round(largeBytes / 100_000) / 10} MB`;
    return {
      rows: [
        allowedRow(
          'read_file of 4 KiB through stoa mcp, median',
          `the same over HTTP + ${allowanceMs} ms`,
          [percentile(through.times, 0.5)],
          [percentile(over.times, 0.5) + allowanceMs],
        ),
        {
          figure: `write_file of ${size} through stoa mcp`,
          against: 'the same over HTTP',
          result: { kind: 'ratio', ratio: ratioOf(through.large, over.large, (ms) => ms) },
          target: atMost(2),
        },
      ],
      raw: sides.map(({ name, times, large }) => ({ name, times, large })),
    };
  },
};

async function succeed(ask: Ask, id: number, name: string, given: Message): Promise<void> {
  const message = { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } };
  const result = recordOf((await ask(message)).result);
  assert.notEqual(result.isError, true, JSON.stringify(result).slice(0, 1000));
}

function overHttp(origin: string, { key }: DeskWorkspace): Ask {
  return async (message) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const response = await fetch(`${origin}/api/mcp`, {
      method: 'POST',
      body: JSON.stringify(message),
      headers,
    });
    return recordOf(await response.json());
  };
}

/** One call at a time: a response always belongs to the last message. */
function startRelay(bench: Bench, { command, words, variables }: StoaCommand): Ask {
  const child: ChildProcess = spawn(command, [...words, 'mcp'], {
    env: { ...plainEnvironment(), ...variables },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  bench.workbench.keep(child);
  if (child.stdout === null || child.stdin === null) throw new Error('stoa mcp has no pipes');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { stdin } = child;
  return async (message) => {
    stdin.write(`${JSON.stringify(message)}\n`);
    const { value, done } = await lines.next();
    if (done === true) throw new Error('stoa mcp ended');
    return recordOf(JSON.parse(value));
  };
}
