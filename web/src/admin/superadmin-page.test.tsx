import { act, fireEvent, screen, waitFor, within, type BoundFunctions, type queries } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { answerWith, currentAddress, renderSite } from '../testing/render-site.tsx';
import { admin, adminTournament, team } from '../testing/staff-builder.ts';

const admins = [admin(), admin({ _id: 'a2', username: 'bibek.rai', email: 'bibek@example.com', phoneNumber: '9841000009' })];

const entered = adminTournament({ teams: ['k'] });
const teams = [
  { ...team('n', 'Nepalgunj Novas'), coach: {}, registeredAt: '2026-11-20T10:00:00.000Z' },
  { ...team('k', 'Kathmandu Kings'), registeredAt: '2026-11-19T10:00:00.000Z' },
];

const open = (answers: Parameters<typeof answerWith>[0] = {}, token = 'a.b.c') => {
  localStorage.setItem('stoken', token);
  const api = answerWith({
    '/superadmin/check-token': { body: admins },
    '/superadmin/get-admins': { body: admins },
    '/superadmin/tournaments': { body: [entered] },
    '/superadmin/teams': { body: teams },
    '/team/n': {
      body: {
        _id: 'n',
        team_details: { name: 'Nepalgunj Novas', origin: 'Nepalgunj', logo: '' },
        coach: {},
        players: [{ _id: '9', name: 'Asim Thapa', jerseyNumber: '4', image: '' }],
        results: [],
        standings: [],
      },
    },
    ...answers,
  });
  return { ...api, ...renderSite('/superadminakakakakak') };
};
const rows = async (caption: string): Promise<readonly (string | null)[][]> => {
  const table = await screen.findByRole('table', { name: caption });
  return within(table)
    .getAllByRole('row')
    .map((row) => Array.from(row.children, (cell) => cell.querySelector('.who > span:last-child')?.textContent ?? cell.textContent));
};
type Form = { readonly form: BoundFunctions<typeof queries>; readonly fill: (fields: Readonly<Record<string, string>>) => Promise<void> };

beforeEach(() => {
  vi.setSystemTime('2026-11-21T10:12:00.000Z');
  localStorage.clear();
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
});

