import assert from 'node:assert/strict';
import type { McpClient, McpEra, ToolResult } from '../support/mcp-client.ts';
import { integerAt, recordsAt, textAt } from '../support/response.ts';
import { choosePath, choosePrecondition, chooseVersion } from './choose.ts';
import { type Command, contentOf, type Via } from './commands.ts';
import { compareContent, compareData, compareError, compareTextOnly } from './compare-tool-result.ts';
import type { Caller } from './player.ts';
import type { WorkspaceModel } from './workspace-model.ts';

/** Options that only REST has, in contrast to the standard tools. */
const restOnly = ['versions', 'changes', 'undo', 'search-content', 'find', 'resolve', 'move-folder'] as const;
type RestOnly = (typeof restOnly)[number];
export type ToolCommand = Exclude<Command, { readonly kind: RestOnly }>;

export function hasTool(command: Command): command is ToolCommand {
  return !restOnly.some((kind) => kind === command.kind);
}

/** Calls the tool of a command and compares its result with the model's. */
export async function toolStep(
  command: ToolCommand,
  model: WorkspaceModel,
  { actor, tools }: Caller,
  era: McpEra,
): Promise<void> {
  const tool = tools[era];
  const { encoding } = command.via;
  switch (command.kind) {
    case 'put': {
      const content = contentOf(command.content);
      const path = choosePath(command.path, model);
      const wanted = choosePrecondition({ ...command, hash: 'none' }, model, path);
      // Without a version a tool creates. An existing file stays, and the sent bytes are kept as a copy.
      const precondition = wanted.kind === 'version' ? wanted : ({ kind: 'absent' } as const);
      const base = precondition.kind === 'version' ? { baseVersion: precondition.version } : {};
      const sent = { path, content: encoded(content, encoding), ...base, ...encodingOf(encoding) };
      const result = await tool.call('write_file', sent);
      const isGone = precondition.kind === 'version' && model.versionOf(path) === null;
      const movedTo = isGone ? model.movedTo(path, actor) : null;
      if (movedTo !== null) return compareData(result, { ok: false, error: 'moved', movedTo });
      const copy = result.data.ok === false ? textAt(result.data, 'conflictCopyPath') : null;
      const write = { path, content, contentType: null, precondition };
      const expected = model.put(actor, write, copy, { emptyAllowed: true });
      switch (expected.status) {
        case 200:
        case 201:
          return compareData(result, { ok: true, version: expected.json?.version });
        case 412: {
          const { current_version: currentVersion, conflict_copy_path: conflictCopyPath } =
            expected.json ?? {};
          return compareData(result, { ok: false, currentVersion, conflictCopyPath });
        }
        default:
          return compareError(result, expected);
      }
    }
    case 'delete': {
      const path = choosePath(command.path, model);
      const version = chooseVersion(command.version, model.versionOf(path));
      if (version === null) {
        const result = await tool.call('delete_file', { path });
        assert.ok(result.isError && result.text.startsWith('baseVersion is missing'), JSON.stringify(result));
        return;
      }
      const result = await tool.call('delete_file', { path, baseVersion: version });
      const expected = model.delete(actor, path, { version, hash: null });
      if (expected.status === 204) return compareTextOnly(result, [path, version]);
      return compareError(result, expected, [expected.json?.current_version ?? '']);
    }
    case 'move': {
      const from = choosePath(command.from, model);
      const to = choosePath(command.to, model);
      // Skips a move into or out of its own name, because the interface does not define whether the source still
      // blocks it.
      if (from.startsWith(`${to}/`) || to.startsWith(`${from}/`)) return;
      const result = await tool.call('move_file', { from, to });
      const expected = model.move(actor, from, to, null);
      return expected.status === 200
        ? compareTextOnly(result, [from, to, 'version 1'])
        : compareError(result, expected);
    }
    case 'restore': {
      const path = choosePath(command.path, model);
      const { version: targetVersion } = command;
      const result = await tool.call('restore_file', { path, targetVersion });
      const expected = model.restore(actor, path, targetVersion, null, { followsMoves: true });
      if (expected.status !== 200) return compareError(result, expected);
      const version = expected.json?.version;
      return compareData(result, { status: 'ok', version, restoredFrom: targetVersion });
    }
    case 'private': {
      const path = choosePath(command.path, model);
      const { node: kind, private: isPrivate } = command;
      // By default the kind is folder and the item becomes private.
      const given = { ...(kind === 'folder' ? {} : { kind }), ...(isPrivate ? {} : { private: false }) };
      const result = await tool.call('set_private', { path, ...given });
      const expected = model.setPrivate(actor, path, kind, isPrivate);
      return expected.status === 200
        ? compareTextOnly(result, [path, isPrivate ? 'private' : 'shared'])
        : compareError(result, expected);
    }
    case 'get': {
      const path = choosePath(command.path, model);
      const expected = model.get(actor, path, null);
      const given = { path, ...encodingOf(encoding) };
      if (command.window !== null && expected.status === 200) {
        const whole = Buffer.from(expected.bytes ?? '');
        return compareWindows(tool, given, whole, command.window);
      }
      return compareContent(await tool.call('read_file', given), expected, encoding, 'window');
    }
    case 'version': {
      const path = choosePath(command.path, model);
      const { version } = command;
      const result = await tool.call('read_file_version', { path, version, ...encodingOf(encoding) });
      const expected = model.readVersion(actor, path, version, null, { followsMoves: true });
      return compareContent(result, expected, encoding, 'nothing');
    }
    case 'list': {
      const { prefix, page } = command;
      const given = { ...(prefix === '' ? {} : { prefix }), ...page };
      const result = await tool.call('list_files', given);
      const lines = model
        .entries(actor, prefix)
        .map(({ path, version, size }) => `${path}\tv${version} ${size} bytes`);
      return compareLines(result, lines, page);
    }
    case 'search': {
      const result = await tool.call('search_files', { query: command.query, limit: 200 });
      const expected = model.search(actor, command.query);
      const shown = recordsAt(result.data, 'results').map(({ path, isDir }) => `${path}${isDir ? '/' : ''}`);
      assert.deepEqual(shown.toSorted(), expected);
      for (const path of shown) assert.ok(result.text.includes(path), result.text);
      const results = shown.map((path) => ({
        path: path.replace(/\/$/, ''),
        name: path.replace(/\/$/, '').split('/').at(-1),
        isDir: path.endsWith('/'),
      }));
      return compareData(result, { results, totalMatches: expected.length }, [expected.length]);
    }
    case 'usage': {
      const result = await tool.call('get_usage', {});
      const { usedBytes, usedFiles } = model.usage();
      const unlimited = { limitBytes: null, remainingBytes: null, limitFiles: null, remainingFiles: null };
      return compareData(result, { usedBytes, usedFiles, warning: false, ...unlimited }, [
        usedBytes,
        usedFiles,
      ]);
    }
  }
}

