import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import { useQuery } from '@tanstack/react-query';
import { useCallback, type ReactElement } from 'react';
import { Navigate, useNavigate } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import { ApiError } from '../lib/api-client.ts';
import { accountOf } from '../lib/session.ts';
import { Banner } from '../ui/banner.tsx';
import { Spinner } from '../ui/states.tsx';
import { checkSuperAdminToken, logOutSuperAdmin } from './admin.data.ts';
import { AdminBar } from './admin-shell.tsx';
import { Dashboard } from './dashboard.tsx';
import { useSessionEnd } from './session-watch.ts';
import { superAdminTabs } from './superadmin-tabs.ts';
import { useAccount } from './use-account.ts';

const SuperAdminDashboard = (): ReactElement => {
  const navigate = useNavigate();
  const session = useQuery(checkSuperAdminToken());
  const wasChecked = session.isSuccess;
  const toLogin = useCallback(
    (said: string) => {
      // In its place: Back would ask for the dashboard again, and lead here for ever.
      void navigate(paths.superAdminLogin.to(), { replace: true, state: { alert: wasChecked && said !== '' ? said : outcomeTexts.tokenCheckFailed } });
    },
    [navigate, wasChecked],
  );
  useSessionEnd('superadmin', toLogin);
  return (
    <>
      <AdminBar account="superadmin" title="Super admin" who={accountOf('superadmin')} logOut={logOutSuperAdmin} loginPath={paths.superAdminLogin.to()} />
      <div className="wrap adm__page">
        {session.isPending && <Spinner />}
        {session.isError && !(session.error instanceof ApiError && session.error.status === 401) && (
          <Banner className="adm__alert" kind="bad" text={outcomeTexts.tokenCheckFailed} />
        )}
        {session.data && <Dashboard name="Super admin" account="superadmin" tabs={superAdminTabs} />}
      </div>
    </>
  );
};

/**
 * `/superadminakakakakak`: the stored token is checked first; a failed check says 'An error Occured' (specification section 8), a session that ends later why.
 */
export const SuperAdminPage = (): ReactElement => {
  const account = useAccount('superadmin');
  return account === undefined ? <Navigate to={paths.superAdminLogin.to()} replace /> : <SuperAdminDashboard key={account} />;
};
