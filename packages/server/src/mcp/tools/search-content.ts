import { extendedTools } from '@stoa/contract';
import { isGlob, parseWorkspacePath, WorkspaceError } from '@stoa/core';
import {
  type ContentFound,
  type ContentQuery,
  type FoundFile,
  searchContent,
} from '../../service/content-search/search-content.ts';
import { emptyScopeText } from '../missing-path.ts';
import { responseMax } from '../response-size.ts';
import { workspaceTool } from '../tool.ts';
import { searchWords } from './search-words.ts';

const wordsMax = 6;

export const searchContentTool = workspaceTool(
  extendedTools.searchContent,
  async ({ deps, access, restores, input }) => {
    if (input.mode === 'words') return searchWords({ deps, access, restores, input });
    const { query: text, path = '', after: afterText, mode: _, ...asked } = input;
    const after = afterText === undefined ? null : parseWorkspacePath(afterText);
    const search = (query: Partial<ContentQuery>) =>
      searchContent(deps.service, access, { ...asked, text, path, after, ...query });
    const found = await search({});
    if (found.totalLines === 0) {
      const nothing = `No match in ${filesText(found.searchedFiles)}. The text is taken literally: no patterns, one phrase. Mode words finds its words in any order.`;
      return { text: [nothing, ...(await scope()), ...(await alone()), ...unsearchedLines(found)].join(' ') };
    }
    const { shown, lines } = fitting(found.files);
    return { text: [factsOf(found, { ...asked, after }, shown), ...lines].join('\n') };

    /** Describes a folder or file that does not exist. */
    async function scope(): Promise<readonly string[]> {
      if (path === '' || found.searchedFiles > 0 || isGlob(path)) return [];
      const wanted = { path: parseWorkspacePath(path), restores, wants: 'any' } as const;
      return [await emptyScopeText(deps, access, wanted)].filter((known) => known !== null);
    }

    /** Counts the words of the text separately, to help with the next query. */
    async function alone(): Promise<readonly string[]> {
      const words = [...new Set(text.split(/[\s\p{P}]+/u))].filter((word) => word !== '' && word !== text);
      if (words.length < 2) return [];
      const counts: string[] = [];
      for (const word of words.slice(0, wordsMax)) {
        try {
          const { totalLines, stoppedAt } = await search({ text: word, limit: 0, context: 0 });
          counts.push(`${word} ${stoppedAt === null ? '' : 'at least '}${totalLines}`);
        } catch (error) {
          // This was only a hint, so it is dropped under load.
          if (!(error instanceof WorkspaceError) || error.code !== 'overloaded') throw error;
          return [];
        }
      }
      return [`Lines with its words alone: ${counts.join(', ')}.`];
    }
  },
);

function factsOf(
  found: ContentFound,
  { offset, after }: Pick<ContentQuery, 'offset' | 'after'>,
  shown: number,
): string {
  const { totalLines, totalFiles, searchedFiles, stoppedAt } = found;
  const files = `in ${totalFiles} of ${filesText(searchedFiles)}`;
  const last = offset + shown;
  if (shown === 0) {
    const behind = `There are ${linesText(totalLines)} ${files}: offset is behind the last.`;
    return [behind, ...(stoppedAt === null ? [] : unsearchedLines(found))].join(' ');
  }
  const which =
    offset === 0 && last === totalLines
      ? `${linesText(totalLines)} ${files}.`
      : `lines ${offset + 1}-${last} of ${stoppedAt === null ? '' : 'at least '}${totalLines} ${files}.`;
  if (last >= totalLines) return [which, ...unsearchedLines(found)].join(' ');
  const from = after === null ? '' : `after ${JSON.stringify(after)}, `;
  // The text of the next page already says where the search continues.
  const rest = unsearchedLines({ ...found, stoppedAt: null });
  return [which, `More: ${from}offset ${last}, or narrow path.`, ...rest].join(' ');
}

/** Reports skipped files, and how to continue if the search stopped early. */
function unsearchedLines({ stoppedAt, skipped, next }: ContentFound): readonly string[] {
  const count = skipped.notText + skipped.tooLarge;
  const isAre = count === 1 ? 'file is' : 'files are';
  const skippedText = count === 0 ? [] : [`${count} ${isAre} not text or over 8 MiB.`];
  if (stoppedAt === null) return skippedText;
  const from = [
    ...(next === null || next.after === null ? [] : [`after ${JSON.stringify(next.after)}`]),
    ...(next === null || next.offset === 0 ? [] : [`offset ${next.offset}`]),
  ].join(', ');
  const goOn = from === '' ? 'narrow path' : `continue with ${from}, or narrow path`;
  return [...skippedText, `The search ended before ${stoppedAt}: ${goOn}.`];
}

/** As many lines as fit in a response, grouped by path and version. */
function fitting(files: readonly FoundFile[]): { readonly shown: number; readonly lines: readonly string[] } {
  const shownLines: string[] = [];
  let shown = 0;
  let characters = 0;
  let bytes = 0;
  for (const { path, version, lines } of files) {
    let next = ['', `${path} v${version}`];
    let lastNumber = 0;
    const matches = new Set(lines.map(({ line }) => line));
    for (const { line, text, before, after } of lines) {
      const around = (first: number, texts: readonly string[]) =>
        texts.flatMap((each, at) => {
          const number = first + at;
          if (number <= lastNumber || matches.has(number)) return [];
          return [`${number}- ${each}`];
        });
      next.push(...around(line - before.length, before), `${line}: ${text}`);
      lastNumber = line;
      next.push(...around(line + 1, after));
      lastNumber = line + after.length;
      const added = next.join('\n');
      characters += added.length + 1;
      bytes += Buffer.byteLength(added) + 1;
      const isTooMuch = characters > responseMax.maxCharacters || bytes > responseMax.maxBytes;
      if (isTooMuch) return { shown, lines: shownLines };
      shownLines.push(...next);
      shown += 1;
      next = [];
    }
  }
  return { shown, lines: shownLines };
}

function filesText(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

function linesText(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}
