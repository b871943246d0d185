import { tools } from '@stoa/contract';
import { fileNameOf, parsePathPrefix, placeholderName } from '@stoa/core';
import { withListing } from '../../service/files/with-listing.ts';
import { workspaceTool } from '../tool.ts';

export const listFilesTool = workspaceTool(tools.listFiles, async ({ deps, access, input }) => {
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
});
