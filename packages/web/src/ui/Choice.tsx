import { type ReactNode, useId } from 'react';
import { serverResponds, useStore } from '../store/store.ts';
import { ui } from '../text/en/ui.ts';
import { sayWhyNot } from './notices.ts';
import './choice.css';

export interface ChoiceOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** Decoration before the label, hidden from screen readers: a colour, an icon. */
  readonly picture?: ReactNode;
  readonly disabledBecause?: string | null | undefined;
}

export interface RadioGroupProps<Value extends string> {
  readonly label: string;
  readonly options: readonly ChoiceOption<Value>[];
  readonly value: Value;
  onChange(value: Value): void;
  /** `row`: side by side, wrapping; `segments`: as one control, for views and modes. */
  readonly layout?: 'column' | 'row' | 'segments';
  readonly hideLabel?: boolean;
  readonly disabled?: boolean;
}

export function RadioGroup<const Value extends string>({
  label,
  options,
  value,
  onChange,
  layout = 'column',
  hideLabel = false,
  disabled = false,
}: RadioGroupProps<Value>) {
  const id = useId();
  return (
    <div className="ui-radio-group" role="radiogroup" aria-labelledby={`${id}-label`} data-layout={layout}>
      <span className={hideLabel ? 'visually-hidden' : 'ui-legend'} id={`${id}-label`}>
        {label}
      </span>
      <div className="ui-radio-options">
        {options.map((option) => {
          const because = option.disabledBecause ?? null;
          return (
            <label
              className="ui-choice"
              key={option.value}
              data-checked={option.value === value ? true : undefined}
              {...(because === null ? {} : { title: because, 'data-disabled': true })}
            >
              <input
                type="radio"
                name={id}
                value={option.value}
                checked={option.value === value}
                disabled={disabled}
                {...(because === null ? {} : { 'aria-disabled': true, 'aria-description': because })}
                onChange={() => {
                  if (because === null) onChange(option.value);
                  else sayWhyNot(because);
                }}
              />
              {option.picture}
              <span>{option.label}</span>
            </label>
          );
        })}
      </div>
    </div>
  );
}

export interface OnOffProps {
  readonly label: string;
  readonly checked: boolean;
  onChange(checked: boolean): void;
  readonly description?: string | undefined;
  /** Disabled while the server does not respond. */
  readonly needsServer?: boolean;
  readonly disabledBecause?: string | null | undefined;
}

export function Checkbox(props: OnOffProps) {
  return <OnOff {...props} kind="checkbox" />;
}

/** Takes effect at once, unlike a checkbox, which waits for its form. */
export function Switch(props: OnOffProps) {
  return <OnOff {...props} kind="switch" />;
}

function OnOff({
  label,
  checked,
  onChange,
  description,
  needsServer = false,
  disabledBecause: because = null,
  kind,
}: OnOffProps & { readonly kind: 'checkbox' | 'switch' }) {
  const id = useId();
  const responses = useStore(serverResponds);
  const disabledBecause = because ?? (needsServer && !responses ? ui.notWhileOffline : null);
  return (
    <div className="ui-on-off">
      <label className="ui-choice" {...(disabledBecause === null ? {} : { 'data-disabled': true })}>
        <input
          type="checkbox"
          role={kind === 'switch' ? 'switch' : undefined}
          className={kind === 'switch' ? 'ui-switch' : undefined}
          checked={checked}
          aria-describedby={description === undefined ? undefined : `${id}-description`}
          {...(disabledBecause === null
            ? {}
            : { 'aria-disabled': true, 'aria-description': disabledBecause, title: disabledBecause })}
          onChange={(event) => {
            if (disabledBecause === null) onChange(event.target.checked);
            else sayWhyNot(disabledBecause);
          }}
        />
        <span>{label}</span>
      </label>
      {description === undefined ? null : (
        <p className="ui-description" id={`${id}-description`}>
          {description}
        </p>
      )}
    </div>
  );
}
