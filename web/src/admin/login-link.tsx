import type { ReactElement } from 'react';
import { useLocation } from 'react-router-dom';
import { isAt, paths } from '../app/paths.ts';
import { staffRole } from '../lib/session.ts';
import { useFocusLeft } from '../ui/use-focus-left.ts';

/** Where whoever reads this page logs in again, beside it: what was typed or opened here stays. */
export const LoginInNewTab = (): ReactElement => {
  const { pathname } = useLocation();
  const place = useFocusLeft<HTMLAnchorElement>();
  // A public page is read by both.
  const isSuperAdmin = isAt(pathname, paths.superAdmin) || (!isAt(pathname, paths.admin) && staffRole() === 'superadmin');
  return (
    <a ref={place} className="link" href={isSuperAdmin ? paths.superAdminLogin.to() : paths.adminLogin.to()} target="_blank" rel="noopener">
      Log in in a new tab
    </a>
  );
};
