import { extendedTools, type ToolInput, tools } from '@stoa/contract';
import { fileNameOf, isGlob, parsePathPrefix, parseWorkspacePath, placeholderName } from '@stoa/core';
import { createWorkMeter } from '../../concurrency/work-meter.ts';
import type { WorkspaceAccess } from '../../service/access.ts';
import { withListing } from '../../service/files/with-listing.ts';
import type { McpDeps } from '../mcp-deps.ts';
import { emptyScopeText } from '../missing-path.ts';
import { responseMax } from '../response-size.ts';
import { type ToolResponse, workspaceTool } from '../tool.ts';
import { treeBuilder, treePage } from '../tree-lines.ts';

/** Fixed cost of a file in a tree, in units of `WorkMeter`; the length of its path is added. */
const treeUnits = 1000;

interface ListCall {
  readonly deps: McpDeps;
  readonly access: WorkspaceAccess;
  readonly input: ToolInput<typeof tools.listFiles>;
  readonly restores: boolean;
}

const nothing = '(no files)';

export const listFilesTool = workspaceTool(tools.listFiles, list);

/** In place of the standard set's `(no files)` it says what the prefix may mean. */
export const listFilesOrTreeTool = workspaceTool(extendedTools.listFiles, async (call) => {
  const { depth, prefix } = call.input;
  const listed = await (depth === undefined ? list(call) : tree(call, depth));
  if (listed.text !== nothing || prefix === '') return listed;
  const known = isGlob(prefix)
    ? `prefix is a folder. search_files takes globs: query ${JSON.stringify(prefix)}.`
    : await emptyScopeText(call.deps, call.access, {
        path: parseWorkspacePath(prefix),
        restores: call.restores,
        wants: 'folder',
      });
  return known === null ? listed : { text: `${nothing}\n${known}` };
});

function tree({ deps, access, input }: ListCall, depth: number): Promise<ToolResponse> {
  const { offset } = input;
  const prefix = parsePathPrefix(input.prefix);
  return withListing(deps.service, access, { prefix }, async ({ pages }) => {
    const tree = treeBuilder(prefix, depth);
    const meter = createWorkMeter();
    for await (const page of pages) {
      for (const file of page) {
        tree.add(file);
        await meter.spend(treeUnits + file.path.length);
      }
    }
    const { text, end } = treePage(tree.lines, offset, responseMax);
    const left = tree.lines.length - end;
    const more = left > 0 ? [`${left} more lines: call again with offset ${end}`] : [];
    return { text: text.length === 0 ? nothing : [...text, ...more].join('\n') };
  });
}

function list({ deps, access, input }: ListCall): Promise<ToolResponse> {
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
    return { text: lines.length === 0 ? nothing : lines.join('\n') };
  });
}
