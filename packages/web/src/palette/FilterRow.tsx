import { find as texts } from '../text/en/find.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { filtersIn, filtersToAdd, withFilter, withoutFilter } from './find-filters.ts';
import './find.css';

/** The filters of a query as chips, which remove them, and others to add. */
export function FilterRow({
  query,
  folder,
  onChange,
}: {
  readonly query: string;
  /** Suggested as a filter; empty for none. */
  readonly folder: string;
  onChange(query: string): void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the buttons are actions, not fields of a form
    <div className="find-filters" role="group" aria-label={texts.filters}>
      {filtersIn(query).map((filter) => (
        <Button
          key={filter.start}
          className="find-chip"
          aria-label={texts.removeFilter(filter.text)}
          onPointerDown={keepFocus}
          onClick={() => onChange(withoutFilter(query, filter))}
        >
          {filter.text}
          <Icon name="close" size={14} />
        </Button>
      ))}
      {filtersToAdd(query, folder).map((filter) => (
        <Button
          key={filter}
          kind="quiet"
          className="find-offer"
          aria-label={texts.addFilter(filter)}
          onPointerDown={keepFocus}
          onClick={() => onChange(withFilter(query, filter))}
        >
          <Icon name="plus" size={14} />
          {filter}
        </Button>
      ))}
    </div>
  );
}

/** Keeps the focus in the field, and the keyboard of a phone open. */
function keepFocus(event: { preventDefault(): void }): void {
  event.preventDefault();
}
