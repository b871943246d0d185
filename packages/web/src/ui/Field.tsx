import { type ComponentPropsWithRef, type ReactNode, useId } from 'react';
import './field.css';

export interface FieldProps extends Omit<ComponentPropsWithRef<'input'>, 'id' | 'className'> {
  readonly label: string;
  readonly description?: string | undefined;
  /** The id of the form's alert, if the alert concerns this field. */
  readonly wrongBy?: string | undefined;
}

/** A text field with a label. */
export function Field({ label, description, wrongBy, ...rest }: FieldProps) {
  return (
    <Labelled label={label} description={description} wrongBy={wrongBy}>
      {(attributes) => <input {...rest} {...attributes} className="ui-input" />}
    </Labelled>
  );
}

export interface TextAreaProps extends Omit<ComponentPropsWithRef<'textarea'>, 'id' | 'className'> {
  readonly label: string;
  readonly description?: string | undefined;
  readonly wrongBy?: string | undefined;
}

export function TextArea({ label, description, wrongBy, ...rest }: TextAreaProps) {
  return (
    <Labelled label={label} description={description} wrongBy={wrongBy}>
      {(attributes) => <textarea {...rest} {...attributes} className="ui-input ui-text-area" />}
    </Labelled>
  );
}

export interface SelectProps extends Omit<ComponentPropsWithRef<'select'>, 'id' | 'className' | 'onChange'> {
  readonly label: string;
  readonly description?: string | undefined;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** Puts the label next to the field instead of above. */
  readonly inline?: boolean;
  onChange(value: string): void;
}

export function Select({ label, description, options, inline = false, onChange, ...rest }: SelectProps) {
  return (
    <Labelled label={label} description={description} wrongBy={undefined} inline={inline}>
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
  wrongBy,
  inline = false,
  children,
}: {
  readonly label: string;
  readonly description: string | undefined;
  readonly wrongBy: string | undefined;
  readonly inline?: boolean;
  children(attributes: {
    readonly id: string;
    readonly 'aria-describedby': string | undefined;
    readonly 'aria-invalid': true | undefined;
  }): ReactNode;
}) {
  const id = useId();
  const describedBy = [description === undefined ? undefined : `${id}-description`, wrongBy].filter(
    (part) => part !== undefined,
  );
  return (
    <div className="ui-field" data-inline={inline ? true : undefined}>
      <label className="ui-label" htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': describedBy.length === 0 ? undefined : describedBy.join(' '),
        'aria-invalid': wrongBy === undefined ? undefined : true,
      })}
      {description === undefined ? null : (
        <p className="ui-description" id={`${id}-description`}>
          {description}
        </p>
      )}
    </div>
  );
}
