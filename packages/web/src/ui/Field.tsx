import { type ComponentPropsWithRef, type ReactNode, useId } from 'react';
import './field.css';

export interface FieldProps extends Omit<ComponentPropsWithRef<'input'>, 'id' | 'className'> {
  readonly label: string;
  readonly description?: string | undefined;
  /** What is wrong with it: said in the form's alert too, and read out with the field. */
  readonly error?: string | null | undefined;
}

/** A labelled line of text. */
export function Field({ label, description, error = null, ...rest }: FieldProps) {
  return (
    <Labelled label={label} description={description} error={error}>
      {(attributes) => <input {...rest} {...attributes} className="ui-input" />}
    </Labelled>
  );
}

export interface TextAreaProps extends Omit<ComponentPropsWithRef<'textarea'>, 'id' | 'className'> {
  readonly label: string;
  readonly description?: string | undefined;
  readonly error?: string | null | undefined;
}

export function TextArea({ label, description, error = null, ...rest }: TextAreaProps) {
  return (
    <Labelled label={label} description={description} error={error}>
      {(attributes) => <textarea {...rest} {...attributes} className="ui-input ui-text-area" />}
    </Labelled>
  );
}

export interface SelectProps extends Omit<ComponentPropsWithRef<'select'>, 'id' | 'className' | 'onChange'> {
  readonly label: string;
  readonly description?: string | undefined;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** The label stands beside it rather than above. */
  readonly inline?: boolean;
  onChange(value: string): void;
}

export function Select({ label, description, options, inline = false, onChange, ...rest }: SelectProps) {
  return (
    <Labelled label={label} description={description} error={null} inline={inline}>
      {(attributes) => (
        <select
          {...rest}
          {...attributes}
          className="ui-input ui-select"
          onChange={(event) => onChange(event.target.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

function Labelled({
  label,
  description,
  error,
  inline = false,
  children,
}: {
  readonly label: string;
  readonly description: string | undefined;
  readonly error: string | null;
  readonly inline?: boolean;
  children(attributes: {
    readonly id: string;
    readonly 'aria-describedby': string | undefined;
    readonly 'aria-invalid': true | undefined;
  }): ReactNode;
}) {
  const id = useId();
  const describedBy = [
    description === undefined ? null : `${id}-description`,
    error === null ? null : `${id}-error`,
  ].filter((part) => part !== null);
  return (
    <div className="ui-field" data-inline={inline ? true : undefined}>
      <label className="ui-label" htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': describedBy.length === 0 ? undefined : describedBy.join(' '),
        'aria-invalid': error === null ? undefined : true,
      })}
      {description === undefined ? null : (
        <p className="ui-description" id={`${id}-description`}>
          {description}
        </p>
      )}
      {error === null ? null : (
        <p className="ui-field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
