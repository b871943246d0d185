import { Option } from 'commander';
import { versionedFetch } from '../config/connect.ts';
import { readSource, type Source } from '../config/source.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { shownText } from '../output/shown-text.ts';
import type { AddCommand, Context } from './context.ts';

interface Flags {
  readonly showConfig?: boolean;
  readonly toolset?: 'standard' | 'extended' | 'files';
}

export const addMcp: AddCommand = ({ command, act }) =>
  command('mcp', 'run an MCP server on standard input and output')
    .addOption(
      new Option('--toolset <name>', 'use more tools, or only those for files').choices([
        'standard',
        'extended',
        'files',
      ]),
    )
    .option('--show-config', 'print the configuration for the program that starts it')
    .action(
      act(async (context, { showConfig = false, toolset }: Flags) => {
        const { host, output, dir } = context;
        const source = await readSource(host, dir);
        if (showConfig) {
          printConfig(context, source, toolset);
          return exitCodes.done;
        }
        // Loading takes about 100 ms, which other commands save.
        const { relayMessages } = await import('../mcp/relay.ts');
        await relayMessages({
          apiBase: source.apiBase,
          toolset: toolset ?? null,
          apiKey: source.apiKey,
          readKey: async () => {
            const now = await readSource(host, dir).catch(() => source);
            return now.apiBase === source.apiBase ? now.apiKey : source.apiKey;
          },
          fetch: versionedFetch(host),
          stdin: host.stdin,
          stdout: host.stdout,
          log: (line) => output.warn(`stoa mcp: ${shownText(line)}`),
          pace: host.pace,
          signal: host.signal,
        });
        return exitCodes.done;
      }),
    );

/**
 * Prints absolute paths, because a desktop program knows neither the user's PATH nor their folder. Prints no secret.
 */
function printConfig({ host, output }: Context, source: Source, toolset: string | undefined): void {
  const { node, script } = host.command;
  const words = toolset === undefined ? ['mcp'] : ['mcp', '--toolset', toolset];
  const args = source.kind === 'folder' ? [script, '-C', source.folder, ...words] : [script, ...words];
  const server = {
    command: node,
    args,
    ...(source.kind === 'folder' ? {} : { env: { STOA_URL: source.apiBase, STOA_KEY: '<the key>' } }),
  };
  output.data({ mcpServers: { stoa: server } });
  output.line(JSON.stringify({ mcpServers: { stoa: server } }, null, 2));
  output.note(`For another machine: npm install -g ${shownText(source.apiBase)}/download/stoa-cli.tgz`);
}
