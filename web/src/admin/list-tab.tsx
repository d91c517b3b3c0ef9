import { IconListSearch, type Icon } from '@tabler/icons-react';
import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { isAt, paths } from '../app/paths.ts';
import type { ApiError } from '../lib/api-client.ts';
import { formatCount } from '../lib/format.rules.ts';
import { queryKeys } from '../lib/query-keys.ts';
import { Crest } from '../ui/crest.tsx';
import { Ledger } from '../ui/ledger.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { Tools } from './admin-shell.tsx';
import { auditPlace, type AuditSubject } from './audit-address.rules.ts';
import type { OnAudit } from './audit.data.ts';
import { matchesFilter } from './list-filter.rules.ts';
import { ListState } from './list-state.tsx';
import { selectedTab } from './selected-tab.ts';

/** One column of a list. Its title stands above it on a wide screen and, of a plain cell, beside it on a narrow one. */
type ListColumn<T> = {
  readonly title: string;
  /** What stands in it; a text may be in either script. */
  readonly cell: (item: T) => ReactNode;
  /** `name`: what the row is called by. `bare`: speaks for itself. */
  readonly kind?: 'name' | 'bare';
  readonly className?: string;
};

const actionsColumn = { key: 'acts', title: 'Actions', className: 'num' } as const;

const Cell = <T,>({ column: { title, cell, kind, className }, item }: { readonly column: ListColumn<T>; readonly item: T }): ReactElement => {
  const content = cell(item);
  const shown = typeof content === 'string' ? <ScriptText text={content} /> : content;
  if (kind === 'name') return <th scope="row">{shown}</th>;
  return (
    <td className={className} {...(kind !== 'bare' && { 'data-l': title })}>
      {shown}
    </td>
  );
};

/** A row may go with what one of its buttons does (a match that is cancelled): the focus goes on with the row that is next then. */
const Row = ({ children }: { readonly children: ReactNode }): ReactElement => {
  const place = useRef<HTMLTableRowElement>(null);
  useLayoutEffect(() => {
    const row = place.current;
    return () => {
      if (row === null || !row.contains(document.activeElement)) return;
      const next = row.nextElementSibling ?? row.previousElementSibling;
      // After the commit: what came in its place may have taken the focus.
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return;
        const left = next?.isConnected === true ? next.querySelector<HTMLElement>('button, a') : selectedTab();
        left?.focus({ preventScroll: true });
      });
    };
  }, []);
  return <tr ref={place}>{children}</tr>;
};

/** A list as its tab declares it. */
export type List<T> = {
  /** Says what the table holds; read out, not shown. */
  readonly caption: string;
  /** What a row is called, in the singular and the plural. */
  readonly noun: string;
  readonly nouns?: string;
  /** What stands when there is nothing at all. */
  readonly empty: string;
  readonly failed?: (error: ApiError | undefined) => string;
  readonly idOf: (item: T) => string;
  /** What can be typed into the filter. */
  readonly filter: string;
  /** The texts of a row that the filter looks into. */
  readonly textsOf: (item: T) => readonly (string | undefined)[];
  readonly columns: readonly ListColumn<T>[];
};

type ListTabProps<T> = {
  readonly list: List<T>;
  readonly query: UseQueryResult<readonly T[]>;
  /** What can be done with a row: its last cell. */
  readonly renderActions?: (item: T) => ReactNode;
};

type Filtered = { readonly list: string; readonly filter: string };

/**
 * What a list is filtered by. It is kept for the entry of the history: Back from a row's audit finds it again. In memory alone, beside what was read for
 * whoever is logged in, and forgotten with it: names and numbers of people stand in it. And nothing is navigated: a key that is pressed while the session ends
 * would lead back from the login.
 */
const useFilter = (list: string): readonly [string, (text: string) => void] => {
  const { key, pathname } = useLocation();
  const client = useQueryClient();
  const kept = (isAt(pathname, paths.superAdmin) ? queryKeys.superadmin : queryKeys.admin)('filter', key);
  const [typed, setTyped] = useState(() => {
    // The address follows in its own time: what is read at first may still be that of the tab before.
    const found = client.getQueryData<Filtered>(kept);
    return found?.list === list ? found.filter : '';
  });
  return [
    typed,
    (filter) => {
      setTyped(filter);
      client.setQueryDefaults(kept, { gcTime: Infinity });
      client.setQueryData<Filtered>(kept, { list, filter });
    },
  ];
};

/** A tab that lists: a filter with the number of rows that it leaves, then the table, or why there is none. */
export const ListTab = <T,>({
  list: { caption, noun, nouns, empty, failed, idOf, filter, textsOf, columns },
  query,
  renderActions,
}: ListTabProps<T>): ReactElement => {
  const [typed, setTyped] = useFilter(caption);
  const shown = (query.data ?? []).filter((item) => matchesFilter(typed, textsOf(item)));
  const heads = columns.map(({ title }) => ({ key: title, title }));
  return (
    <>
      <Tools label={filter} text={typed} onText={setTyped} counted={query.data ? formatCount(shown.length, noun, nouns) : ''} />
      <ListState query={query} empty={empty} shown={shown.length} {...(failed && { failed })}>
        <Ledger caption={caption} className="cards-m" columns={renderActions ? [...heads, actionsColumn] : heads}>
          {shown.map((item) => (
            <Row key={idOf(item)}>
              {columns.map((column) => (
                <Cell key={column.title} column={column} item={item} />
              ))}
              {renderActions && (
                <td>
                  <span className="row-acts">{renderActions(item)}</span>
                </td>
              )}
            </Row>
          ))}
        </Ledger>
      </ListState>
    </>
  );
};

type RowActionProps = {
  readonly Icon: Icon;
  readonly title: string;
  /** What it acts on: part of the name that is read out. */
  readonly label: string;
  readonly onPress: () => void;
  /** For Back to find it: `auditPlace`. */
  readonly place?: string;
};

/** One button of a row. */
export const RowAction = ({ Icon, title, label, onPress, place }: RowActionProps): ReactElement => (
  <button type="button" className="btn btn--s btn--sm" aria-label={label} data-place={place} onClick={onPress}>
    <Icon className="i i-s" stroke={1.75} aria-hidden="true" />
    {title}
  </button>
);

/** Opens the audit of what the row is about; Back leads to this button again. */
export const AuditAction = ({
  of,
  subject,
  onAudit,
}: {
  /** Its name: read out. */
  readonly of: string;
  readonly subject: AuditSubject;
  readonly onAudit: OnAudit;
}): ReactElement => (
  <RowAction
    Icon={IconListSearch}
    title="Audit"
    label={`Audit of ${of}`}
    place={auditPlace(subject)}
    onPress={() => {
      onAudit(subject);
    }}
  />
);

/** A name beside its crest: that of a team, or of a person without an id. */
export const Crested = ({ id, name, logo }: { readonly id?: string; readonly name: string; readonly logo?: string }): ReactElement => (
  <span className="who">
    <Crest {...(id !== undefined && { id })} name={name} logo={logo} size={36} />
    <span>
      <ScriptText text={name} />
    </span>
  </span>
);
