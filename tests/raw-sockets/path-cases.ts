/**
 * The text after `/files/` in a request line, byte for byte (one character, one byte), and its result: the final form
 * of the path, or 400.
 */
export type PathCase = readonly [raw: string, expected: string | 400];

const rejected = (raws: readonly string[]): readonly PathCase[] => raws.map((raw) => [raw, 400] as const);
const repeat = (text: string, times: number, joiner = '') =>
  Array.from({ length: times }, () => text).join(joiner);
const hex = (code: number) => `%${code.toString(16).padStart(2, '0')}`;

export const dotDotRejected = rejected([
  '..',
  '../a.md',
  'a/..',
  'a/../b.md',
  'a/b/../../c.md',
  '../../../../etc/passwd',
  '%2e%2e',
  '%2E%2E',
  '%2e%2e/a.md',
  '%2e./a.md',
  '.%2e/a.md',
  '.%2E/a.md',
  'a/%2e%2e/b.md',
  'a/.%2e/b.md',
  '..%2fa.md',
  '..%2Fa.md',
  '%2e%2e%2fa.md',
  'a%2f..%2fb.md',
  'a%2f%2e%2e%2fb.md',
  'a%2f..',
  './../a.md',
  'a/./../b.md',
  'a//../b.md',
  '..//a.md',
  '/../a.md',
  'a/../',
  '..?x=1',
  '%2e%2e?download=1',
]);

export const dotsInNames: readonly PathCase[] = [
  ['a..b.md', 'a..b.md'],
  ['..a', '..a'],
  ['a..', 'a..'],
  ['...', '...'],
  ['....', '....'],
  ['a/.../b', 'a/.../b'],
  ['..%20', '.. '],
  ['%20..', ' ..'],
  ['..;', '..;'],
  ['..;/a', '..;/a'],
  ['.hidden', '.hidden'],
  ['a.', 'a.'],
  ['%EF%BC%8E%EF%BC%8E', '\uFF0E\uFF0E'],
  ['%E2%80%A4%E2%80%A4', '\u2024\u2024'],
  ['%E2%80%A5', '\u2025'],
];

export const backslashRejected = rejected([
  'a\\b.md',
  '\\a.md',
  '..\\a.md',
  'a%5cb.md',
  'a%5Cb.md',
  '%5c',
  '..%5c..%5ca.md',
  'a/%5c/b',
  'a.md%5c',
  '%5c%5chost%5cshare',
]);

export const nullRejected = rejected([
  'a%00.md',
  '%00',
  'a.md%00',
  '%00a',
  'a/%00/b',
  'a%00/../b',
  'a.md%00.png',
]);

export const controlRejected = rejected([
  ...Array.from({ length: 0x1f }, (_, n) => `a${hex(n + 1)}b`),
  'a%7fb',
  'a%7F',
  ...[0x80, 0x85, 0x8d, 0x90, 0x9b, 0x9f].map((code) => `a%c2${hex(code)}b`),
  '%0d%0aX-Injected:%201',
  'a/%0a',
  '%09',
]);

/** Rejected by the HTTP parser or by the path rules: in both cases 400, with any body. */
export const unparsableRejected = rejected([
  'a b.md',
  'a\tb.md',
  'a\0b.md',
  'a\x01b.md',
  'a\x1fb.md',
  'a\x7fb.md',
  'a.md HTTP/1.1 x',
]);

export const utf8Rejected = rejected([
  '%80',
  '%bf',
  '%ff',
  '%fe',
  '%fe%ff',
  'a%c3',
  'a%c3.md',
  '%c3%28',
  '%a0%a1',
  '%e2%82',
  '%e2%28%a1',
  '%e2%82%28',
  '%f0%9f%98',
  '%f0%28%8c%bc',
  '%f0%90%28%bc',
  '%f8%a1%a1%a1%a1',
  '%fc%a1%a1%a1%a1%a1',
  '%c0%ae%c0%ae',
  '%c0%ae%c0%ae%c0%afa.md',
  '%c0%af',
  '..%c0%afa.md',
  '%e0%80%af',
  '%e0%80%ae%e0%80%ae',
  '%f0%80%80%ae',
  '%f0%80%80%af',
  '%c1%9c',
  '%c1%bf',
  '%c0%80',
  '%e0%9f%bf',
  '%f0%8f%bf%bf',
  '%ed%a0%80',
  '%ed%bf%bf',
  '%ed%a0%bd',
  '%ed%a0%bd%ed%b8%80',
  '%ed%a0%80%ed%b0%80',
  '%f4%90%80%80',
  '%f5%80%80%80',
  '%f7%bf%bf%bf',
  'ok/%ff/ok',
]);

/** Bytes that a request line may not contain unencoded. Read as latin1 they would become other names. */
export const rawBytesRejected = rejected([
  '\xc3\xa9.md',
  'e\xcc\x81.md',
  '\xe9.md',
  '\xff',
  '\xf0\x9f\x98\x80.md',
]);