/** Reads a file window by window. The windows together are the file. */
async function compareWindows(
  tool: Pick<McpClient, 'call'>,
  given: Readonly<Record<string, unknown>>,
  whole: Buffer,
  window: number,
): Promise<void> {
  const maxBytes = (whole.length > 1000 ? 16 * 1024 : 4) + window;
  const parts: Buffer[] = [];
  let offset: number | null = 0;
  for (let left = whole.length + 1; offset !== null && left > 0; left -= 1) {
    const { isError, data }: ToolResult = await tool.call('read_file', { ...given, maxBytes, offset });
    assert.ok(!isError, `the window at ${offset} is rejected`);
    parts.push(Buffer.from(textAt(data, 'content'), given.encoding === 'base64' ? 'base64' : 'utf8'));
    assert.equal(data.size, whole.length);
    offset = data.nextOffset === null ? null : integerAt(data, 'nextOffset');
  }
  assert.equal(offset, null, 'the windows do not end');
  assert.equal(Buffer.concat(parts).toString('utf8'), whole.toString('utf8'));
}

function compareLines(
  result: ToolResult,
  all: readonly string[],
  page: { readonly limit: number; readonly offset: number } | null,
): void {
  const { offset, limit } = page ?? { offset: 0, limit: all.length };
  const lines = all.slice(offset, offset + limit);
  const left = all.length - offset - limit;
  const shown = result.text.split('\n');
  if (left > 0) {
    const last = shown.pop() ?? '';
    assert.match(last, new RegExp(`\\b${left}\\b.*\\boffset ${offset + limit}\\b`));
  }
  assert.deepEqual(shown, lines.length === 0 ? ['(no files)'] : lines);
  compareTextOnly(result, []);
}

function encoded(content: string, encoding: Via['encoding']): string {
  return encoding === 'utf8' ? content : Buffer.from(content).toString('base64');
}

/** By default the encoding is text. */
function encodingOf(encoding: Via['encoding']): { readonly encoding?: 'base64' } {
  return encoding === 'utf8' ? {} : { encoding };
}
