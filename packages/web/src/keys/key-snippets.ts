/** What a person puts into a program so that it uses a key, by program. */
export interface KeySnippet {
  /** The program's name: the name of the tab. */
  readonly program: string;
  readonly text: string;
}

/**
 * Ready configurations with the address of the service and the key filled in, the same as in docs/mcp.md.
 * @param origin Where the service is, without a slash at its end.
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
    { program: 'Claude Desktop', text: json({ mcpServers: { stoa: desktopServer(url, key) } }) },
    { program: 'curl', text: `curl -s ${origin}/api/me -H "x-api-key: ${key}"` },
  ];
}

/** Starts a program that speaks to the address. No space after the colon: some clients break an argument at spaces. */
function desktopServer(url: string, key: string) {
  const overPlainHttp =
    url.startsWith('http://') && !/^http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(url);
  return {
    command: 'npx',
    args: [
      '-y',
      'mcp-remote',
      url,
      '--transport',
      'http-only',
      ...(overPlainHttp ? ['--allow-http'] : []),
      '--header',
      `x-api-key:\${STOA_KEY}`,
    ],
    env: { STOA_KEY: key },
  };
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
