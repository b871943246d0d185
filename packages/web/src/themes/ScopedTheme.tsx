import { documentNonce, scopedThemeCss } from './theme-css.ts';

export default function ScopedTheme({ css }: { readonly css: string }) {
  return <style nonce={documentNonce()}>{scopedThemeCss(css)}</style>;
}
