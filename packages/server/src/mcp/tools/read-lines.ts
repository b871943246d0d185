import { extendedTools } from '@stoa/contract';
import { invalidRequest, parseWorkspacePath } from '@stoa/core';
import { linedFileMaxBytes, readLines } from '../../service/editing/read-lines.ts';
import { readFile } from '../../service/files/read-file.ts';
import { answerMax } from '../answer-size.ts';
import { workspaceTool } from '../tool.ts';

const window = { ...answerMax, lineMaxCharacters: 2_000 };

export const readLinesTool = workspaceTool(extendedTools.readLines, async ({ deps, access, input }) => {
  const path = parseWorkspacePath(input.path);
  const readable = await readFile(deps.service, access, { path });
  const { version, sizeBytes } = readable.file;
  if (sizeBytes > linedFileMaxBytes) {
    throw invalidRequest(
      `${path} has ${sizeBytes} bytes; read_lines reads files of up to 64 MiB. Next: read_file with offset and maxBytes.`,
    );
  }
  const { from, to, total, text } = await readLines(readable, { ...input, ...window });
  const lines = total === 0 ? '0 lines' : `lines ${from}-${to} of ${total}`;
  const beyond = input.from > total && total > 0 ? ` There is no line ${input.from}: this is the last.` : '';
  const more = to < total ? ` More: from ${to + 1}.` : '';
  return { text: `${path} v${version}, ${lines}.${beyond}${more}\n${text}` };
});
