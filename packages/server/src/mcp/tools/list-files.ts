import { extendedTools, type ToolInput, tools } from '@stoa/contract';
import { fileNameOf, parsePathPrefix, placeholderName } from '@stoa/core';
import type { WorkspaceAccess } from '../../service/access.ts';
import { withListing } from '../../service/files/with-listing.ts';
import { answerMax } from '../answer-size.ts';
import type { McpDeps } from '../mcp-deps.ts';
import { type ToolAnswer, workspaceTool } from '../tool.ts';
import { treeBuilder, treePage } from '../tree-lines.ts';

interface ListCall {
  readonly deps: McpDeps;
  readonly access: WorkspaceAccess;
  readonly input: ToolInput<typeof tools.listFiles>;
}

export const listFilesTool = workspaceTool(tools.listFiles, list);

export const listFilesOrTreeTool = workspaceTool(extendedTools.listFiles, async (call) => {
  const { deps, access, input } = call;
  const { depth, offset } = input;
  if (depth === undefined) return list(call);
  const prefix = parsePathPrefix(input.prefix);
  return withListing(deps.service, access, { prefix }, async ({ pages }) => {
    const tree = treeBuilder(prefix, depth);
    for await (const page of pages) for (const file of page) tree.add(file);
    const { text, end } = treePage(tree.lines, offset, answerMax);
    const left = tree.lines.length - end;
    const more = left > 0 ? [`${left} more lines: call again with offset ${end}`] : [];
    return { text: text.length === 0 ? '(no files)' : [...text, ...more].join('\n') };
  });
});

function list({ deps, access, input }: ListCall): Promise<ToolAnswer> {
  const { limit, offset } = input;
  const end = offset + limit;
  return withListing(deps.service, access, { prefix: parsePathPrefix(input.prefix) }, async ({ pages }) => {
    const lines: string[] = [];
    let count = 0;
    for await (const page of pages) {
      for (const { path, version, sizeBytes } of page) {
        if (fileNameOf(path) === placeholderName) continue;
        if (count >= offset && count < end) lines.push(`${path}\tv${version} ${sizeBytes} bytes`);
        count += 1;
      }
    }
    if (count > end) lines.push(`${count - end} more: call again with offset ${end}`);
    return { text: lines.length === 0 ? '(no files)' : lines.join('\n') };
  });
}
