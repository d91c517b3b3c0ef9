import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/dates/styles.layer.css';
import { DatePickerInput } from '@mantine/dates';
import { useId, useRef, useState, type ReactElement } from 'react';
import { useBackCloses } from '../lib/back-closes.ts';
import { formatDate } from '../lib/format.rules.ts';
import { fieldMessage } from '../ui/field-message.rules.ts';
import { FieldError } from '../ui/form-field.tsx';

type DateFieldProps = {
  readonly name: string;
  readonly label: string;
  /** `YYYY-MM-DD` or empty. */
  readonly value: string;
  readonly onChange: (day: string) => void;
  readonly error?: string | undefined;
};

/** Is there while the calendar is: Back closes that, and leaves the dialog around it. */
const BackCloses = ({ close }: { readonly close: () => void }): null => {
  useBackCloses(close, { within: true });
  return null;
};

/** A day, picked from a calendar. In Nepal the week begins on Sunday, and only Saturday is a holiday. */
export const DateField = ({ name, label, value, onChange, error }: DateFieldProps): ReactElement => {
  const id = useId();
  const field = useRef<HTMLButtonElement>(null);
  const [today] = useState(() => kathmanduDay(Date.now()));
  const [isOpen, setOpen] = useState(false);
  const first = value === '' ? today : value;
  return (
    <>
      <DatePickerInput
        ref={field}
        label={label}
        labelProps={{ id: `${id}-l` }}
        // The label alone names the button: the day that stands in it is heard as well.
        description={value === '' ? undefined : formatDate(value)}
        descriptionProps={{ className: 'sr' }}
        data-field={name}
        placeholder="Pick a date"
        valueFormat="D MMMM YYYY"
        firstDayOfWeek={0}
        weekendDays={[6]}
        hideOutsideDates
        value={value === '' ? null : value}
        onChange={(day) => {
          onChange(day ?? '');
          // The day that had the focus goes away with the calendar, which gives it back on Escape only.
          field.current?.focus();
        }}
        error={error === undefined ? undefined : <FieldError id={`${name}-e`} text={fieldMessage(error, name, label)} />}
        defaultDate={first}
        // Where the focus goes as it opens: the chosen day, or today.
        getDayProps={(day) => (day === first ? { 'data-autofocus': true } : {})}
        // The calendar is named by the element of this id.
        popoverProps={{
          id: `${id}-l`,
          withinPortal: true,
          zIndex: 400,
          onOpen: () => {
            setOpen(true);
          },
          onClose: () => {
            setOpen(false);
          },
        }}
        ariaLabels={{
          previousMonth: 'Previous month',
          nextMonth: 'Next month',
          previousYear: 'Previous year',
          nextYear: 'Next year',
          previousDecade: 'Previous decade',
          nextDecade: 'Next decade',
        }}
      />
      {isOpen && (
        <BackCloses
          close={() => {
            // What opened the calendar closes it.
            field.current?.click();
            field.current?.focus();
          }}
        />
      )}
    </>
  );
};
