import type { ReactElement } from 'react';
import { paths } from '../app/paths.ts';
import { logInAdmin } from './admin.data.ts';
import { LoginScreen } from './login-screen.tsx';

/** `/adminlogin`: e-mail and password. */
export const AdminLoginPage = (): ReactElement => (
  <LoginScreen title="Admin login" account="admin" name={{ label: 'Email', field: 'email', type: 'email' }} logIn={logInAdmin} home={paths.admin.to()} />
);
