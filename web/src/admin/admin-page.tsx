import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState, type ReactElement } from 'react';
import { Navigate, useNavigate } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import { ApiError } from '../lib/api-client.ts';
import { DocumentHead } from '../lib/document-head.tsx';
import { bearerFor } from '../lib/session.ts';
import { Banner } from '../ui/banner.tsx';
import { Spinner } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { checkAdminToken, logOutAdmin } from './admin.data.ts';
import type { AuditSubject, OnAudit } from './audit.data.ts';
import { AuditList } from './audit-list.tsx';
import { AdminMatchesTab } from './admin-matches-tab.tsx';
import { AdminPlayersTab } from './admin-players-tab.tsx';
import { AdminRequestsTab } from './admin-requests-tab.tsx';
import { AdminBar } from './admin-shell.tsx';
import { AdminTeamsTab } from './admin-teams-tab.tsx';
import { AdminTournamentsTab } from './admin-tournaments-tab.tsx';
import { AdminUsersTab } from './admin-users-tab.tsx';
import { useSessionEnd } from './session-watch.ts';

const tabs = [
  { id: 'tournaments', title: 'Tournaments' },
  { id: 'users', title: 'Users' },
  { id: 'teams', title: 'Teams' },
  { id: 'matches', title: 'Matches' },
  { id: 'players', title: 'Players' },
  { id: 'requests', title: 'Requests' },
  { id: 'audit', title: 'Audit' },
] as const;
type TabId = (typeof tabs)[number]['id'];

/** Title, tabs and the selected one. */
const Dashboard = (): ReactElement => {
  const [selected, setSelected] = useState<TabId>('tournaments');
  const [creating, setCreating] = useState(false);
  const [audited, setAudited] = useState<AuditSubject>();
  const select = (tab: TabId, subject?: AuditSubject): void => {
    setSelected(tab);
    setAudited(subject);
  };
  const audit: OnAudit = (subject) => {
    select('audit', subject);
  };
  const title = tabs.find((tab) => tab.id === selected)?.title ?? '';
  return (
    <>
      <DocumentHead title={`Admin, ${title}`} hidden />
      <div className="head">
        <h1 className="h1">{title}</h1>
        {selected === 'tournaments' && (
          <button
            type="button"
            className="btn btn--p"
            onClick={() => {
              setCreating(true);
            }}
          >
            <IconPlus className="i" stroke={1.75} aria-hidden="true" />
            Create Tournament
          </button>
        )}
      </div>
      <Tabs label="Admin" tabs={tabs} selected={selected} onSelect={select}>
        {selected === 'tournaments' && (
          <AdminTournamentsTab
            creating={creating}
            onAudit={audit}
            onCreated={() => {
              setCreating(false);
            }}
          />
        )}
        {selected === 'users' && <AdminUsersTab />}
        {selected === 'teams' && <AdminTeamsTab onAudit={audit} />}
        {selected === 'matches' && <AdminMatchesTab onAudit={audit} />}
        {selected === 'players' && <AdminPlayersTab onAudit={audit} />}
        {selected === 'requests' && <AdminRequestsTab />}
        {selected === 'audit' && <AuditList account="admin" subject={audited} />}
      </Tabs>
    </>
  );
};

/** `/admin`: the stored token is checked first; a missing one, or a 401, leads to the login (specification section 4). */
export const AdminPage = (): ReactElement => {
  const navigate = useNavigate();
  const hasToken = bearerFor('admin') !== undefined;
  const session = useQuery({ ...checkAdminToken(), enabled: hasToken });
  const toLogin = useCallback(() => {
    void navigate(paths.adminLogin.to());
  }, [navigate]);
  useSessionEnd('admin', toLogin);
  if (!hasToken) return <Navigate to={paths.adminLogin.to()} replace />;
  const refused = session.error instanceof ApiError ? session.error : undefined;
  return (
    <>
      <AdminBar account="admin" title="Admin" who={session.data?.email ?? ''} logOut={logOutAdmin} loginPath={paths.adminLogin.to()} />
      <div className="wrap adm__page">
        {session.isPending && <Spinner />}
        {session.isError && refused?.status !== 401 && <Banner className="adm__alert" kind="bad" text={outcomeTexts.internalError} />}
        {session.data && <Dashboard />}
      </div>
    </>
  );
};
