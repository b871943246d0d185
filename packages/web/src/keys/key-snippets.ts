/** The configuration of a program that uses a key. */
export interface KeySnippet {
  /** The program's name, also the label of its tab. */
  readonly program: string;
  readonly text: string;
}

/**
 * Ready configurations with the server's address and the key, the same as in docs/mcp.md.
 * @param origin the server's address, without a trailing slash
 */
export function keySnippets(origin: string, key: string): readonly KeySnippet[] {
  const url = `${origin}/api/mcp`;
  const headers = { 'x-api-key': key };
  return [
    {
      program: 'Claude Code',
      text: `claude mcp add --transport http stoa ${url} --header "x-api-key: ${key}"`,
    },
    { program: 'Cursor', text: json({ mcpServers: { stoa: { url, headers } } }) },
    { program: 'VS Code', text: json({ servers: { stoa: { type: 'http', url, headers } } }) },
    { program: 'Claude Desktop', text: json({ mcpServers: { stoa: desktopServer(origin, key) } }) },
    { program: 'curl', text: `curl -s ${origin}/api/me -H "x-api-key: ${key}"` },
  ];
}

/** Installs the command line from the server itself. */
export function installCommand(origin: string): string {
  return `npm install -g ${cliPackage(origin)}`;
}

function cliPackage(origin: string): string {
  return `${origin}/download/stoa-cli.tgz`;
}

/** Starts the command line, which forwards messages to the server. */
function desktopServer(origin: string, key: string) {
  const overPlainHttp =
    origin.startsWith('http://') && !/^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(?::|$)/.test(origin);
  return {
    command: 'npx',
    args: ['-y', cliPackage(origin), 'mcp'],
    env: { STOA_URL: origin, STOA_KEY: key, ...(overPlainHttp ? { STOA_ALLOW_HTTP: 'true' } : {}) },
  };
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
