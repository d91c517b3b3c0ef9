import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useCallback, useState, type ReactElement } from 'react';
import { Navigate, useNavigate } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import { ApiError } from '../lib/api-client.ts';
import { DocumentHead } from '../lib/document-head.tsx';
import { accountOf, bearerFor } from '../lib/session.ts';
import { Banner } from '../ui/banner.tsx';
import { Spinner } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { checkSuperAdminToken, logOutSuperAdmin } from './admin.data.ts';
import { AdminBar } from './admin-shell.tsx';
import type { AuditSubject } from './audit.data.ts';
import { useSessionEnd } from './session-watch.ts';
import { superAdminTabs } from './superadmin-tabs.ts';

const Dashboard = (): ReactElement | null => {
  const [selected, setSelected] = useState('admins');
  const [creating, setCreating] = useState(false);
  const [audited, setAudited] = useState<AuditSubject>();
  const select = (id: string, subject?: AuditSubject): void => {
    setSelected(id);
    setAudited(subject);
  };
  const tab = superAdminTabs.find((candidate) => candidate.id === selected) ?? superAdminTabs[0];
  const closed = useCallback(() => {
    setCreating(false);
  }, []);
  if (!tab) return null;
  return (
    <>
      <DocumentHead title={`Super admin, ${tab.title}`} hidden />
      <div className="head">
        <h1 className="h1">{tab.title}</h1>
        {tab.create !== undefined && (
          <button
            type="button"
            className="btn btn--p"
            onClick={() => {
              setCreating(true);
            }}
          >
            <IconPlus className="i" stroke={1.75} aria-hidden="true" />
            {tab.create}
          </button>
        )}
      </div>
      <Tabs label="Super admin" tabs={superAdminTabs} selected={tab.id} onSelect={select}>
        <Suspense fallback={<Spinner />}>
          <tab.Panel creating={creating} onCreated={closed} audited={audited} onAudit={(subject) => { select('audit', subject); }} />
        </Suspense>
      </Tabs>
    </>
  );
};

/** `/superadminakakakakak`: the stored token is checked first; a failed check says 'An error Occured' (specification section 8). */
export const SuperAdminPage = (): ReactElement => {
  const navigate = useNavigate();
  const hasToken = bearerFor('superadmin') !== undefined;
  const session = useQuery({ ...checkSuperAdminToken(), enabled: hasToken });
  const toLogin = useCallback(() => {
    void navigate(paths.superAdminLogin.to(), { state: { alert: outcomeTexts.tokenCheckFailed } });
  }, [navigate]);
  useSessionEnd('superadmin', toLogin);
  if (!hasToken) return <Navigate to={paths.superAdminLogin.to()} replace />;
  return (
    <>
      <AdminBar account="superadmin" title="Super admin" who={accountOf('superadmin')} logOut={logOutSuperAdmin} loginPath={paths.superAdminLogin.to()} />
      <div className="wrap adm__page">
        {session.isPending && <Spinner />}
        {session.isError && !(session.error instanceof ApiError && session.error.status === 401) && <Banner className="adm__alert" kind="bad" text={outcomeTexts.tokenCheckFailed} />}
        {session.data && <Dashboard />}
      </div>
    </>
  );
};
