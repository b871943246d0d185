import { StoaApiError } from './errors.ts';
import type { EmptyFilePrecondition, WriteOutcome } from './outcomes.ts';
import { readApiError, readJsonValue } from './read-answer.ts';
import type { RequestFacts, Transport } from './transport.ts';

/**
 * Writes a file without content: `PUT` refuses an empty body, which a broken upload looks like; the tool of agents takes
 * it (interface: mcp, File tools). The type follows the extension.
 */
export async function writeEmptyFile(
  send: Transport,
  workspaceId: string,
  path: string,
  precondition: EmptyFilePrecondition,
  options: Pick<RequestFacts, 'signal' | 'keepalive'> = {},
): Promise<WriteOutcome> {
  const baseVersion = precondition.kind === 'version' ? precondition.version : undefined;
  const call = { name: 'write_file', arguments: { workspaceId, path, content: '', baseVersion } };
  const request: RequestFacts = {
    method: 'POST',
    address: '/api/mcp',
    headers: { Accept: 'application/json, text/event-stream' },
    body: { kind: 'json', value: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call } },
    extraMs: 0,
    ...options,
  };
  const result = await send(request, async (response) => {
    if (!response.ok) throw await readApiError(response);
    return resultOf(await readJsonValue(response), response.status);
  });
  return outcomeOf(result, path, baseVersion);
}

function resultOf(message: unknown, status: number): Readonly<Record<string, unknown>> {
  const { result, error } = fieldsOf(message);
  const { content, structuredContent, isError } = fieldsOf(result);
  if (isError === true || error !== undefined || structuredContent === undefined) {
    const text =
      isError === true && Array.isArray(content) ? fieldsOf(content[0]).text : fieldsOf(error).message;
    throw new StoaApiError(typeof text === 'string' ? text : 'The answer is not that of a tool', {
      status: 400,
    });
  }
  return fieldsOf(structuredContent);

  function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
    if (value === undefined || value === null) return {};
    if (typeof value === 'object' && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>;
    throw new StoaApiError('The answer is not that of a tool', { status });
  }
}

function outcomeOf(
  data: Readonly<Record<string, unknown>>,
  path: string,
  baseVersion: number | undefined,
): WriteOutcome {
  const whole = (name: string): number => {
    const value = data[name];
    if (Number.isSafeInteger(value)) return value as number;
    throw new StoaApiError(`The answer of the tool has no ${name}`, { status: 200 });
  };
  if (data.ok === true) {
    const version = whole('version');
    const kind =
      version === 1 && baseVersion === undefined
        ? 'created'
        : version === (baseVersion ?? 0) + 1
          ? 'updated'
          : 'unchanged';
    return { kind, path, version };
  }
  if (typeof data.conflictCopyPath === 'string') {
    return {
      kind: 'conflict',
      currentVersion: whole('currentVersion'),
      conflictCopyPath: data.conflictCopyPath,
    };
  }
  if (data.fileCountExceeded === true) {
    return { kind: 'file_count_exceeded', usedFiles: whole('usedFiles'), limitFiles: whole('limitFiles') };
  }
  const kind = data.historyExceeded === true ? 'history_exceeded' : 'quota_exceeded';
  return { kind, usedBytes: whole('usedBytes'), limitBytes: whole('limitBytes') };
}