export const percentRejected = rejected([
  '%',
  'a%',
  'a%2',
  'a%zz',
  '%%',
  '%2',
  '%g0',
  '%u002e',
  '%-1',
  'a%/b',
  '%2%65',
  'a%2e%',
]);

export const decodedOnce: readonly PathCase[] = [
  ['%252e%252e', '%2e%2e'],
  ['%252e%252e/a', '%2e%2e/a'],
  ['a%252fb', 'a%2fb'],
  ['a%252F..%252Fb', 'a%2F..%2Fb'],
  ['a%255cb', 'a%5cb'],
  ['a%2500b', 'a%00b'],
  ['%25', '%'],
  ['100%25.md', '100%.md'],
  ['%25252e', '%252e'],
  ['%61.md', 'a.md'],
  ['%41%2E%6D%64', 'A.md'],
  ['%7Euser', '~user'],
  ['a+b.md', 'a+b.md'],
  ['a%2Bb.md', 'a+b.md'],
];

export const encodedSlash: readonly PathCase[] = [
  ['a%2fb.md', 'a/b.md'],
  ['a%2Fb%2Fc.md', 'a/b/c.md'],
  ['%2fa.md', 'a.md'],
  ['a%2f%2fb', 'a/b'],
  ['a%2f', 'a'],
  ['a/%2fb', 'a/b'],
];

export const droppedSegments: readonly PathCase[] = [
  ['/a.md', 'a.md'],
  ['//a.md', 'a.md'],
  ['a//b.md', 'a/b.md'],
  ['a///b//c', 'a/b/c'],
  ['a/', 'a'],
  ['a.md//', 'a.md'],
  ['./a.md', 'a.md'],
  ['a/./b.md', 'a/b.md'],
  ['a/.', 'a'],
  ['a/./', 'a'],
  ['%2e/a.md', 'a.md'],
  ['a/%2E/b', 'a/b'],
  ['././././a', 'a'],
  ['.//./a/.//b/.', 'a/b'],
];

export const emptyRejected = rejected(['', '/', '//', '.', './', '%2e', '%2f', './/.', '?download=1', '/?x']);

export const composed: readonly PathCase[] = [
  ['e%cc%81.md', 'é.md'],
  ['%c3%a9.md', 'é.md'],
  ['a%cc%8angstro%cc%88m', 'ångström'],
  ['%e2%84%ab', '\u00c5'],
  ['%e2%84%a6', '\u03a9'],
  ['%e2%84%aa', 'K'],
  ['%e1%84%80%e1%85%a1', '\uac00'],
  ['%ef%a4%80', '\u8c48'],
  ['%cd%be', ';'],
  ['%e1%bf%af', '`'],
  ['%e0%a5%98', '\u0915\u093c'],
  ['%e2%80%80', '\u2002'],
  ['q%cc%a3%cc%87', 'q\u0323\u0307'],
  ['q%cc%87%cc%a3', 'q\u0323\u0307'],
  ['%ef%ac%81', '\ufb01'],
  ['%ef%bd%81', '\uff41'],
  ['%c2%b2', '\u00b2'],
  ['e%cc%81/e%cc%81/x', 'é/é/x'],
];

export const caseKept: readonly PathCase[] = [
  ['README.MD', 'README.MD'],
  ['readme.md', 'readme.md'],
  ['%C3%89', 'É'],
  ['%c3%9f', 'ß'],
  ['%c4%b0', 'İ'],
];

