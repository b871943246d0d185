import { extendedTools, type ToolInput } from '@stoa/contract';
import { invalidRequest, parseWorkspacePath, WorkspaceError } from '@stoa/core';
import { blameFile, type WrittenLines } from '../../service/editing/blame-file.ts';
import { type FileLines, linedFileMaxBytes, readLines } from '../../service/editing/read-lines.ts';
import { readFile } from '../../service/files/read-file.ts';
import { actorNames } from '../../service/people/actor-names.ts';
import { linesText } from '../counted.ts';
import type { McpDeps } from '../mcp-deps.ts';
import { responseMax } from '../response-size.ts';
import { workspaceTool } from '../tool.ts';

const lineMaxCharacters = 2_000;
const window = { ...responseMax, lineMaxCharacters };
/** The authors come before the lines and reduce their space. */
const writersMaxCharacters = 12_000;
const windowWithWriters = { maxCharacters: 26_000, maxBytes: 36_000, lineMaxCharacters };
const triesMax = 3;

/** Maximum number of lines that one call can show; the limit of characters is reached first. */
const linesMax = 100_000;

/** Resolves the wanted lines from `count`, `to` or `range`. */
function linesWanted({ from, count, to, range }: ToolInput<typeof extendedTools.readLines>) {
  const [first, last] = range ?? [from, to];
  if (first === undefined || last === undefined || last === -1)
    return { from: first ?? from, count: last === undefined ? count : linesMax };
  if (first === 0 || last < first || first < 0 !== last < 0)
    throw invalidRequest('to: must be a line at or after from, counted from the same end');
  return { from: first, count: last - first + 1 };
}

export const readLinesTool = workspaceTool(
  extendedTools.readLines,
  async ({ deps, access, input: given }) => {
    const input = { ...given, ...linesWanted(given) };
    const path = parseWorkspacePath(input.path);
    for (let tries = 0; tries < triesMax; tries += 1) {
      const blame = input.blame === true ? await blameFile(deps.service, access, { path }) : null;
      const readable = await readFile(deps.service, access, { path, opens: 'surely' });
      const { version, contentHash, sizeBytes } = readable.file;
      if (blame !== null && blame.file.contentHash !== contentHash) continue;
      if (sizeBytes > linedFileMaxBytes) {
        throw invalidRequest(
          `${path} has ${sizeBytes} bytes; read_lines reads files of up to 64 MiB. Next: read_file with offset and maxBytes.`,
        );
      }
      const read = await readLines(readable, {
        ...input,
        ...(blame === null ? window : windowWithWriters),
      });
      const { from, to, total, text } = read;
      const lines = total === 0 ? '0 lines' : `${linesText(from, to)} of ${total}`;
      const beyond =
        input.from > total && total > 0 ? ` There is no line ${input.from}: this is the last.` : '';
      const more = to < total ? ` More: from ${to + 1}.` : '';
      const writers = blame === null ? '' : await writersOf(deps, blame.lines, read);
      return { text: `${path} v${version}, ${lines}.${beyond}${more}\n${writers}${text}` };
    }
    throw new WorkspaceError('overloaded', {}, 'The file is being changed: call again');
  },
);

/** One line for each shown range of lines with the same author, and an empty one. */
async function writersOf(deps: McpDeps, written: readonly WrittenLines[], shown: FileLines): Promise<string> {
  const nameOf = actorNames(deps.service.store.reader.users);
  const ranges = written.filter(({ from, to }) => to >= shown.from && from <= shown.to);
  const reported: string[] = [];
  let characters = 0;
  for (const { from, to, by, orEarlier } of ranges) {
    const { row, movedFrom } = by;
    const time = new Date(row.createdAt).toISOString().slice(0, 16).replace('T', ' ');
    const version = `v${row.version}${movedFrom === null ? '' : ` of ${movedFrom}`}`;
    const lines = `${Math.max(from, shown.from)}-${Math.min(to, shown.to)}`;
    const line = `${lines} ${await nameOf(row)} ${version} ${time}${orEarlier ? ' or earlier' : ''}\n`;
    characters += line.length;
    if (characters > writersMaxCharacters) {
      reported.push(`${ranges.length - reported.length} more ranges: read fewer lines\n`);
      break;
    }
    reported.push(line);
  }
  return `${reported.join('')}\n`;
}
