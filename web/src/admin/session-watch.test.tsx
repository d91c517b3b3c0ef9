import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { dismissToast, shownToasts } from '../lib/toasts.ts';
import { answerWith, currentAddress, goBack, renderSite } from '../testing/render-site.tsx';
import { admin, adminTournament, listedMatch, team } from '../testing/staff-builder.ts';

const tokenOf = (sub: string, more = ''): string => `a.${Buffer.from(JSON.stringify({ sub, more })).toString('base64url')}.c`;
const answers = (email: string) => ({
  '/admin/check-token': { body: { _id: 'a1', username: 'pema', email } },
  '/tournaments/admin-tournaments': { body: [adminTournament()] },
  '/team/teams': { body: [team('k', 'Kathmandu Kings')] },
  '/superadmin/check-token': { body: [admin({ email })] },
  '/superadmin/get-admins': { body: [admin({ email })] },
});
/** What another tab does to the storage, as this one is told of it. */
const elsewhere = (key: string, newValue: string | null): void => {
  if (newValue === null) localStorage.removeItem(key);
  else localStorage.setItem(key, newValue);
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key, newValue }));
  });
};
const roles = [
  { key: 'atoken', home: '/admin', login: '/adminlogin' },
  { key: 'stoken', home: '/superadminakakakakak', login: '/superadmin8080808080' },
] as const;

beforeEach(() => {
  localStorage.clear();
  for (const { id } of shownToasts()) dismissToast(id);
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
});

