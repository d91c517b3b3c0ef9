import { ASKED_MAX } from '@courtledger/contracts/kernel/limits';
import type { UseQueryResult } from '@tanstack/react-query';
import { useDeferredValue, useId, useState, type ReactElement } from 'react';
import { Ledger, type LedgerColumn } from '../ui/ledger.tsx';
import { LockableButton } from '../ui/lockable-button.tsx';
import { EmptyState } from '../ui/states.tsx';
import { typeInWords } from './audit-types.rules.ts';
import { asked, nothingFound, type Days } from './paged-log.rules.ts';
import { QueryState } from './query-state.tsx';

type FieldState = { readonly value: string; readonly onChange: (value: string) => void };

type LogView<Name extends string> = {
  /** As it is asked for: a moment behind what is typed. */
  readonly filter: Readonly<Record<Name, string>>;
  readonly field: (name: Name) => FieldState;
  /** Where the shown page begins: older than that position. Undefined for the newest. */
  readonly before: string | undefined;
  readonly toNewest: () => void;
  readonly toNewer: () => void;
  readonly toOlder: (next: string) => void;
};

/** What a log is narrowed to, and how far back it is read; another filter begins with the newest page. */
export const useLogView = <Name extends string>(everything: Readonly<Record<Name, string>>): LogView<Name> => {
  const [typed, setTyped] = useState(everything);
  const [pages, setPages] = useState<readonly string[]>([]);
  const toNewest = (): void => {
    setPages([]);
  };
  return {
    filter: Object.fromEntries(Object.entries<string>(useDeferredValue(typed)).map(([name, value]) => [name, asked(value)])) as Record<Name, string>,
    field: (name) => ({
      value: typed[name],
      onChange: (value) => {
        setTyped((now) => ({ ...now, [name]: value }));
        toNewest();
      },
    }),
    before: pages.at(-1),
    toNewest,
    toNewer: () => {
      setPages((now) => now.slice(0, -1));
    },
    toOlder: (next) => {
      setPages((now) => [...now, next]);
    },
  };
};

/** Narrows a log to one type of fact. */
export const TypeFilter = ({ label, types, value, onChange }: FieldState & { readonly label: string; readonly types: readonly string[] }): ReactElement => (
  <label className="field">
    <span>{label}</span>
    <select
      className="input"
      value={value}
      onChange={(event) => {
        onChange(event.target.value);
      }}
    >
      <option value="">Everything</option>
      {types.map((one) => (
        <option key={one} value={one}>
          {typeInWords(one)}
        </option>
      ))}
    </select>
  </label>
);

/** Narrows a log to what is typed, or to a day or a moment. */
export const FilterField = ({
  label,
  type = 'search',
  placeholder,
  value,
  onChange,
}: FieldState & { readonly label: string; readonly type?: 'search' | 'date' | 'datetime-local'; readonly placeholder?: string }): ReactElement => (
  <label className="field">
    <span>{label}</span>
    <input
      className="input"
      type={type}
      autoComplete="off"
      maxLength={ASKED_MAX}
      placeholder={placeholder}
      value={value}
      onChange={(event) => {
        onChange(event.target.value);
      }}
    />
  </label>
);

type PagedLogProps = {
  readonly query: UseQueryResult<{ readonly next: string | null }>;
  readonly view: Pick<LogView<never>, 'before' | 'toNewer' | 'toOlder'>;
  /** Says what the table holds; read out, not shown. */
  readonly caption: string;
  readonly className: string;
  readonly columns: readonly LedgerColumn[];
  /** What stands when nothing is found; of a page among several it is said that it is this one. */
  readonly empty: string;
  readonly days: Days;
  /** What the buttons go through, after 'Newer' and 'Older'; nothing more without. */
  readonly noun?: string;
  /** Rows of the table, newest first. */
  readonly rows: readonly ReactElement[] | undefined;
};

/** A page of a log, and the ways to the newer and the older one. */
export const PagedLog = ({ query, view, caption, className, columns, empty, days, noun = '', rows }: PagedLogProps): ReactElement => {
  const next = query.data?.next ?? undefined;
  const [newest, oldest] = [useId(), useId()];
  const isNewest = view.before === undefined;
  return (
    <>
      <QueryState query={query} />
      {rows?.length === 0 && <EmptyState text={nothingFound(days, empty, isNewest && next === undefined)} />}
      {rows && rows.length > 0 && (
        <Ledger caption={caption} className={className} columns={columns}>
          {rows}
        </Ledger>
      )}
      {/* Both stay where there is more than a page, and so does the focus of whoever turns them. */}
      {(!isNewest || next !== undefined) && (
        <div className="row-acts pager">
          <LockableButton className="btn btn--s btn--sm" lockedBy={isNewest ? newest : undefined} onClick={view.toNewer}>
            {`Newer ${noun}`.trim()}
          </LockableButton>
          <LockableButton
            className="btn btn--s btn--sm"
            lockedBy={next === undefined ? oldest : undefined}
            onClick={() => {
              if (next !== undefined) view.toOlder(next);
            }}
          >
            {`Older ${noun}`.trim()}
          </LockableButton>
          <span id={newest} hidden>
            This is the newest page.
          </span>
          <span id={oldest} hidden>
            There is no older page.
          </span>
        </div>
      )}
    </>
  );
};
