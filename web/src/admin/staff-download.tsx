import { IconDownload } from '@tabler/icons-react';
import type { MouseEvent, ReactElement } from 'react';
import { ApiError, failureText } from '../lib/api-client.ts';
import type { Role } from '../lib/session.ts';
import { toastError } from '../lib/toasts.ts';
import { expectLogin } from './audit.data.ts';

const save = (address: string): void => {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
};

type StaffDownloadProps = { readonly role: Role; readonly address: string; readonly children: string };

/**
 * A file for one role. Of a download that is refused no browser says why: whether the login still stands is asked first, and where it does not the dashboard
 * ends, as at any other call.
 */
export const StaffDownload = ({ role, address, children }: StaffDownloadProps): ReactElement => {
  const follow = async (event: MouseEvent): Promise<void> => {
    // In another tab, the browser shows the refusal itself.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    try {
      await expectLogin(role);
      save(address);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status !== 401) toastError(failureText(error, 'Something went wrong'));
    }
  };
  return (
    <a className="btn btn--q" href={address} download onClick={(event) => void follow(event)}>
      <IconDownload className="i i-s" stroke={1.75} aria-hidden="true" />
      {children}
    </a>
  );
};
