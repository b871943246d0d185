import assert from 'node:assert/strict';
import { openHttpClient } from '../../tests/support/http-client.ts';
import {
  headersOf,
  legacyRevision,
  type McpEra,
  mcpPath,
  messageOf,
  modernRevision,
} from '../../tests/support/mcp-client.ts';
import { integerAt, jsonOf, recordOf } from '../../tests/support/response.ts';
import { atMost, type Bench, type BenchCase, type Row } from '../bench-case.ts';
import { type HeaderLines, numberMark, type RequestSource } from '../load/load-job.ts';
import { alternate, type Contestant, type Rounds } from '../measure/alternate.ts';
import { compareRow, resultsOf } from '../measure/compare.ts';
import { shareOf } from '../measure/ratio.ts';
import { type SteadyResult, steadyRound } from '../measure/steady-round.ts';
import type { StoaSide } from '../sides/start-stoa.ts';

const connections = 32;
const bodyBytes = 4096;
/** The allowed cost of a tool call: twice the whole REST request, plus these milliseconds. */
const allowance = { times: 2, milliseconds: 0.3 };
const path = 'read.md';

const eras: readonly McpEra[] = ['legacy', 'modern'];

type Numbered = Extract<RequestSource, { kind: 'numbered' }>;
type Requests = (sent: number) => RequestSource;

/** Compares tools with the REST requests for the same work: one server, one key, files of 4 KiB of text. */
export const mcp: BenchCase = {
  id: 'mcp',
  measures: 'MCP read_file, write_file and tools/list, in processor time and requests per second',
  async run(bench) {
    await using stoa = await bench.startStoa();
    const { root, headers } = stoa.files;
    const workspaceId = root.split('/')[3] ?? '';
    const put = (target: string, number: number): Numbered => ({
      kind: 'numbered',
      method: 'PUT',
      target: `${root}/${target}`,
      headers,
      body: text,
      first: number,
    });
    await sendOnce(bench, stoa, put(path, 0));
    const get = contestant(bench, stoa, 'GET 4 KiB', 200, () => {
      return { kind: 'get', targets: [`${root}/${path}`], headers };
    });
    const putNew = contestant(bench, stoa, 'PUT 4 KiB', 201, (sent) => put(`rest/${numberMark}.md`, sent));
    const calls = eras.flatMap((era) => {
      const named = (what: string, requests: Requests) =>
        contestant(bench, stoa, `${what}, ${nameOf(era)}`, 200, requests);
      const call = (tool: string, fields: Readonly<Record<string, unknown>>, first = 0) =>
        message(era, headers, first, 'tools/call', {
          name: tool,
          arguments: { workspaceId, ...fields },
        });
      const written = `mcp/${era}/${numberMark}.md`;
      return [
        named('read_file 4 KiB', () => call('read_file', { path })),
        named('write_file 4 KiB', (sent) => call('write_file', { path: written, content: text }, sent)),
        named('tools/list', () => message(era, headers, 0, 'tools/list', {})),
      ];
    });
    await assertToolsWork(stoa, workspaceId);
    const rounds = await alternate([get, putNew, ...calls], { rounds: bench.rounds, settle: false });
    const rows = calls.flatMap(({ name }) => {
      const rest = name.startsWith('write_file') ? putNew.name : get.name;
      return [costRow(rounds, name, rest), rateRow(rounds, name, rest)];
    });
    return { rows, raw: Object.fromEntries(rounds) };
  },
};

/** A different text for each file, with line breaks that JSON must escape. */
const line = `${numberMark} ${'the quick brown fox jumps '.repeat(2)}\n`;
const text = line
  .repeat(Math.ceil(bodyBytes / line.length))
  .slice(0, bodyBytes - 1)
  .concat('\n');

function message(
  era: McpEra,
  headers: HeaderLines,
  first: number,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Numbered {
  return {
    kind: 'numbered',
    method: 'POST',
    target: mcpPath,
    headers: [...headers, 'content-type: application/json', ...linesOf(headersOf(era, method, params))],
    body: JSON.stringify(messageOf(era, 1, method, params)),
    first,
  };
}

/** All contestants use the same server, one after the other. */
function contestant(
  bench: Bench,
  stoa: StoaSide,
  name: string,
  status: number,
  requests: Requests,
): Contestant<SteadyResult> {
  return { name, measure: steadyRound(bench, stoa, connections, status, requests).measure };
}

async function sendOnce(bench: Bench, { port }: StoaSide, requests: RequestSource): Promise<void> {
  const once = { secondsMax: 30, requestsMax: 1, pauseMs: 0 };
  await bench.generator.run({ port, connections: 1, requests, expect: [201], ...once });
}

/** A failing tool would also return status 200, and would be fast. */
async function assertToolsWork(stoa: StoaSide, workspaceId: string): Promise<void> {
  const client = openHttpClient(`http://127.0.0.1:${stoa.port}`);
  try {
    for (const [name, fields] of [
      ['read_file', { path }],
      ['write_file', { path: 'mcp/written.md', content: text }],
    ] as const) {
      for (const era of eras) {
        const call = { name, arguments: { workspaceId, ...fields } };
        const { method, target, headers, body } = message(era, stoa.headers, 0, 'tools/call', call);
        const response = await client.send(method, target, { body, headers: fieldsOf(headers) });
        const result = recordOf(jsonOf(response).result);
        assert.notEqual(result.isError, true, JSON.stringify(result).slice(0, 1000));
        assert.equal(integerAt(recordOf(result.structuredContent), 'version'), 1);
      }
    }
  } finally {
    await client.close();
  }
}

function nameOf(era: McpEra): string {
  return era === 'legacy' ? legacyRevision : modernRevision;
}

function linesOf(fields: Readonly<Record<string, string>>): HeaderLines {
  return Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
}

function fieldsOf(lines: HeaderLines): Readonly<Record<string, string>> {
  return Object.fromEntries(lines.map((header) => header.split(': ', 2)));
}

/** The processor time as a share of the allowance, which follows from the REST request in the same round. */
function costRow(rounds: Rounds<SteadyResult>, name: string, rest: string): Row {
  const { times, milliseconds } = allowance;
  const row = {
    figure: `${name}, processor time`,
    against: `${times} × ${rest} + ${milliseconds} ms`,
    target: atMost(1),
  };
  const costs = costsOf(rounds, name);
  const allowed = costsOf(rounds, rest)?.map((cost) => times * cost + milliseconds * 1000);
  if (costs === null || allowed === undefined) {
    return { ...row, result: { kind: 'not_measured', reason: 'this system does not tell processor time' } };
  }
  const shares = costs.map((cost, round) => cost / (allowed[round] ?? Number.NaN));
  return { ...row, result: { kind: 'ratio', ratio: shareOf(shares, 1) } };
}

function costsOf(rounds: Rounds<SteadyResult>, name: string): readonly number[] | null {
  const costs = resultsOf(rounds, name).map(({ cpuMicrosecondsPerRequest }) => cpuMicrosecondsPerRequest);
  return costs.every((cost) => cost !== null) ? costs : null;
}

function rateRow(rounds: Rounds<SteadyResult>, name: string, rest: string): Row {
  const rate = ({ requestsPerSecond }: SteadyResult) => requestsPerSecond;
  return compareRow(`${name}, requests per second`, rounds, [name, rest], rate, null);
}