export const anyName: readonly PathCase[] = [
  ['a%20b.md', 'a b.md'],
  ['%20a', ' a'],
  ['a%20', 'a '],
  ['%20', ' '],
  ['a%23b.md', 'a#b.md'],
  ['a%3Fb.md', 'a?b.md'],
  ['a%3fdownload=1', 'a?download=1'],
  ['a;b.md', 'a;b.md'],
  ['a%3Bb.md', 'a;b.md'],
  ['a;v=1/b', 'a;v=1/b'],
  ['a:b.md', 'a:b.md'],
  ['C:', 'C:'],
  ['a@b', 'a@b'],
  ['a&b=c', 'a&b=c'],
  ["it's", "it's"],
  ['(a)', '(a)'],
  ['a*b', 'a*b'],
  ['*', '*'],
  ['a!b', 'a!b'],
  ['$HOME', '$HOME'],
  ['a,b', 'a,b'],
  ['~', '~'],
  ['-', '-'],
  ['%22q%22', '"q"'],
  ['%3Cb%3E', '<b>'],
  ['%7Ba%7D', '{a}'],
  ['a%7Cb', 'a|b'],
  ['%5Ba%5D', '[a]'],
  ['[a]', '[a]'],
  ['%5E', '^'],
  ['%60a%60', '`a`'],
  ['.keep', '.keep'],
  ['folder/.keep', 'folder/.keep'],
  ['.git/config', '.git/config'],
  ['CON', 'CON'],
  ['nul.txt', 'nul.txt'],
  ['__proto__', '__proto__'],
  ['constructor/prototype', 'constructor/prototype'],
  ['null', 'null'],
  ['-1', '-1'],
  ['%25s%25n', '%s%n'],
  ['%27%20OR%201=1', "' OR 1=1"],
  ['%F0%9F%98%80.md', '\u{1F600}.md'],
  ['%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB', '\u{1F469}\u200D\u{1F4BB}'],
  ['%E6%97%A5%E6%9C%AC', '日本'],
  ['%C2%A0', '\u00a0'],
  ['%E2%80%A8', '\u2028'],
  ['%E2%80%AEtxt', '\u202Etxt'],
  ['%EF%BB%BFa', '\uFEFFa'],
  ['%EF%BC%8F', '\uFF0F'],
  ['%E2%88%95', '\u2215'],
  ['%EF%BF%BD', '\uFFFD'],
  ['%EF%BF%BF', '\uFFFF'],
  ['%F4%8F%BF%BF', '\u{10FFFF}'],
  ['%EE%80%80', '\uE000'],
  ['files/files', 'files/files'],
  ['list', 'list'],
  ['a?b.md', 'a'],
  ['a.md?', 'a.md'],
  ['a.md?x=../..', 'a.md'],
  ['a.md?x=%00', 'a.md'],
];

const longest = repeat('a'.repeat(204), 5, '/');

export const characterLimit: readonly PathCase[] = [
  [longest, longest],
  [`${longest}a`, 400],
  [`/.//${longest}//./`, longest],
  [`${longest}/b`, 400],
  [repeat('b', 512, '/'), repeat('b', 512, '/')],
  [repeat('b', 513, '/'), 400],
  [repeat(repeat('e%cc%81', 127), 8, '/'), repeat('é'.repeat(127), 8, '/')],
  [repeat(repeat('%f0%9f%98%80', 63), 16, '/'), repeat('\u{1F600}'.repeat(63), 16, '/')],
];

export const segmentLimit: readonly PathCase[] = [
  ['s'.repeat(255), 's'.repeat(255)],
  ['s'.repeat(256), 400],
  [`a/${'s'.repeat(256)}/b`, 400],
  [`a/${'s'.repeat(255)}/b`, `a/${'s'.repeat(255)}/b`],
  [`${repeat('%c3%a9', 127)}x`, `${'é'.repeat(127)}x`],
  [repeat('%c3%a9', 128), 400],
  [repeat('e%cc%81', 127), 'é'.repeat(127)],
  [repeat('e%cc%81', 128), 400],
  [repeat('%61', 255), 'a'.repeat(255)],
  [repeat('%f0%9f%98%80', 63), '\u{1F600}'.repeat(63)],
  [repeat('%f0%9f%98%80', 64), 400],
];

/** Whole request targets, with `{id}` for a workspace. None is a valid address, even if a normaliser accepts it. */
export const notAddresses: readonly string[] = [
  '/api/workspaces/{id}/./files/a.md',
  '/api/workspaces/{id}/x/../files/a.md',
  '/api/workspaces/{id}/%2e/files/a.md',
  '/api/workspaces/{id}/x/%2e%2e/files/a.md',
  '/api/./workspaces/{id}/files/a.md',
  '/api/x/../workspaces/{id}/files/a.md',
  '//api/workspaces/{id}/files/a.md',
  '/api//workspaces/{id}/files/a.md',
  '/api/workspaces//{id}/files/a.md',
  '/api/workspaces/{id}//files/a.md',
  '/API/workspaces/{id}/files/a.md',
  '/api/Workspaces/{id}/files/a.md',
  '/api/workspaces/{id}/FILES/a.md',
  '/api/workspaces/{id}%2ffiles/a.md',
  '/api/workspaces/{id}/files%2fa.md',
  '/api%2fworkspaces/{id}/files/a.md',
  '/api/workspaces/{id}/filesa.md',
  '/api/workspaces/{id}/files;x/a.md',
  '/x/../api/workspaces/{id}/files/a.md',
];

/** Request lines as a proxy sends them, with `{host}` for the server. */
export const absoluteForms: readonly PathCase[] = [
  ['http://{host}/api/workspaces/{id}/files/a.md', 'a.md'],
  ['http://{host}/api/workspaces/{id}/files/a%2fb.md', 'a/b.md'],
  ['http://{host}/api/workspaces/{id}/files/a/../b.md', 400],
  ['http://{host}/api/workspaces/{id}/files/%2e%2e/b.md', 400],
  ['http://{host}/api/workspaces/{id}/files/a%5cb.md', 400],
];
