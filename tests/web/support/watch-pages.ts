import type { BrowserContext } from 'playwright-core';

/** What a test does on purpose. */
export interface Allowed {
  /** Messages that stand in the console as errors. */
  readonly messages?: readonly RegExp[];
  /** Origins that may be asked for something. */
  readonly origins?: readonly string[];
}

const violationMark = 'STOA-VIOLATION';
/** Chromium writes one for each answer with such a status. From the interface they are answers like others. */
const failedAnswer = /^Failed to load resource: (?:the server responded with a status of [45]\d\d|net::)/;

/**
 * Notes what no page of the app may do: break its policy, throw, log an error, or ask another origin for anything.
 * @returns what it noted, filled as it happens.
 */
export async function watchPages(
  context: BrowserContext,
  url: string,
  allowed: Allowed,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const { origin } = new URL(url);
  const origins = new Set([origin, ...(allowed.origins ?? [])]);
  // A violation is in the console too, but not each of them as an error.
  await context.addInitScript((mark) => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
      console.error(`${mark} ${effectiveDirective} ${blockedURI} ${sample}`);
    });
  }, violationMark);
  context.on('console', (message) => {
    if (message.type() !== 'error') return;
    const text = message.text();
    const from = message.location().url;
    if (failedAnswer.test(text) && isInterface(from, origin)) return;
    if (allowed.messages?.some((pattern) => pattern.test(text)) === true) return;
    problems.push(`console error: ${text} (${from})`);
  });
  context.on('weberror', (error) => {
    const thrown = error.error();
    problems.push(`thrown: ${thrown.stack ?? thrown.message}`);
  });
  context.on('request', (request) => {
    const address = new URL(request.url());
    const isLocal = ['data:', 'blob:', 'about:'].includes(address.protocol);
    if (!isLocal && !origins.has(address.origin))
      problems.push(`request to another origin: ${request.url()}`);
  });
  return problems;
}

function isInterface(address: string, origin: string): boolean {
  return (
    URL.canParse(address) &&
    new URL(address).origin === origin &&
    new URL(address).pathname.startsWith('/api/')
  );
}
