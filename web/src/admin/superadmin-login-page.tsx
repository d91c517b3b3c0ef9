import type { ReactElement } from 'react';
import { paths } from '../app/paths.ts';
import { logInSuperAdmin } from './admin.data.ts';
import { LoginScreen } from './login-screen.tsx';

/** `/superadmin8080808080`: id and password. */
export const SuperAdminLoginPage = (): ReactElement => (
  <LoginScreen
    title="Super admin login"
    account="superadmin"
    name={{ label: 'Id', field: 'id', type: 'text' }}
    logIn={logInSuperAdmin}
    home={paths.superAdmin.to()}
  />
);
