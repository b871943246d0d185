// Members write theme CSS. Scope and containment keep it from hiding or imitating the page around the text.
/**
 * Scopes a workspace's theme CSS to the content of reading views, where it overrides the app's own rules. Elements that
 * the app adds to a text (`data-extra`) are outside the theme's scope. The first layer keeps the theme from hiding them
 * through their ancestors, because its `!important` outranks the theme's. The server has cleaned the theme, so its
 * braces match. A browser without `@scope` ignores it.
 */
export function scopedThemeCss(css: string): string {
  return `${guard}\n@layer workspace {\n@scope (.stoa-content) to ([data-extra]) {\n${css}\n}\n}`;
}

/** Tokens used by the app's own marks. */
const markTokens = [
  ...['background', 'surface', 'text', 'text-muted', 'link', 'border', 'accent', 'focus'],
  ...['comment-mark', 'comment-mark-active', 'font'],
];
const eachToken = (line: (token: string) => string): string => markTokens.map(line).join(' ');

/** Marks within the article, and the elements around them. Scrolling elements may clip. */
const around = '.stoa-content:has([data-extra]), .stoa-content :has([data-extra])';

const guard = `@layer guard {
.reading-theme { ${eachToken((token) => `--stoa-own-${token}: var(--stoa-${token});`)} }
.stoa-content, .stoa-content * { ${eachToken((token) => `--stoa-own-${token}: inherit !important;`)} }
.stoa-content [data-extra] {
  ${eachToken((token) => `--stoa-${token}: var(--stoa-own-${token});`)}
  position: relative; z-index: 1;
  visibility: visible; pointer-events: auto; cursor: auto;
  font-family: var(--stoa-font); font-size: max(1em, 12px); font-size-adjust: none; font-stretch: normal;
  font-feature-settings: normal; font-variation-settings: normal; font-variant: normal;
  letter-spacing: normal; word-spacing: normal; text-indent: 0; text-transform: none; text-shadow: none;
  white-space: normal; writing-mode: horizontal-tb;
  -webkit-text-fill-color: currentcolor; -webkit-text-stroke: 0; -webkit-text-security: none;
}
.stoa-content :where([data-extra]:not(a, input)) { background: var(--stoa-background); color: var(--stoa-text-muted); }
.stoa-content a[data-extra] { background: var(--stoa-background); }
.stoa-content .reading-mark-button { background: var(--stoa-comment-mark) !important; color: var(--stoa-text) !important; }
.stoa-content .reading-mark-button:hover { background: var(--stoa-comment-mark-active) !important; }
.stoa-content, .stoa-content :not([data-extra], [data-extra] *), .stoa-content::before, .stoa-content::after,
.stoa-content :not([data-extra], [data-extra] *)::before, .stoa-content :not([data-extra], [data-extra] *)::after {
  z-index: auto !important; transform-style: flat !important;
}
${around} {
  opacity: 1 !important; filter: none !important; backdrop-filter: none !important; mix-blend-mode: normal !important;
  clip: auto !important; clip-path: none !important; mask: none !important;
  transform: none !important; translate: none !important; rotate: none !important; scale: none !important;
  offset: none !important; zoom: 1 !important; perspective: none !important; isolation: auto !important;
  will-change: auto !important; contain: none !important; container-type: normal !important;
  margin-inline: 0 !important; text-indent: 0 !important;
}
:is(${around}):not(pre, pre *, .reading-scroll) { overflow: visible !important; }
:is(${around}):not(.reading-chunk) { content-visibility: visible !important; }
.stoa-content > .reading-chunk { content-visibility: auto !important; }
.stoa-content > :is(.reading-alongside-top, .reading-footnotes) { contain: layout paint !important; }
.stoa-content :is(ul, ol):has(> [data-task]) { display: block !important; padding-inline-start: 24px !important; }
.stoa-content [data-task] { display: list-item !important; }
[data-alongside] :is(.stoa-content, .reading-chunk, .reading-alongside-top, .reading-footnotes) {
  display: block !important; position: relative !important; inset: auto !important; inline-size: auto !important;
  text-decoration: none !important;
}
[data-alongside] .stoa-content > * { padding-block-end: 24px !important; }
@container reading (inline-size >= 700px) {
  [data-alongside] .stoa-content > * { padding-inline-start: 184px !important; }
}
[data-alongside] .stoa-content { padding-inline: 0 !important; border: 0 !important; }
}`;

/** The nonce of this document; the policy blocks style elements without it. */
export function documentNonce(): string | undefined {
  const meta = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]');
  return meta?.nonce || undefined;
}