describe.each(roles)('an open $home, while another tab', ({ key, home, login }) => {
  it('logs out: leaves at once, and keeps nothing', async () => {
    localStorage.setItem(key, tokenOf('a1'));
    answerWith(answers('pema@example.com'));
    renderSite(home);
    await screen.findAllByRole('tab');
    elsewhere(key, null);
    expect(currentAddress()).toBe(login);
    expect(screen.queryByRole('tab')).not.toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('empties the whole storage: leaves as well', async () => {
    localStorage.setItem(key, tokenOf('a1'));
    answerWith(answers('pema@example.com'));
    renderSite(home);
    await screen.findAllByRole('tab');
    localStorage.clear();
    act(() => {
      window.dispatchEvent(new StorageEvent('storage', { key: null }));
    });
    expect(currentAddress()).toBe(login);
  });

  it('logs in as somebody else: says so, and begins anew for that one', async () => {
    localStorage.setItem(key, tokenOf('a1'));
    answerWith(answers('pema@example.com'));
    const { user } = renderSite(home);
    await user.click(await screen.findByRole('tab', { name: 'Audit' }));
    const second = answerWith(answers('rita@example.com'));
    elsewhere(key, tokenOf('a2'));
    expect(await screen.findByText('Somebody else has logged in in another tab.')).toBeInTheDocument();
    expect(await screen.findByText('rita@example.com')).toBeInTheDocument();
    expect(screen.queryByText('pema@example.com')).not.toBeInTheDocument();
    expect((await screen.findAllByRole('tab', { selected: true })).map((tab) => tab.textContent)).not.toContain('Audit');
    await waitFor(() => {
      expect(second.asked.some((call) => call.endsWith('/check-token'))).toBe(true);
    });
  });

  it('logs in again as the same: nothing that was typed is lost', async () => {
    localStorage.setItem(key, tokenOf('a1'));
    answerWith(answers('pema@example.com'));
    renderSite(home);
    const filter = await screen.findByRole('searchbox');
    fireEvent.change(filter, { target: { value: 'pema' } });
    elsewhere(key, tokenOf('a1', 'newer'));
    expect(filter).toBeInTheDocument();
    expect(filter).toHaveValue('pema');
    expect(screen.queryByText(/^Somebody else/)).not.toBeInTheDocument();
  });
});

describe.each(roles)('the way out of $home', ({ key, home, login }) => {
  const open = async (before?: string) => {
    localStorage.setItem(key, tokenOf('a1'));
    answerWith(answers('pema@example.com'));
    const site = renderSite(home, before);
    await screen.findAllByRole('tab');
    return site;
  };

  it('says why, when the session has ended meanwhile', async () => {
    const { client } = await open();
    const ended = { status: 401, body: { message: 'Your login has expired, please log in again' } };
    answerWith(Object.fromEntries(Object.keys(answers('')).map((path) => [path, ended])));
    await client.refetchQueries();
    expect(await screen.findByLabelText('Password')).toBeInTheDocument();
    expect(currentAddress()).toBe(login);
    expect(screen.getByRole('alert')).toHaveTextContent('Your login has expired, please log in again');
  });

  it('is not left again by who is typing a filter as the session ends', async () => {
    const { client } = await open();
    const filter = await screen.findByRole('searchbox');
    const ended = { status: 401, body: { message: 'Your login has expired, please log in again' } };
    answerWith(Object.fromEntries(Object.keys(answers('')).map((path) => [path, ended])));
    await act(async () => {
      await client.refetchQueries({ type: 'active' });
      fireEvent.change(filter, { target: { value: 'pema' } });
    });
    expect(await screen.findByLabelText('Password')).toBeInTheDocument();
    expect(currentAddress()).toBe(login);
  });

  it('leads somebody else who logs in there, and goes Back, to no filter of the one before', async () => {
    const { user } = await open();
    fireEvent.change(await screen.findByRole('searchbox'), { target: { value: '9841023776' } });
    await user.click(screen.getByRole('button', { name: 'Log out' }));
    await user.type(await screen.findByLabelText(key === 'atoken' ? 'Email' : 'Id'), 'rita@example.com');
    await user.type(screen.getByLabelText('Password'), 'p');
    answerWith({ ...answers('rita@example.com'), [key === 'atoken' ? 'POST /admin/login' : 'POST /superadmin/login']: { body: { token: tokenOf('a2') } } });
    await user.click(screen.getByRole('button', { name: 'Log in' }));
    expect(await screen.findByRole('searchbox')).toHaveValue('');
    goBack();
    expect(await screen.findByLabelText('Password')).toBeInTheDocument();
    goBack();
    expect(await screen.findByRole('searchbox')).toHaveValue('');
  });

  it('stands in the place of the dashboard that has ended: Back leads to where it was opened from', async () => {
    const { client } = await open('/about');
    const ended = { status: 401, body: { message: 'Your login has expired, please log in again' } };
    answerWith(Object.fromEntries(Object.keys(answers('')).map((path) => [path, ended])));
    await client.refetchQueries();
    await screen.findByLabelText('Password');
    goBack();
    await waitFor(() => {
      expect(currentAddress()).toBe('/about');
    });
  });

  it('does not wait for a server that does not answer: it is told, also where the page is closed at once, and nothing is kept', async () => {
    const { user } = await open();
    const logout = key === 'atoken' ? 'POST /admin/logout' : 'POST /superadmin/logout';
    const { sent } = answerWith({ [logout]: { pending: true } });
    await user.click(screen.getByRole('button', { name: 'Log out' }));
    expect(await screen.findByLabelText('Password')).toBeInTheDocument();
    expect(sent.map(({ call, headers, keepalive }) => [call, headers.get('Authorization'), keepalive])).toEqual([[logout, `Bearer ${tokenOf('a1')}`, true]]);
    expect(localStorage.getItem(key)).toBeNull();
  });

  it('says nothing to who logs out', async () => {
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'Log out' }));
    expect(await screen.findByLabelText('Password')).toBeInTheDocument();
    expect(currentAddress()).toBe(login);
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});

describe('a session that ends while a dialog holds what was typed', () => {
  const expiredAnswer = { status: 401, body: { message: 'Your login has expired, please log in again' } };
  const label = 'Add points, Suyog Maharjan';
  /** A sheet with something typed in it, and what the server answers until then. */
  const typed = async () => {
    localStorage.setItem('atoken', tokenOf('a1'));
    const live = { ...answers('pema@example.com'), '/match/matches': { body: [listedMatch()] } };
    answerWith(live);
    const site = renderSite('/admin');
    await site.user.click(await screen.findByRole('tab', { name: 'Matches' }));
    await site.user.click(await screen.findByRole('button', { name: 'Edit Kathmandu Kings, Pokhara Panthers' }));
    fireEvent.change(await screen.findByLabelText(label), { target: { value: '7' } });
    return { ...site, live };
  };
  const open = async () => {
    const site = await typed();
    answerWith(Object.fromEntries(Object.keys(site.live).map((path) => [path, expiredAnswer])));
    await act(async () => site.client.invalidateQueries());
    return site;
  };

  it('waits: the dialog stays with what was typed, and leads to the login beside it', async () => {
    await open();
    expect(await screen.findByText('Your login has expired, please log in again')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Log in in a new tab' })).toHaveAttribute('href', '/adminlogin');
    expect([screen.getByLabelText<HTMLInputElement>(label).value, currentAddress()]).toEqual(['7', '/admin?tab=matches']);
  });

  it('goes on once the same account has logged in there', async () => {
    const { live } = await open();
    await screen.findByText('Your login has expired, please log in again');
    answerWith(live);
    elsewhere('atoken', tokenOf('a1', 'newer'));
    await waitFor(() => {
      expect(screen.queryByText('Your login has expired, please log in again')).not.toBeInTheDocument();
    });
    expect(screen.getByLabelText<HTMLInputElement>(label).value).toBe('7');
  });

  it('waits as well where another tab has logged out, and goes on once the same account is back', async () => {
    await typed();
    elsewhere('atoken', null);
    expect(screen.getByText('You have logged out in another tab.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Log in in a new tab' })).toHaveAttribute('href', '/adminlogin');
    elsewhere('atoken', tokenOf('a1', 'newer'));
    await waitFor(() => {
      expect(screen.queryByText('You have logged out in another tab.')).not.toBeInTheDocument();
    });
    expect([screen.getByLabelText<HTMLInputElement>(label).value, currentAddress()]).toEqual(['7', '/admin?tab=matches']);
  });

  it('ends the dashboard when what could not be sent any more is discarded', async () => {
    const { user, live } = await typed();
    answerWith(Object.fromEntries([...Object.keys(live), 'POST /match/match/update'].map((path) => [path, expiredAnswer])));
    await user.click(screen.getByRole('button', { name: 'Update Match' }));
    await screen.findByRole('link', { name: 'Log in in a new tab' });
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    await waitFor(() => {
      expect(currentAddress()).toBe('/adminlogin');
    });
  });

  it('ends the dashboard when that is discarded', async () => {
    const { user } = await open();
    await screen.findByText('Your login has expired, please log in again');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    await waitFor(() => {
      expect(currentAddress()).toBe('/adminlogin');
    });
  });
});
