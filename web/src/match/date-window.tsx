import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type ReactElement } from 'react';
import { formatBsDayMonth, formatDate, formatDayMonth, formatFullDate, formatWeekday } from '../lib/format.rules.ts';
import { LockableButton } from '../ui/lockable-button.tsx';
import { dateWindow, moveWindow, nearestDate, windowSize, windowStartFor } from './date-window.rules.ts';
import './date-window.css';

type DateWindowProps = {
  /** Days that have matches, oldest first. */
  readonly dates: readonly string[];
  readonly selected: string | undefined;
  readonly start: number;
  readonly onSelect: (date: string) => void;
  readonly onMove: (start: number) => void;
};

/** Three match dates between two arrows. The left and right keys go from date to date beyond the window's edge. */
export const DateWindow = ({ dates, selected, start, onSelect, onMove }: DateWindowProps): ReactElement => {
  const group = useRef<HTMLDivElement>(null);
  /** Where the keys have gone; the page follows a moment later, and the next key must not start from where it was. */
  const heading = useRef<string>(undefined);
  /** A day without games that was asked for, and the date that is shown for it. */
  const [missed, setMissed] = useState<{ readonly day: string; readonly shown: string }>();
  /** What the date field holds while somebody writes in it: the date that is shown meanwhile must not come between two keys. */
  const [written, setWritten] = useState<string>();
  const view = dateWindow(dates, start);
  const arrive = useCallback((): void => {
    heading.current = undefined;
    group.current?.querySelector<HTMLElement>('[aria-pressed=true]')?.focus();
  }, []);
  useEffect(() => {
    if (heading.current !== undefined && heading.current === selected) arrive();
  });
  const select = (date: string): void => {
    setMissed(undefined);
    onSelect(date);
  };
  const jump = (day: string): void => {
    const date = nearestDate(dates, day);
    if (day === '' || date === undefined) return;
    setMissed(date === day ? undefined : { day, shown: date });
    onSelect(date);
    onMove(windowStartFor(dates.indexOf(date), dates.length));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // In the date field the arrows change the field.
    if (event.target instanceof HTMLInputElement) return;
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    const focused = event.target instanceof HTMLElement ? event.target.dataset['date'] : undefined;
    const from = heading.current ?? focused ?? selected;
    const next = step === 0 || from === undefined ? undefined : dates[dates.indexOf(from) + step];
    if (next === undefined) return;
    event.preventDefault();
    heading.current = next;
    select(next);
    const index = dates.indexOf(next);
    const isInView = view.dates.includes(next);
    if (isInView && next === selected) arrive();
    if (!isInView) onMove(step < 0 ? index : index - view.dates.length + 1);
  };
  /** Whoever has gone elsewhere meanwhile is not fetched back. A date that leaves the window with the focus goes nowhere: the focus is to follow. */
  const onBlur = (event: FocusEvent): void => {
    if (event.relatedTarget !== null) heading.current = undefined;
  };
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-interactions -- buttons, not form fields: a fieldset says the wrong thing; the keys add to the buttons' own
    <div className="dates" role="group" aria-label="Match dates" ref={group} onKeyDown={onKeyDown} onBlur={onBlur}>
      <LockableButton
        className="arrow"
        locked={!view.hasPrevious}
        onClick={() => {
          onMove(moveWindow(view.start, dates.length, -1));
        }}
      >
        <IconChevronLeft className="i" stroke={1.75} aria-hidden="true" />
        <span className="sr">Previous dates</span>
      </LockableButton>
      {view.dates.map((date) => (
        <button
          key={date}
          type="button"
          data-date={date}
          aria-pressed={date === selected}
          title={formatFullDate(date)}
          onClick={() => {
            heading.current = undefined;
            select(date);
          }}
        >
          {formatWeekday(date)}
          <b>{formatDayMonth(date)}</b>
          <span lang="ne-Latn">{formatBsDayMonth(date)}</span>
        </button>
      ))}
      <LockableButton
        className="arrow"
        locked={!view.hasNext}
        onClick={() => {
          onMove(moveWindow(view.start, dates.length, 1));
        }}
      >
        <IconChevronRight className="i" stroke={1.75} aria-hidden="true" />
        <span className="sr">Next dates</span>
      </LockableButton>
      {dates.length > windowSize && (
        <div className="dates__jump">
          <output>{missed !== undefined && missed.shown === selected && `No games on ${formatDate(missed.day)}: the nearest day is shown`}</output>
          <label>
            Go to a date
            <input
              type="date"
              value={written ?? selected ?? ''}
              min={dates[0]}
              max={dates.at(-1)}
              onChange={(event) => {
                setWritten(event.target.value);
                if (event.target.validity.valid) jump(event.target.value);
                else setMissed(undefined);
              }}
              onBlur={() => {
                setWritten(undefined);
              }}
            />
          </label>
        </div>
      )}
    </div>
  );
};
