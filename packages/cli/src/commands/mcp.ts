import { namedFetch } from '../config/connect.ts';
import { readSource, type Source } from '../config/source.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { shownText } from '../output/shown-text.ts';
import type { AddCommand, Context } from './context.ts';

export const addMcp: AddCommand = ({ command, act }) =>
  command('mcp', 'an MCP server on standard input and output, for programs that can only start one')
    .option('--show-config', 'print what to put into such a program')
    .action(
      act(async (context, { showConfig = false }: { readonly showConfig?: boolean }) => {
        const { host, output, dir } = context;
        const source = await readSource(host, dir);
        if (showConfig) {
          tellConfig(context, source);
          return exitCodes.done;
        }
        // A hundred milliseconds that no other command waits for.
        const { relayMessages } = await import('../mcp/relay.ts');
        await relayMessages({
          apiBase: source.apiBase,
          apiKey: source.apiKey,
          readKey: async () => {
            const now = await readSource(host, dir).catch(() => source);
            return now.apiBase === source.apiBase ? now.apiKey : source.apiKey;
          },
          fetch: namedFetch(host),
          stdin: host.stdin,
          stdout: host.stdout,
          log: (line) => output.warn(`stoa mcp: ${shownText(line)}`),
          pace: host.pace,
          signal: host.signal,
        });
        return exitCodes.done;
      }),
    );

/** Absolute, since a desktop program has neither the person's PATH nor their folder. There is no secret in it. */
function tellConfig({ host, output }: Context, source: Source): void {
  const { node, script } = host.command;
  const args = source.kind === 'folder' ? [script, '-C', source.folder, 'mcp'] : [script, 'mcp'];
  const server = {
    command: node,
    args,
    ...(source.kind === 'folder' ? {} : { env: { STOA_URL: source.apiBase, STOA_KEY: '<the key>' } }),
  };
  output.data({ mcpServers: { stoa: server } });
  output.line(JSON.stringify({ mcpServers: { stoa: server } }, null, 2));
}
