import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import { useQuery } from '@tanstack/react-query';
import { useCallback, type ReactElement } from 'react';
import { Navigate, useNavigate } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import { ApiError } from '../lib/api-client.ts';
import { bearerFor } from '../lib/session.ts';
import { Banner } from '../ui/banner.tsx';
import { Spinner } from '../ui/states.tsx';
import { checkAdminToken, logOutAdmin } from './admin.data.ts';
import { AdminBar } from './admin-shell.tsx';
import { adminTabs } from './admin-tabs.ts';
import { Dashboard } from './dashboard.tsx';
import { useSessionEnd } from './session-watch.ts';

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
        {session.data && <Dashboard name="Admin" tabs={adminTabs} />}
      </div>
    </>
  );
};
