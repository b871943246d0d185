const redacted = '[redacted]';
/** What follows one of these path segments is a token: anybody who has one can open its link. */
const tokenFolders: ReadonlySet<string> = new Set(['s', 'invites', 'invite']);
/** Numbers that help when reading a log. Every other value of a query is left out, and so are these when not a number. */
const shownParameters: ReadonlySet<string> = new Set(['sinceSeq', 'limit', 'wait', 'version']);
const wholeNumber = /^\d{1,16}$/;

/**
 * A request target, in its origin form, that may be logged: tokens in the path are left out, also where the path only
 * resembles one that is served, and query values that could be secret.
 */
export function redactUrl(target: string): string {
  const [rawPath = '', query] = splitOnce(target, '?');
  const path = redactTokens(rawPath);
  if (query === undefined) return path;
  const parameters = query.split('&').map((parameter) => {
    const [name = '', value] = splitOnce(parameter, '=');
    if (value === undefined) return redacted;
    return shownParameters.has(name) && wholeNumber.test(value) ? parameter : `${name}=${redacted}`;
  });
  return `${path}?${parameters.join('&')}`;
}

function redactTokens(path: string): string {
  let before = '';
  return path
    .split('/')
    .map((segment) => {
      const shown = segment !== '' && tokenFolders.has(before) ? redacted : segment;
      // Slashes may be doubled.
      if (segment !== '') before = decoded(segment).toLowerCase();
      return shown;
    })
    .join('/');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
