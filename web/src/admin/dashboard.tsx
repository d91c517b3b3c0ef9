import { IconPlus } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ComponentType, type ReactElement } from 'react';
import { NavigationType, useLocation, useNavigationType, useSearchParams } from 'react-router-dom';
import { DocumentHead } from '../lib/document-head.tsx';
import type { Role } from '../lib/session.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { addressOfAudit, auditPlace, subjectInAddress, type AuditSubject } from './audit-address.rules.ts';
import type { OnAudit } from './audit.data.ts';
import { QueryState } from './query-state.tsx';
import { selectedTab } from './selected-tab.ts';

/**
 * What each tab is told by its dashboard: whether its create button was pressed, where to say that the dialog is closed, whose audit was asked for, and where
 * to ask for one.
 */
export type DashboardTabProps = {
  readonly creating: boolean;
  readonly onCreated: () => void;
  readonly audited: AuditSubject | undefined;
  readonly onAudit: OnAudit;
};

export type DashboardTab = {
  readonly id: string;
  readonly title: string;
  /** The text of the page's create button, where the tab has one. */
  readonly create?: string;
  readonly Panel: ComponentType<DashboardTabProps>;
};

/** A tab that is fetched when it is opened. */
export const lazyTab = (load: () => Promise<ComponentType<DashboardTabProps>>): ComponentType<DashboardTabProps> =>
  lazyPart(load, (query) => <QueryState query={query} />);

/** The button of a list that stands for the place. */
const buttonAt = (within: HTMLElement, wanted: string): HTMLElement | undefined =>
  Array.from(within.querySelectorAll<HTMLElement>('button[data-place]')).find(({ dataset }) => dataset['place'] === wanted);

type DashboardProps = {
  /** Whose it is: `Super admin`. */
  readonly name: string;
  readonly account: Role;
  /** In order; the first is open. One is `audit`. */
  readonly tabs: readonly [DashboardTab, ...DashboardTab[]];
};

/**
 * Title, tabs and the selected one, which the address keeps (`?tab=`, and whose audit it is): a page that is loaded again, with a rebuild under way, is the
 * same page.
 */
export const Dashboard = ({ name, account, tabs }: DashboardProps): ReactElement => {
  const [params, setParams] = useSearchParams();
  // The address follows in its own time: the next key may come before.
  const [selected, setSelected] = useState(params.get('tab') ?? tabs[0].id);
  const [creating, setCreating] = useState(false);
  const [audited, setAudited] = useState(subjectInAddress(params, account));
  const select = (id: string, subject?: AuditSubject): void => {
    setSelected(id);
    // Whoever asks for the audit of a row comes back to the row.
    setParams(id === tabs[0].id ? {} : id === 'audit' ? addressOfAudit(subject) : { tab: id }, { replace: subject === undefined });
    setAudited(subject);
  };
  const [{ key }, way] = [useLocation(), useNavigationType()];
  const [shown, setShown] = useState(key);
  const [reached, setReached] = useState(key);
  if (key !== shown) {
    setShown(key);
    if (way === NavigationType.Pop) {
      // What Back or Forward leads to is read from its address and begun anew, also where the same tab was open: it is narrowed otherwise there.
      setReached(key);
      setSelected(params.get('tab') ?? tabs[0].id);
      setAudited(subjectInAddress(params, account));
    }
  }
  const place = useRef<HTMLDivElement>(null);
  const opened = useRef({ key, audited });
  useEffect(() => {
    const before = opened.current;
    opened.current = { key, audited };
    // What had the focus went away with the other tab.
    if (key === before.key || place.current === null || document.activeElement !== document.body) return;
    const row = before.audited && audited === undefined && buttonAt(place.current, auditPlace(before.audited));
    if (row) row.focus();
    else selectedTab(place.current)?.focus({ preventScroll: true });
  }, [key, audited]);
  const { id, title, create, Panel } = tabs.find((candidate) => candidate.id === selected) ?? tabs[0];
  return (
    <div ref={place}>
      <DocumentHead title={`${name}, ${title}`} hidden />
      <div className="head">
        <h1 className="h1">{title}</h1>
        {create !== undefined && (
          <button
            type="button"
            className="btn btn--p"
            onClick={() => {
              setCreating(true);
            }}
          >
            <IconPlus className="i" stroke={1.75} aria-hidden="true" />
            {create}
          </button>
        )}
      </div>
      <Tabs label={name} tabs={tabs} selected={id} onSelect={select}>
        <Panel
          key={reached}
          creating={creating}
          onCreated={() => {
            setCreating(false);
          }}
          audited={audited}
          onAudit={(subject) => {
            select('audit', subject);
          }}
        />
      </Tabs>
    </div>
  );
};
