import { history as texts } from '../text/en/history.ts';
import { Button } from '../ui/Button.tsx';

/** The bar for an earlier version that cannot be shown, on the page of its file: the reason and a way back. */
export function MissingVersion({ why, onBack }: { readonly why: string; onBack(): void }) {
  return (
    <section aria-label={texts.earlier} className="earlier-version">
      <div className="earlier-version-head">
        <p className="earlier-version-text">{why}</p>
        <Button kind="primary" onClick={onBack}>
          {texts.backToCurrent}
        </Button>
      </div>
    </section>
  );
}
