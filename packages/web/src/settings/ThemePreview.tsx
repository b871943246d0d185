import { colorTokens } from '@stoa/core';
import { useMemo } from 'react';
import { useStore } from '../store/store.ts';
import { settings as texts } from '../text/en/settings.ts';
import { themePreference } from '../themes/active-theme.ts';

/** A preview of the saved theme CSS in its own frame: this page never loads that CSS. */
export function ThemePreview({ css }: { readonly css: string }) {
  const preference = useStore(themePreference);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  const document = useMemo(() => previewDocument(css), [css, preference]);
  return (
    <article aria-label={texts.preview}>
      <h2>{texts.preview}</h2>
      <iframe className="settings-preview" title={texts.preview} sandbox="" srcDoc={document} />
    </article>
  );
}

/**
 * The frame inherits this page's policy, so its styles need this page's nonce. Theme CSS as saved by the server
 * contains no `<`; a text that does is not shown.
 */
function previewDocument(css: string): string {
  const nonceElement = document.querySelector<HTMLElement>('meta[property="csp-nonce"]');
  const nonce = nonceElement?.nonce ?? '';
  const colors = getComputedStyle(document.documentElement);
  const tokens = colorTokens
    .map((token) => `--stoa-${token}: ${colors.getPropertyValue(`--stoa-${token}`)};`)
    .join(' ');
  const kept = css.includes('<') ? '' : css;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${texts.preview}</title>
<style nonce="${nonce}">:root { ${tokens} }
body { margin: 0; padding: 16px; background: var(--stoa-background); color: var(--stoa-text); font: 16px/1.65 system-ui, sans-serif; }
a { color: var(--stoa-link); } code, pre { background: var(--stoa-code-background); }
@scope (.stoa-content) { ${kept} }</style></head>
<body><div class="stoa-content"><h2>${texts.sample.heading}</h2><p>${texts.sample.text} <a href="#">${texts.sample.link}</a> <code>code</code></p>
<ul><li>${texts.sample.item}</li><li>${texts.sample.item}</li></ul><blockquote>${texts.sample.quote}</blockquote></div></body></html>`;
}
