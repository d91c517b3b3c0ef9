import { IconListSearch, type Icon } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactElement, type ReactNode } from 'react';
import type { ApiError } from '../lib/api-client.ts';
import { formatCount } from '../lib/format.rules.ts';
import { Ledger, type LedgerColumn } from '../ui/ledger.tsx';
import { Tools, matchesFilter } from './admin-shell.tsx';
import { ListState } from './list-state.tsx';

type ListTabProps<T> = {
  readonly query: UseQueryResult<readonly T[]>;
  /** Says what the table holds; read out, not shown. */
  readonly caption: string;
  readonly columns: readonly LedgerColumn[];
  /** What can be typed into the filter. */
  readonly filter: string;
  /** The texts of a row that the filter looks into. */
  readonly textsOf: (item: T) => readonly (string | undefined)[];
  /** What a row is called, in the singular and the plural. */
  readonly noun: string;
  readonly nouns?: string;
  /** What stands when there is nothing at all. */
  readonly empty: string;
  readonly failed?: (error: ApiError | undefined) => string;
  /** The row of the table, with its key. */
  readonly children: (item: T) => ReactElement;
};

/** A tab that lists: a filter with the number of rows that it leaves, then the table, or why there is none. */
export const ListTab = <T,>({ query, caption, columns, filter, textsOf, noun, nouns, empty, failed, children }: ListTabProps<T>): ReactElement => {
  const [typed, setTyped] = useState('');
  const shown = (query.data ?? []).filter((item) => matchesFilter(typed, textsOf(item)));
  return (
    <>
      <Tools label={filter} text={typed} onText={setTyped} counted={query.data ? formatCount(shown.length, noun, nouns) : ''} />
      <ListState query={query} empty={empty} shown={shown.length} {...(failed && { failed })}>
        <Ledger caption={caption} className="cards-m" columns={columns}>
          {shown.map(children)}
        </Ledger>
      </ListState>
    </>
  );
};

type RowActionProps = { readonly Icon: Icon; readonly title: string; /** What it acts on: part of the name that is read out. */ readonly label: string; readonly onPress: () => void };

/** One button of a row. */
export const RowAction = ({ Icon, title, label, onPress }: RowActionProps): ReactElement => (
  <button type="button" className="btn btn--s btn--sm" aria-label={label} onClick={onPress}>
    <Icon className="i i-s" stroke={1.75} aria-hidden="true" />
    {title}
  </button>
);

/** Opens the audit of what the row is about. */
export const AuditAction = ({ of, onPress }: { /** Its name: read out. */ readonly of: string; readonly onPress: () => void }): ReactElement => <RowAction Icon={IconListSearch} title="Audit" label={`Audit of ${of}`} onPress={onPress} />;

/** The last cell of a row: what can be done with it. */
export const RowActions = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <td>
    <span className="row-acts">{children}</span>
  </td>
);
