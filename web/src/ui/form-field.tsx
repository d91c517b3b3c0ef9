import { IconAlertTriangle } from '@tabler/icons-react';
import { useId, type HTMLInputAutoCompleteAttribute, type ReactElement, type ReactNode, type Ref } from 'react';
import { plainFigures } from '../lib/digits.rules.ts';
import { fieldMessage } from './field-message.rules.ts';
import { useTypedText } from './use-typed-text.ts';
import './form-field.css';

/** What is wrong with a field, under it. */
export const FieldError = ({ id, text }: { readonly id: string; readonly text: string }): ReactElement => (
  <span className="err" id={id}>
    <IconAlertTriangle className="i i-s" stroke={1.75} aria-hidden="true" />
    {text}
  </span>
);

type FrameProps = {
  readonly id: string;
  readonly name: string;
  readonly label: ReactNode;
  readonly error: string | undefined;
  readonly hint?: string | undefined;
  readonly full?: boolean;
  readonly children: ReactNode;
};

/** A field under its label, and its fault and its hint under it. */
const Frame = ({ id, name, label, error, hint, full = false, children }: FrameProps): ReactElement => (
  <div className={`field${error === undefined ? '' : ' field--bad'}${full ? ' full' : ''}`}>
    <label htmlFor={id}>{label}</label>
    {children}
    {error !== undefined && <FieldError id={`${id}-e`} text={typeof label === 'string' ? fieldMessage(error, name, label) : error} />}
    {hint !== undefined && (
      <span className="hint" id={`${id}-h`}>
        {hint}
      </span>
    )}
  </div>
);

/** Ties a field to its fault and its hint, for those who hear it. */
const described = (id: string, error: string | undefined, hint?: string): { readonly 'aria-invalid': boolean; readonly 'aria-describedby'?: string } => {
  const notes = [error !== undefined && `${id}-e`, hint !== undefined && `${id}-h`].filter(Boolean).join(' ');
  return { 'aria-invalid': error !== undefined, ...(notes !== '' && { 'aria-describedby': notes }) };
};

type TextFieldProps = {
  /** Wire name: a form finds the field to focus by it. */
  readonly name: string;
  readonly label: ReactNode;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What is wrong with it; the wire name at its beginning is shown as the label. */
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  readonly type?: 'text' | 'email' | 'password';
  readonly inputMode?: 'numeric' | 'tel' | 'email';
  /** What is typed holds figures: they are kept in ASCII digits, whatever keyboard they come from. So are those of a number and of a phone. */
  readonly figures?: boolean;
  readonly maxLength?: number;
  readonly autoComplete?: HTMLInputAutoCompleteAttribute;
  readonly readOnly?: boolean;
  readonly optional?: boolean;
  readonly full?: boolean;
  readonly placeholder?: string;
  /** No phone makes the first letter a capital: what is typed may be a word that is compared letter by letter. */
  readonly autoCapitalize?: 'none';
  /** Choices that are offered; anything else may be written too. */
  readonly suggestions?: readonly string[];
};

/**
 * What can be seen of a line of text: phones put marks around a name that is copied, a table puts a tab behind it, and notes and papers have line ends and
 * other controls of their own. No field takes them, and nobody could find them.
 */
const seenText = (typed: string): string => typed.replace(/[\t\v\f\u0085\u2028\u2029]/g, ' ').replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '');

/** A labelled line of text with its hint and its fault. */
export const TextField = ({
  name,
  label,
  value,
  onChange,
  error,
  hint,
  type = 'text',
  inputMode,
  figures = inputMode === 'numeric' || inputMode === 'tel',
  maxLength,
  autoComplete = 'off',
  readOnly = false,
  optional = false,
  full = false,
  placeholder,
  autoCapitalize,
  suggestions,
}: TextFieldProps): ReactElement => {
  const id = useId();
  const plain = (typed: string): string => (type === 'password' ? typed : seenText(figures ? plainFigures(typed) : typed));
  const typing = useTypedText(value, plain, onChange);
  return (
    <Frame id={id} name={name} label={label} error={error} hint={hint} full={full}>
      <input
        {...typing}
        id={id}
        name={name}
        className="input"
        type={type}
        readOnly={readOnly}
        autoComplete={autoComplete}
        aria-required={!optional}
        {...described(id, error, hint)}
        {...(inputMode !== undefined && { inputMode })}
        {...(maxLength !== undefined && { maxLength })}
        {...(placeholder !== undefined && { placeholder })}
        {...(autoCapitalize !== undefined && { autoCapitalize })}
        {...(suggestions !== undefined && { list: `${id}-l` })}
      />
      {suggestions !== undefined && (
        <datalist id={`${id}-l`}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion}>
              {suggestion}
            </option>
          ))}
        </datalist>
      )}
    </Frame>
  );
};

type SelectFieldProps = {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly title: string }[];
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
};

/** One of a few, as the browser draws it. */
export const SelectField = ({ name, label, value, options, onChange, error }: SelectFieldProps): ReactElement => {
  const id = useId();
  return (
    <Frame id={id} name={name} label={label} error={error}>
      <select
        id={id}
        name={name}
        className="input"
        value={value}
        {...described(id, error)}
        onChange={(event) => {
          onChange(event.target.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.title}
          </option>
        ))}
      </select>
    </Frame>
  );
};

type TextAreaFieldProps = {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly maxLength: number;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
  readonly optional?: boolean;
  readonly ref?: Ref<HTMLTextAreaElement>;
};

/** A labelled text of several lines, with its fault. */
export const TextAreaField = ({ name, label, value, maxLength, onChange, error, optional = false, ref }: TextAreaFieldProps): ReactElement => {
  const id = useId();
  return (
    <Frame id={id} name={name} label={label} error={error}>
      <textarea
        id={id}
        name={name}
        ref={ref}
        className="input"
        maxLength={maxLength}
        value={value}
        aria-required={!optional}
        {...described(id, error)}
        onChange={(event) => {
          onChange(event.target.value);
        }}
      />
    </Frame>
  );
};

/** Focuses the field of that wire name in a form, clear of header and toasts; called after the fault has been rendered. */
export const focusField = (form: HTMLElement | null, name: string): void => {
  const field = form?.querySelector<HTMLElement>(`[name="${name}"], [data-field="${name}"]`);
  field?.focus();
  // A field that is in view but covered is not moved by the focus alone.
  field?.scrollIntoView({ block: 'nearest' });
};
