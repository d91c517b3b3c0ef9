import { IconCamera, IconFileText, IconPhoto } from '@tabler/icons-react';
import { useId, useRef, useState, type DragEvent, type ReactElement } from 'react';
import { fieldMessage } from './field-message.rules.ts';
import { FieldError } from './form-field.tsx';

/** Addresses of chosen pictures: few and small, kept as long as the page. */
const previews = new WeakMap<Blob, string>();

/** Address of a chosen picture, while it is shown; undefined for no file or another kind of file. */
export const previewOf = (file: Blob | undefined): string | undefined => {
  if (!file?.type.startsWith('image/')) return undefined;
  const address = previews.get(file) ?? URL.createObjectURL(file);
  previews.set(file, address);
  return address;
};

const icons = { camera: IconCamera, picture: IconPhoto, document: IconFileText } as const;

type FileFieldProps = {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly icon: keyof typeof icons;
  /** What the browser's dialog offers: `image/*` and the like. */
  readonly accept: string;
  readonly file: File | undefined;
  readonly onChoose: (file: File) => void;
  /** Takes off what was chosen, or what was refused; undefined while there is nothing to take off. */
  readonly onRemove?: (() => void) | undefined;
  readonly error?: string | undefined;
  readonly full?: boolean;
  /** A picture that is kept already, shown until another is chosen. */
  readonly current?: string | undefined;
  /** Only shows what was chosen. */
  readonly readOnly?: boolean;
  /** The file is being made smaller. */
  readonly busy?: boolean;
};

/** A file: chosen by click or keyboard, taken with the camera on a phone, or dropped. Shows what was chosen. */
export const FileField = ({
  name,
  label,
  hint,
  icon,
  accept,
  file,
  onChoose,
  onRemove,
  error,
  full = false,
  current,
  readOnly = false,
  busy = false,
}: FileFieldProps): ReactElement => {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const preview = previewOf(file);
  const picture = preview ?? (file ? undefined : current);
  const Icon = icons[icon];
  const notes = [error !== undefined && `${id}-e`, file && `${id}-f`, `${id}-h`].filter(Boolean).join(' ');
  const drop = (event: DragEvent): void => {
    // Also where it is not taken: the browser would open the file in place of the page, or beside it.
    event.preventDefault();
    setOver(false);
    const dropped = event.dataTransfer.files[0];
    if (dropped && !readOnly) onChoose(dropped);
  };
  return (
    <div className={`field${error === undefined ? '' : ' field--bad'}${full ? ' full' : ''}`}>
      <label htmlFor={id}>{label}</label>
      {/* Dropping is one more way to use the field inside, which the keyboard reaches. */}
      <div
        className={`drop${over ? ' drop--over' : ''}${readOnly ? ' drop--still' : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(!readOnly);
        }}
        onDragLeave={() => {
          setOver(false);
        }}
        onDrop={drop}
      >
        {picture ? (
          <img className="drop__thumb" src={picture} alt="" />
        ) : (
          <span className={`drop__thumb${file ? ' drop__thumb--done' : ''}`}>
            <Icon className="i" stroke={1.75} aria-hidden="true" />
          </span>
        )}
        <span>
          {file ? (
            // The browser's own words stay 'No file chosen': the input is emptied once it has given the file.
            <b id={`${id}-f`}>
              <span className="sr">Chosen:</span>
              {` ${file.name}`}
            </b>
          ) : (
            <span>
              <b>{current ? 'Choose another file' : 'Choose a file'}</b> or drop it here
            </span>
          )}
          <br />
          <span className="hint" id={`${id}-h`} aria-live="polite">
            {busy ? 'Making the photo smaller...' : hint}
          </span>
        </span>
        <input
          id={id}
          ref={input}
          name={name}
          type="file"
          accept={accept}
          disabled={readOnly}
          aria-invalid={error !== undefined}
          aria-describedby={notes}
          onChange={(event) => {
            const chosen = event.target.files?.[0];
            if (chosen) onChoose(chosen);
            // The same file may be chosen again after it was corrected.
            event.target.value = '';
          }}
        />
        {onRemove && !readOnly && (
          <button
            type="button"
            className="btn btn--q btn--sm drop__off"
            onClick={() => {
              onRemove();
              // The button goes with the file.
              input.current?.focus();
            }}
          >
            Remove <span className="sr">{label}</span>
          </button>
        )}
      </div>
      {error !== undefined && <FieldError id={`${id}-e`} text={fieldMessage(error, name, label)} />}
    </div>
  );
};
