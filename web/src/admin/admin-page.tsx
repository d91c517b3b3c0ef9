import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import { useQuery } from '@tanstack/react-query';
import { useCallback, type ReactElement } from 'react';
import { Navigate, useNavigate } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import { ApiError, failureText } from '../lib/api-client.ts';
import { Banner } from '../ui/banner.tsx';
import { Spinner } from '../ui/states.tsx';
import { checkAdminToken, logOutAdmin } from './admin.data.ts';
import { AdminBar } from './admin-shell.tsx';
import { adminTabs } from './admin-tabs.ts';
import { Dashboard } from './dashboard.tsx';
import { useSessionEnd } from './session-watch.ts';
import { useAccount } from './use-account.ts';

const AdminDashboard = (): ReactElement => {
  const navigate = useNavigate();
  const session = useQuery(checkAdminToken());
  const toLogin = useCallback(
    (said: string) => {
      // In its place: Back would ask for the dashboard again, and lead here for ever.
      void navigate(paths.adminLogin.to(), { replace: true, state: { alert: said || undefined } });
    },
    [navigate],
  );
  useSessionEnd('admin', toLogin);
  const refused = session.error instanceof ApiError ? session.error : undefined;
  return (
    <>
      <AdminBar account="admin" title="Admin" who={session.data?.email ?? ''} logOut={logOutAdmin} loginPath={paths.adminLogin.to()} />
      <div className="wrap adm__page">
        {session.isPending && <Spinner />}
        {session.isError && refused?.status !== 401 && (
          <Banner
            className="adm__alert"
            kind="bad"
            text={refused?.status === 500 ? outcomeTexts.internalError : failureText(session.error, outcomeTexts.internalError)}
          />
        )}
        {session.data && <Dashboard name="Admin" account="admin" tabs={adminTabs} />}
      </div>
    </>
  );
};

/**
 * `/admin`: the stored token is checked first; a missing one, or a 401, leads to the login (specification section 4), which says why in the server's words.
 * Whoever logs in as somebody else finds nothing of the one before.
 */
export const AdminPage = (): ReactElement => {
  const account = useAccount('admin');
  return account === undefined ? <Navigate to={paths.adminLogin.to()} replace /> : <AdminDashboard key={account} />;
};
