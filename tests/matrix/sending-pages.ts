/** The headers by which a browser, or a program, identifies the page of a request. */
export type PageHeaders = Readonly<Record<string, string>>;

/** Senders that may act for the person: the app, and programs that are not pages. */
export function ownPages(own: string, appUrl: string) {
  return {
    'its own page': { 'sec-fetch-site': 'same-origin', origin: own },
    'its own page that hides its Origin': { 'sec-fetch-site': 'same-origin', origin: 'null' },
    'the address bar': { 'sec-fetch-site': 'none' },
    'its own page in an older browser': { origin: own },
    'the app on its own address': { origin: appUrl },
    'the app on a neighbour host': { 'sec-fetch-site': 'same-site', origin: appUrl },
    'a program without these headers': {},
  } as const satisfies Readonly<Record<string, PageHeaders>>;
}

/** Pages of other sites, which a visitor's browser sends with the visitor's cookie. */
export function foreignPages(own: string, appUrl: string) {
  return {
    'another site': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    'another site that hides its Origin': { 'sec-fetch-site': 'cross-site', origin: 'null' },
    'another site without an Origin': { 'sec-fetch-site': 'cross-site' },
    'a neighbour of the same site': { 'sec-fetch-site': 'same-site', origin: 'https://blog.stoa.example' },
    'a neighbour without an Origin': { 'sec-fetch-site': 'same-site' },
    'another site in an older browser': { origin: 'https://evil.example' },
    'a sandboxed frame in an older browser': { origin: 'null' },
    'another port of the same host': { origin: own.replace(/\d+$/, '1') },
    'another scheme of the same host': { origin: own.replace('http:', 'https:') },
    'a host that begins alike': { origin: `${appUrl}.evil.example` },
    'two origins at once': { origin: `${own}, https://evil.example` },
    'a value that no browser sends': { 'sec-fetch-site': 'same-origin, cross-site' },
  } as const satisfies Readonly<Record<string, PageHeaders>>;
}