describe('the super admin dashboard', () => {
  it('checks the stored token: without one it leads to the login', async () => {
    answerWith({});
    renderSite('/superadminakakakakak');
    await waitFor(() => {
      expect(currentAddress()).toBe('/superadmin8080808080');
    });
  });

  it('names the id that is logged in', async () => {
    open({}, `a.${btoa(JSON.stringify({ sub: 'root' }))}.c`);
    expect(await screen.findByText('root')).toHaveClass('adm__who');
  });

  it("sends the token, and says 'An error Occured' when the check fails", async () => {
    const { asked } = open({ '/superadmin/check-token': { status: 500, body: {} } });
    expect(await screen.findByRole('alert')).toHaveTextContent('An error Occured');
    expect(asked).toContain('GET /superadmin/check-token');
  });

  it("leads to the login with 'An error Occured' when the token is refused", async () => {
    open({ '/superadmin/check-token': { status: 401, body: {} } });
    expect(await screen.findByRole('alert')).toHaveTextContent('An error Occured');
    expect(currentAddress()).toBe('/superadmin8080808080');
  });

  it('has the tabs Admin History, Tournament and Users, then its own, no header and no footer', async () => {
    open();
    expect((await screen.findAllByRole('tab')).map((tab) => [tab.textContent, tab.getAttribute('aria-selected')])).toEqual([
      ['Admin History', 'true'],
      ['Tournament', 'false'],
      ['Users', 'false'],
      ['Operations', 'false'],
      ['Audit', 'false'],
    ]);
    expect(screen.queryByRole('banner')).not.toBeInTheDocument();
    expect(screen.queryByRole('contentinfo')).not.toBeInTheDocument();
  });

  it('opens the audit of an admin from the row', async () => {
    const { user, asked } = open();
    await user.click(await screen.findByRole('button', { name: 'Audit of bibek.rai' }));
    expect(await screen.findByText(/^Only one admin:/)).toHaveTextContent('a2');
    expect(asked).toContain('GET /superadmin/audit?admin=a2&limit=50');
    expect(screen.getByRole('option', { name: 'Admin password changed' })).toBeInTheDocument();
  });

  it('lists admins with username, phone number and Edit Admin; the search filters', async () => {
    const { user } = open();
    expect((await rows('Admins')).map(([username, phone]) => [username, phone])).toEqual([
      ['Username', 'Phone number'],
      ['pema.sherpa', '9803311204'],
      ['bibek.rai', '9841000009'],
    ]);
    expect(screen.getAllByRole('button', { name: /^Edit Admin/ })).toHaveLength(2);
    await user.type(screen.getByRole('searchbox', { name: 'Search admins' }), 'bibek');
    expect((await rows('Admins')).map(([username]) => username)).toEqual(['Username', 'bibek.rai']);
  });

  it('looks for admins who are made elsewhere while the list is open: no live change tells of them', async () => {
    const intervals = vi.spyOn(globalThis, 'setInterval');
    onTestFinished(() => {
      intervals.mockRestore();
    });
    const list: { body: unknown } = { body: [admin()] };
    open({ '/superadmin/get-admins': list });
    expect(await screen.findAllByRole('button', { name: /^Edit Admin/ })).toHaveLength(1);
    list.body = [admin(), admin({ _id: 'a2', username: 'bibek.rai' })];
    act(() => {
      for (const [look, after] of intervals.mock.calls) if (after === 30_000) look();
    });
    expect(await screen.findByRole('button', { name: 'Edit Admin bibek.rai' })).toBeInTheDocument();
  });

  it("says 'Internal Server Error' when the list answers 500", async () => {
    open({ '/superadmin/get-admins': { status: 500, body: {} } });
    expect(await screen.findByText('Internal Server Error')).toBeInTheDocument();
  });

  it('lists real tournaments with Edit, which sends what was changed in the name of the super admin', async () => {
    const { user, sent, asked } = open({ [`PUT /superadmin/tournaments/${entered._id}`]: { body: entered } });
    await user.click(await screen.findByRole('tab', { name: 'Tournament' }));
    expect(await rows('Tournaments')).toEqual([
      ['Name', 'Organizer name', 'Organizer phone', 'Start date', 'Teams', 'Actions'],
      ['Valley Winter Classic 2083', 'Kathmandu Valley Basketball Association', '01-5970456', '12 December 2026', '1', 'ViewEditAudit'],
    ]);
    await user.click(screen.getByRole('button', { name: 'Edit Valley Winter Classic 2083' }));
    const form = within(await screen.findByRole('dialog', { name: 'Edit Tournament' }));
    expect(form.getByLabelText('Organizer phone number')).toHaveValue('01-5970456');
    fireEvent.change(form.getByLabelText('Organizer phone number'), { target: { value: '061-520520' } });
    await user.click(form.getByRole('button', { name: 'Update Tournament' }));
    expect(await screen.findByText('Tournament updated successfully')).toBeInTheDocument();
    expect(sent.map(({ call, body, headers }) => [call, body, headers.get('Authorization')])).toEqual([
      [`PUT /superadmin/tournaments/${entered._id}`, { 'organizer[phoneNumber]': '061-520520' }, 'Bearer a.b.c'],
    ]);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Audit of Valley Winter Classic 2083' }));
    await waitFor(() => {
      expect(asked).toContain(`GET /superadmin/audit?tournament=${entered._id}&limit=50`);
    });
  });

  it('lists the contacts of every registered team with Edit, which sends what was changed in the name of the super admin', async () => {
    const { user, sent, asked } = open({ 'PUT /superadmin/teams/k': { body: teams[1] } });
    await user.click(await screen.findByRole('tab', { name: 'Users' }));
    expect(await rows('Users')).toEqual([
      ['Team', 'Contact number', 'Coach', 'Tournaments', 'Registered', 'Actions'],
      ['Nepalgunj Novas', '9841000001', '-', 'None yet', '20 Nov, 15:45', 'EditRosterAudit'],
      ['Kathmandu Kings', '9841000001', 'Coach of Kathmandu Kings9841000002, 9841000003', 'Valley Winter Classic 2083', '19 Nov, 15:45', 'EditRosterAudit'],
    ]);
    await user.click(screen.getByRole('button', { name: 'Edit Kathmandu Kings' }));
    const form = within(await screen.findByRole('dialog', { name: 'Edit Team' }));
    expect(form.getByLabelText('Primary number')).toHaveValue('9841000001');
    fireEvent.change(form.getByLabelText('Coach name'), { target: { value: 'Sita Sharma' } });
    await user.click(form.getByRole('button', { name: 'Update Team' }));
    expect(await screen.findByText('Team updated')).toBeInTheDocument();
    expect(sent.map(({ call, body, headers }) => [call, body, headers.get('Authorization')])).toEqual([
      ['PUT /superadmin/teams/k', { coachname: 'Sita Sharma' }, 'Bearer a.b.c'],
    ]);
    await user.click(screen.getByRole('button', { name: 'Roster of Nepalgunj Novas' }));
    expect(await screen.findByText('Asim Thapa')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Close dialog' }));
    await user.click(screen.getByRole('button', { name: 'Audit of Nepalgunj Novas' }));
    await waitFor(() => {
      expect(asked).toContain('GET /superadmin/audit?team=n&limit=50');
    });
  });

  it.each(['/superadmin/tournaments', '/superadmin/teams'])('says why there are no teams when %s cannot be read', async (path) => {
    const { user } = open({ [path]: { status: 503, body: { message: 'Nothing can be read at the moment' } } });
    await user.click(await screen.findByRole('tab', { name: 'Users' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Nothing can be read at the moment');
  });
});

const openForm = async (user: ReturnType<typeof open>['user'], title: 'Create Admin' | 'Edit Admin'): Promise<Form> => {
  const [button] = await screen.findAllByRole('button', { name: new RegExp(`^${title}`) });
  if (!button) throw new Error(`no button ${title}`);
  await user.click(button);
  const form = within(await screen.findByRole('dialog', { name: title }));
  return {
    form,
    fill: async (fields) => {
      for (const [label, value] of Object.entries(fields)) {
        await user.clear(form.getByLabelText(label));
        if (value !== '') await user.type(form.getByLabelText(label), value);
      }
    },
  };
};

describe('the admin form', () => {
  const whole = { Username: 'new.admin', 'Phone number': '9800000000', Email: 'new@example.com', Password: 'mountain-court-19' };

  it('has username, password, email and phoneNumber, all required, and wants a valid e-mail address', async () => {
    const { user, sent } = open();
    const { form, fill } = await openForm(user, 'Create Admin');
    expect(Array.from(document.querySelectorAll('[role=dialog] input'), (input) => input.getAttribute('name'))).toEqual([
      'username',
      'phoneNumber',
      'email',
      'password',
    ]);
    await user.click(form.getByRole('button', { name: 'Create' }));
    for (const name of ['Username', 'Password', 'Email', 'Phone number']) expect(form.getByText(`${name} is required`)).toBeInTheDocument();
    await fill({ ...whole, Email: 'new@' });
    await user.click(form.getByRole('button', { name: 'Create' }));
    expect(form.getByText('Email must be a valid e-mail address')).toBeInTheDocument();
    expect(sent).toEqual([]);
  });

  it("creates: 'Admin Created Successfully'", async () => {
    const { user, sent } = open({ 'POST /superadmin/create-admin': { status: 201, body: admin() } });
    const { form, fill } = await openForm(user, 'Create Admin');
    await fill(whole);
    await user.click(form.getByRole('button', { name: 'Create' }));
    expect(await screen.findByText('Admin Created Successfully')).toBeInTheDocument();
    expect(sent[0]?.body).toEqual({ username: 'new.admin', password: 'mountain-court-19', email: 'new@example.com', phoneNumber: '9800000000' });
    expect(sent[0]?.headers.get('Authorization')).toBe('Bearer a.b.c');
  });

  it('creates with the same key when the answer was lost, and with another one once something else is asked for', async () => {
    const { user, sent } = open({ 'POST /superadmin/create-admin': { lost: true } });
    const { form, fill } = await openForm(user, 'Create Admin');
    await fill(whole);
    for (const username of ['new.admin', 'new.admin', 'newer.admin']) {
      await fill({ Username: username });
      await user.click(form.getByRole('button', { name: 'Create' }));
      expect(await form.findByText(/^It is not known/)).toBeInTheDocument();
    }
    const [first, again, other] = sent.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(first).toMatch(/^[\w-]{20,}$/);
    expect([again === first, other === first]).toEqual([true, false]);
  });

  it("edits under the title Edit Admin with an Update button: 'Admin Updated Successfully'", async () => {
    const { user, sent } = open({ 'PUT /superadmin/update-admin/a1': { body: admin() } });
    const { form, fill } = await openForm(user, 'Edit Admin');
    expect(form.getByLabelText('Email')).toHaveValue('pema@example.com');
    await fill({ 'Phone number': '9811111111' });
    await user.click(form.getByRole('button', { name: 'Update' }));
    expect(await screen.findByText('Admin Updated Successfully')).toBeInTheDocument();
    expect(sent.map(({ call, body }) => [call, body])).toEqual([['PUT /superadmin/update-admin/a1', { phoneNumber: '9811111111' }]]);
  });

  it('sends again what was put back after a lost answer, since it may have been recorded', async () => {
    const answer: { lost: boolean; body?: unknown } = { lost: true };
    const { user, sent } = open({ 'PUT /superadmin/update-admin/a1': answer });
    const { form, fill } = await openForm(user, 'Edit Admin');
    const before = form.getByLabelText<HTMLInputElement>('Phone number').value;
    await fill({ 'Phone number': '9811111111' });
    await user.click(form.getByRole('button', { name: 'Update' }));
    expect(await form.findByText(/^It is not known/)).toBeInTheDocument();
    Object.assign(answer, { lost: false, body: admin() });
    await fill({ 'Phone number': before });
    await user.click(form.getByRole('button', { name: 'Update' }));
    expect(await screen.findByText('Admin Updated Successfully')).toBeInTheDocument();
    expect(sent.map(({ body }) => body)).toEqual([{ phoneNumber: '9811111111' }, { phoneNumber: before }]);
  });

  it("says 'Internal Server Error' after a 500", async () => {
    const { user } = open({ 'POST /superadmin/create-admin': { status: 500, body: {} } });
    const { form, fill } = await openForm(user, 'Create Admin');
    await fill(whole);
    await user.click(form.getByRole('button', { name: 'Create' }));
    expect(await form.findByRole('alert')).toHaveTextContent('Internal Server Error');
  });
});
