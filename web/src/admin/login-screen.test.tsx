import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answerWith, currentAddress, goBack, renderSite } from '../testing/render-site.tsx';

const logins = [
  { route: '/adminlogin', call: 'POST /admin/login', name: 'Email', fields: ['email', 'password'], key: 'atoken', home: '/admin', check: '/admin/check-token' },
  {
    route: '/superadmin8080808080',
    call: 'POST /superadmin/login',
    name: 'Id',
    fields: ['id', 'password'],
    key: 'stoken',
    home: '/superadminakakakakak',
    check: '/superadmin/check-token',
  },
] as const;

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
});

describe.each(logins)('the login at $route', ({ route, call, name, fields, key, home, check }) => {
  const logIn = async (answer: { status?: number; body?: unknown }) => {
    const api = answerWith({ [call]: answer, [check]: { pending: true } });
    const { user } = renderSite(route);
    await user.type(await screen.findByLabelText(name), 'pema@example.com');
    await user.type(screen.getByLabelText('Password'), 'mountain-court-19');
    await user.click(screen.getByRole('button', { name: 'Log in' }));
    return api;
  };

  it('has two fields, no header and no footer', async () => {
    answerWith({});
    renderSite(route);
    await screen.findByLabelText(name);
    expect(Array.from(document.querySelectorAll('input'), (input) => input.name)).toEqual(fields);
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password');
    expect(screen.queryByRole('banner')).not.toBeInTheDocument();
    expect(screen.queryByRole('contentinfo')).not.toBeInTheDocument();
  });

  it('keeps the token under its key and opens the dashboard', async () => {
    const { sent } = await logIn({ body: { token: 'a.b.c' } });
    await waitFor(() => {
      expect(currentAddress()).toBe(home);
    });
    expect(localStorage.getItem(key)).toBe('a.b.c');
    expect(sent.map((command) => command.body)).toEqual([{ [fields[0]]: 'pema@example.com', password: 'mountain-court-19' }]);
  });

  it('says why a session has ended until somebody is logged in, and not when they come Back', async () => {
    localStorage.setItem(key, 'a.b.c');
    const answers = { [call]: { body: { token: 'd.e.f' } }, [check]: { status: 401, body: { message: 'Your login has expired, please log in again' } } };
    answerWith(answers);
    const { user } = renderSite(home);
    expect(await screen.findByRole('alert')).toBeInTheDocument();
    answerWith({ ...answers, [check]: { pending: true } });
    await user.type(screen.getByLabelText(name), 'pema@example.com');
    await user.type(screen.getByLabelText('Password'), 'mountain-court-19');
    await user.click(screen.getByRole('button', { name: 'Log in' }));
    await waitFor(() => {
      expect(currentAddress()).toBe(home);
    });
    goBack();
    expect(await screen.findByLabelText(name)).toBeInTheDocument();
    expect(currentAddress()).toBe(route);
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it.each([
    [500, 'Internal Server Error'],
    [401, 'Invalid Credentials'],
  ])('answers %i with the alert %j', async (status, text) => {
    vi.spyOn(console, 'warn').mockReturnValue();
    await logIn({ status, body: { message: 'Something else' } });
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    expect(currentAddress()).toBe(route);
    expect(localStorage.getItem(key)).toBeNull();
  });

  it('only logs any other error', async () => {
    const logged = vi.spyOn(console, 'warn').mockReturnValue();
    logged.mockClear();
    await logIn({ status: 404, body: { message: 'Not found' } });
    await waitFor(() => {
      expect(logged).toHaveBeenCalledTimes(1);
    });
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Log in' })).toBeInTheDocument();
  });
});
