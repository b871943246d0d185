import { type ReactNode, useEffect, useRef } from 'react';
import './combo-list.css';

export interface ComboOption {
  readonly key: string;
  readonly label: string;
  /** Shown instead of the label, with the same text. */
  readonly content?: ReactNode;
  readonly picture?: ReactNode;
  /** Next to the label, not part of the name. */
  readonly trailing?: ReactNode;
  /** Description for screen readers: its keys, or why it is disabled. */
  readonly description?: string | undefined;
}

/**
 * The list of a combobox. The focus stays in the field, which refers to the option by `aria-activedescendant`:
 * `{id}-{index}`.
 */
export function ComboList({
  id,
  label,
  options,
  at,
  empty,
  onPick,
}: {
  readonly id: string;
  readonly label: string;
  readonly options: readonly ComboOption[];
  readonly at: number;
  readonly empty: string;
  onPick(index: number): void;
}) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[id="${CSS.escape(`${id}-${at}`)}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);
  return (
    <>
      <div ref={list} id={id} className="ui-combo-list" role="listbox" aria-label={label}>
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus is in the field
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <div
            key={option.key}
            id={`${id}-${index}`}
            className="ui-combo-option"
            role="option"
            aria-label={option.label}
            aria-description={option.description}
            aria-selected={index === at}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onPick(index)}
          >
            {option.picture}
            <span className="ui-combo-label" dir="auto">
              {option.content ?? option.label}
            </span>
            {option.trailing}
          </div>
        ))}
      </div>
      <p
        className={options.length === 0 && empty !== '' ? 'ui-combo-empty' : 'visually-hidden'}
        role="status"
      >
        {options.length === 0 ? empty : ''}
      </p>
    </>
  );
}

/** The option that a key moves to, wrapping at the ends; null for other keys. */
export function comboKey(key: string, at: number, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count;
    case 'ArrowUp':
      return (at - 1 + count) % count;
    default:
      return null;
  }
}
