const redacted = '[redacted]';
/** Path segments that come right after these are tokens: anybody who has one can open its link. */
const tokenPaths = [/^(\/s\/)[^/?#]+/, /^(\/(?:api\/invites|invite)\/)[^/?#]+/];
/** Values that are not secrets, and help when reading a log. Every other value of a query is left out. */
const shownParameters: ReadonlySet<string> = new Set([
  'sinceSeq',
  'limit',
  'wait',
  'includeComments',
  'version',
  'order',
]);

/** A request target that may be logged: tokens in the path, and query values that could be secret, are left out. */
export function redactUrl(target: string): string {
  const [rawPath = '', query] = splitOnce(target, '?');
  let path = rawPath;
  for (const tokenPath of tokenPaths) path = path.replace(tokenPath, `$1${redacted}`);
  if (query === undefined) return path;
  const parameters = query.split('&').map((parameter) => {
    const [name = '', value] = splitOnce(parameter, '=');
    return value === undefined || shownParameters.has(name) ? parameter : `${name}=${redacted}`;
  });
  return `${path}?${parameters.join('&')}`;
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
