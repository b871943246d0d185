import type { BrowserContext } from 'playwright-core';

/** Problems that a test causes on purpose. */
export interface Allowed {
  /** Errors in the console. */
  readonly messages?: readonly RegExp[];
  /** Origins that may get a request. */
  readonly origins?: readonly string[];
}

const violationMark = 'STOA-VIOLATION';
/** Chromium logs one for each response with such a status, which is normal for the API. */
const failedResponse = /^Failed to load resource: (?:the server responded with a status of [45]\d\d|net::)/;

/**
 * Records forbidden actions of a page: breaking the policy, throwing, logging an error, or a request to another origin.
 * @returns the problems, filled as they happen.
 */
export async function watchPages(
  context: BrowserContext,
  url: string,
  allowed: Allowed,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const { origin } = new URL(url);
  const origins = new Set([origin, ...(allowed.origins ?? [])]);
  // The console also reports violations, but not all of them as errors.
  await context.addInitScript((mark) => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
      console.error(`${mark} ${effectiveDirective} ${blockedURI} ${sample}`);
    });
  }, violationMark);
  context.on('console', (message) => {
    if (message.type() !== 'error') return;
    const text = message.text();
    const from = message.location().url;
    if (failedResponse.test(text) && isInterface(from, origin)) return;
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
