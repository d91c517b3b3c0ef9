import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { answerWith, currentAddress, goBack, renderSite } from '../testing/render-site.tsx';
import { adminPlayer, adminTournament, listedMatch, team, tournamentRequest } from '../testing/staff-builder.ts';

const session = { _id: 'a1', username: 'pema.sherpa', email: 'pema@example.com' };
const open = (answers: Parameters<typeof answerWith>[0] = {}, address = '/admin', before?: string) => {
  localStorage.setItem('atoken', 'a.b.c');
  const api = answerWith({
    '/admin/check-token': { body: session },
    '/tournaments/admin-tournaments': { body: [adminTournament(), adminTournament({ _id: 't2', name: 'Terai Night League' })] },
    '/team/teams': { body: [team('k', 'Kathmandu Kings')] },
    '/match/matches': { body: [listedMatch()] },
    '/player/getAllPlayers': { body: [adminPlayer()] },
    '/tournaments/requests': { body: [] },
    ...answers,
  });
  return { ...api, ...renderSite(address, before) };
};
const cells = async (caption: string): Promise<readonly (string | null)[][]> => {
  const table = await screen.findByRole('table', { name: caption });
  return within(table)
    .getAllByRole('row')
    .map((row) => Array.from(row.children, (cell) => cell.querySelector('.who > span:last-child')?.textContent ?? cell.textContent));
};
const openTab = async (user: ReturnType<typeof open>['user'], name: string): Promise<void> => {
  await user.click(await screen.findByRole('tab', { name }));
};
const selected = (): readonly (string | null)[] => screen.getAllByRole('tab', { selected: true }).map((tab) => tab.textContent);

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
});

describe('the way into the admin dashboard', () => {
  it('leads to the login when there is no stored token', async () => {
    answerWith({});
    renderSite('/admin');
    await waitFor(() => {
      expect(currentAddress()).toBe('/adminlogin');
    });
  });

  it('leads to the login when the server answers 401', async () => {
    open({ '/admin/check-token': { status: 401, body: {} } });
    await waitFor(() => {
      expect(currentAddress()).toBe('/adminlogin');
    });
  });

  it.each([
    ['Internal Server Error', { status: 500, body: { message: 'Something else' } }],
    ['Too busy', { status: 503, body: { message: 'Too busy' } }],
    ['The server does not answer', { lost: true }],
  ])('says %j when the check answers %j, and stays', async (text, answer) => {
    open({ '/admin/check-token': answer });
    expect(await screen.findByRole('alert')).toHaveTextContent(new RegExp(`^${text}$`));
    expect(currentAddress()).toBe('/admin');
  });
});

describe('the admin dashboard', () => {
  it('keeps its tab in the address: loaded again, it shows the same', async () => {
    const { user } = open();
    await openTab(user, 'Teams');
    expect([selected(), currentAddress()]).toEqual([['Teams'], '/admin?tab=teams']);
    await openTab(user, 'Tournaments');
    expect([selected(), currentAddress()]).toEqual([['Tournaments'], '/admin']);
  });

  it.each([
    ['players', 'Players'],
    ['nonsense', 'Tournaments'],
  ])('opens %s at %s', async (tab, title) => {
    open({}, `/admin?tab=${tab}`);
    await screen.findAllByRole('tab');
    expect(selected()).toEqual([title]);
  });

  it('has five tabs and Requests, Tournaments first, one selected at a time; no header and no footer', async () => {
    const { user } = open();
    expect((await screen.findAllByRole('tab')).map((tab) => tab.textContent)).toEqual([
      'Tournaments',
      'Users',
      'Teams',
      'Matches',
      'Players',
      'Requests',
      'Audit',
    ]);
    expect(selected()).toEqual(['Tournaments']);
    await openTab(user, 'Players');
    expect(selected()).toEqual(['Players']);
    expect(screen.queryByRole('banner')).not.toBeInTheDocument();
    expect(screen.queryByRole('contentinfo')).not.toBeInTheDocument();
  });

  it('lists tournaments with name, organizer name and organizer phone, Edit and Add Match, under Create Tournament', async () => {
    const { user } = open();
    expect(await cells('Tournaments')).toEqual([
      ['Name', 'Organizer name', 'Organizer phone', 'Actions'],
      ['Valley Winter Classic 2083', 'Kathmandu Valley Basketball Association', '01-5970456', 'EditAdd MatchAudit'],
      ['Terai Night League', 'Kathmandu Valley Basketball Association', '01-5970456', 'EditAdd MatchAudit'],
    ]);
    expect(screen.getByRole('button', { name: 'Create Tournament' })).toBeInTheDocument();
    await user.type(screen.getByRole('searchbox'), 'night');
    expect(await cells('Tournaments')).toHaveLength(2);
  });

  it('opens one modal at a time: create, edit or assign match, then none', async () => {
    const { user } = open({ '/tournaments/t1': { body: { ...adminTournament(), teams: [], matches: [] } } });
    await cells('Tournaments');
    for (const [button, title] of [
      ['Create Tournament', 'Create Tournament'],
      ['Edit Valley Winter Classic 2083', 'Edit Tournament'],
      ['Add Match to Valley Winter Classic 2083', 'Assign Match'],
    ] as const) {
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
      await user.click(screen.getByRole('button', { name: button }));
      expect((await screen.findAllByRole('dialog')).map((dialog) => dialog.querySelector('.modal__t')?.textContent)).toEqual([title]);
      await user.click(screen.getByRole('button', { name: 'Close' }));
    }
    await waitFor(() => {
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    });
  });

  it('lists the contacts of registered teams under Users, with an Edit that works', async () => {
    const { user } = open();
    await openTab(user, 'Users');
    expect(screen.getByRole('heading', { level: 1, name: 'Users' })).toBeInTheDocument();
    expect((await cells('Users'))[1]).toEqual(['Kathmandu Kings', '9841000001', 'Coach of Kathmandu Kings', '9841000002, 9841000003', '0', 'EditRosterAudit']);
    await user.click(screen.getByRole('button', { name: 'Edit Kathmandu Kings' }));
    expect(within(await screen.findByRole('dialog', { name: 'Edit Team' })).getByLabelText('Primary number')).toHaveValue('9841000001');
  });

  it('lists teams with name, origin, coach name, coach contact and an Edit that works', async () => {
    const { user } = open();
    await openTab(user, 'Teams');
    expect(await cells('Teams')).toEqual([
      ['Team name', 'Origin', 'Coach name', 'Coach contact', 'Actions'],
      ['Kathmandu Kings', 'Kathmandu', 'Coach of Kathmandu Kings', '9841000002', 'EditRosterAudit'],
    ]);
    await user.click(screen.getByRole('button', { name: 'Edit Kathmandu Kings' }));
    expect(await screen.findByRole('dialog', { name: 'Edit Team' })).toBeInTheDocument();
  });

  it("lists matches with tournament, both teams and date; Edit opens 'Update Match'", async () => {
    const { user } = open();
    await openTab(user, 'Matches');
    const [head, row] = await cells('Matches');
    expect(head).toEqual(['Tournament name', 'Team 1 name', 'Team 2 name', 'Date', 'Actions']);
    expect(row?.slice(0, 4)).toEqual(['Himalayan Hoops League', 'Kathmandu Kings', 'Pokhara Panthers', '21 November 2026, 14:00']);
    await user.click(screen.getByRole('button', { name: 'Edit Kathmandu Kings, Pokhara Panthers' }));
    expect(await screen.findByRole('dialog', { name: 'Update Match' })).toBeInTheDocument();
  });

  it.each([
    ['2026-11-21', 1],
    ['2026-11', 1],
    ['21 November', 1],
    ['2026-11-22', 0],
  ])('finds matches by their date, in words or as it is written in addresses: %s', async (typed, found) => {
    const { user } = open();
    await openTab(user, 'Matches');
    await user.type(await screen.findByLabelText('Filter by tournament, team or date'), typed);
    expect(screen.queryAllByRole('button', { name: 'Edit Kathmandu Kings, Pokhara Panthers' })).toHaveLength(found);
  });

  it('puts the matches of today before the others', async () => {
    const day = kathmanduDay(Date.now());
    const { user } = open({
      '/match/matches': {
        body: [
          listedMatch({ matchId: 'm0', team1Name: 'Long past', date: '2020-01-01T00:00:00.000Z' }),
          listedMatch({ team1Name: 'Of today', date: `${day}T00:00:00.000Z` }),
        ],
      },
    });
    await openTab(user, 'Matches');
    expect((await cells('Matches')).slice(1).map(([, name]) => name)).toEqual(['Of today', 'Long past']);
  });

  it('opens the audit of what a row is about, as of any moment; the tab by itself shows everything again', async () => {
    const line = {
      position: '9',
      at: '2026-11-21T10:00:00.000Z',
      actor: { role: 'admin', id: 'a1', name: 'Asha Rai' },
      type: 'TeamDetailsCorrected',
      what: 'Corrected the team',
      before: null,
      after: null,
      commandId: 'c',
      cause: 'c',
      stream: 'team-k',
      team_id: 'k',
    };
    const page = { body: { lines: [line], next: null, about: [{ kind: 'team', id: 'k', name: 'Kathmandu Kings' }] } };
    const { user, asked } = open({ '/audit?team=k&limit=50': page, '/audit?asOf=2026-11-20T18%3A00&team=k&limit=50': page, '/audit?limit=50': page });
    await openTab(user, 'Teams');
    await user.click(await screen.findByRole('button', { name: 'Audit of Kathmandu Kings' }));
    expect(selected()).toEqual(['Audit']);
    expect(screen.getByText(/^Only one team:/)).toHaveFocus();
    expect(await screen.findByText('Corrected the team')).toBeInTheDocument();
    expect(screen.getByText(/^Only one team:/)).toHaveTextContent('Only one team: Kathmandu Kings');
    fireEvent.change(screen.getByLabelText('As of, in Kathmandu'), { target: { value: '2026-11-20T18:00' } });
    await waitFor(() => {
      expect(asked.filter((call) => call.includes('/audit'))).toEqual(['GET /audit?team=k&limit=50', 'GET /audit?asOf=2026-11-20T18%3A00&team=k&limit=50']);
    });
    expect(screen.getByRole('link', { name: 'CSV' })).toHaveAttribute('href', '/api/audit.csv?asOf=2026-11-20T18%3A00&team=k');
    await openTab(user, 'Teams');
    await openTab(user, 'Audit');
    expect(await screen.findByText('Corrected the team')).toBeInTheDocument();
    expect(asked.at(-1)).toBe('GET /audit?limit=50');
    expect(screen.getByRole('option', { name: 'Player added to team' })).toHaveValue('PlayerAddedToTeam');
  });

  it.each([
    ['Tournaments', 'Valley Winter Classic 2083', 'tournament=t1'],
    ['Matches', 'Kathmandu Kings, Pokhara Panthers', 'match=m1'],
    ['Players', 'Suyog Maharjan', 'player='],
  ])('opens the audit from a row of %s', async (tab, name, subject) => {
    const { user, asked } = open();
    await openTab(user, tab);
    await user.click(await screen.findByRole('button', { name: `Audit of ${name}` }));
    await waitFor(() => {
      expect(asked.at(-1)).toContain(`GET /audit?${subject}`);
    });
  });

  it('comes back from the audit of a row to the row, with the list filtered as it was; another tab begins without a filter', async () => {
    const { user } = open({ '/team/teams': { body: [team('k', 'Kathmandu Kings'), team('p', 'Pokhara Panthers'), team('b', 'Pokhara Bulls')] } });
    await openTab(user, 'Teams');
    await user.type(await screen.findByRole('searchbox'), 'pokhara b');
    await user.click(screen.getByRole('button', { name: 'Audit of Pokhara Bulls' }));
    expect([selected(), currentAddress()]).toEqual([['Audit'], '/admin?tab=audit&team=b']);
    goBack();
    expect([selected(), currentAddress()]).toEqual([['Teams'], '/admin?tab=teams']);
    expect(screen.getByRole('searchbox')).toHaveValue('pokhara b');
    expect((await cells('Teams')).slice(1).map(([name]) => name)).toEqual(['Pokhara Bulls']);
    expect(screen.getByRole('button', { name: 'Audit of Pokhara Bulls' })).toHaveFocus();
    await openTab(user, 'Matches');
    expect(screen.getByRole('searchbox')).toHaveValue('');
  });

  it('comes back to the same tab as it was there: to another audit, and to the filter of before', async () => {
    const { user } = open(
      {
        '/audit?limit=50': { body: { lines: [], next: null, about: [] } },
        '/audit?team=k&limit=50': { body: { lines: [], next: null, about: [{ kind: 'team', id: 'k', name: 'Kathmandu Kings' }] } },
      },
      '/admin?tab=audit',
      '/admin?tab=audit&team=k',
    );
    expect(await screen.findByText('Nothing of that kind')).toBeInTheDocument();
    goBack();
    const only = await screen.findByText('Only one team: Kathmandu Kings');
    await waitFor(() => expect(only).toHaveFocus());
    expect([selected(), currentAddress()]).toEqual([['Audit'], '/admin?tab=audit&team=k']);
    await openTab(user, 'Teams');
    await user.type(await screen.findByRole('searchbox'), 'kath');
    await user.click(screen.getByRole('button', { name: 'Audit of Kathmandu Kings' }));
    await openTab(user, 'Teams');
    await user.type(await screen.findByRole('searchbox'), 'pokh');
    goBack();
    expect(screen.getByRole('searchbox')).toHaveValue('kath');
    expect(screen.getByRole('tab', { name: 'Teams' })).toHaveFocus();
  });

  it('comes back to the tab where the row is gone', async () => {
    const { user, client } = open({ '/team/teams': { body: [team('k', 'Kathmandu Kings'), team('p', 'Pokhara Panthers')] } });
    await openTab(user, 'Teams');
    await user.click(await screen.findByRole('button', { name: 'Audit of Pokhara Panthers' }));
    client.setQueriesData({ predicate: ({ queryKey }) => queryKey.includes('teams') }, [team('k', 'Kathmandu Kings')]);
    goBack();
    expect((await cells('Teams')).slice(1).map(([name]) => name)).toEqual(['Kathmandu Kings']);
    expect(screen.getByRole('tab', { name: 'Teams' })).toHaveFocus();
  });

  it('lists players with image, name and mobile number', async () => {
    const { user } = open();
    await openTab(user, 'Players');
    const [head, row] = await cells('Players');
    expect(head?.slice(0, 3)).toEqual(['Image', 'Name', 'Mobile number']);
    expect(row?.slice(1, 3)).toEqual(['Suyog Maharjan', '9841023776']);
    expect(screen.getByRole('table', { name: 'Players' }).querySelectorAll('td img')).toHaveLength(1);
  });

  it.each([
    ['No Players', { body: [] }],
    ['No Players Found', { status: 404, body: { message: 'Not found' } }],
    ['An Error Occurred', { status: 500, body: {} }],
    ['An Error Occurred', { status: 403, body: { message: 'Forbidden' } }],
  ])('says %j under Players for the answer %j', async (text, answer) => {
    const { user } = open({ '/player/getAllPlayers': answer });
    await openTab(user, 'Players');
    expect(await screen.findByText(text)).toBeInTheDocument();
  });

  it('keeps the focus near a match that was cancelled, whether its row goes before the answer or after it', async () => {
    const [gone, stays] = [listedMatch({ playerStats: [] }), listedMatch({ matchId: 'm2', team1Name: 'Lalitpur Lynx' })];
    const matches = { body: [gone, stays] };
    const answer = Promise.withResolvers<void>();
    const { user, client } = open({
      '/match/matches': matches,
      '/match/matches/m1': { body: {} },
      'DELETE /match/matches/m1': { body: {}, after: answer.promise },
    });
    const cancel = async (): Promise<void> => {
      await user.click(await screen.findByRole('button', { name: 'Settings Kathmandu Kings, Pokhara Panthers' }));
      await user.click(await screen.findByRole('button', { name: 'Cancel match' }));
      await user.click(screen.getByRole('button', { name: 'Cancel the match' }));
    };
    await openTab(user, 'Matches');
    await cancel();
    matches.body = [stays];
    await client.invalidateQueries();
    answer.resolve();
    await waitFor(() => {
      expect(screen.getByRole('tab', { name: 'Matches' })).toHaveFocus();
    });
    matches.body = [gone, stays];
    await client.invalidateQueries();
    const row = await screen.findByRole('button', { name: 'Settings Kathmandu Kings, Pokhara Panthers' });
    row.focus();
    matches.body = [stays];
    await client.invalidateQueries();
    await waitFor(() => {
      expect(row).not.toBeInTheDocument();
    });
    expect(screen.getByRole('button', { name: 'Edit Lalitpur Lynx, Pokhara Panthers' })).toHaveFocus();
  });

  it('lists requests for tournaments, contacts and all', async () => {
    const asked = tournamentRequest();
    const { user } = open({ '/tournaments/requests': { body: [asked] } });
    await openTab(user, 'Requests');
    expect(await screen.findByText('Koshi Open')).toBeInTheDocument();
  });

  it('looks for requests that come while the list is open: no live change tells of them', async () => {
    const intervals = vi.spyOn(globalThis, 'setInterval');
    onTestFinished(() => {
      intervals.mockRestore();
    });
    const requests: { body: unknown } = { body: [] };
    const { user } = open({ '/tournaments/requests': requests });
    await openTab(user, 'Requests');
    expect(await screen.findByText('No requests yet')).toBeInTheDocument();
    requests.body = [tournamentRequest()];
    act(() => {
      for (const [look, after] of intervals.mock.calls) if (after === 30_000) look();
    });
    expect(await screen.findByText('Koshi Open')).toBeInTheDocument();
  });

  it('says of an answer to a request that was lost that it is not known, and reads the list again', async () => {
    const asked = tournamentRequest();
    const answer = { lost: true, body: { ...asked, status: 'declined' } };
    const { user, asked: calls, sent } = open({ '/tournaments/requests': { body: [asked] }, 'PUT /tournaments/requests/r1': answer });
    const lists = (): number => calls.filter((call) => call === 'GET /tournaments/requests').length;
    await openTab(user, 'Requests');
    await user.click(await screen.findByRole('button', { name: 'View Koshi Open' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Koshi Open' }));
    const before = lists();
    const decline = async (): Promise<void> => {
      await user.click(dialog.getByRole('button', { name: 'Decline' }));
      await user.click(within(dialog.getByRole('group', { name: 'Decline this request?' })).getByRole('button', { name: 'Decline' }));
    };
    await decline();
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      /^The server does not answerIt is not known whether this was recorded. Decline may be pressed again: the result is the same.$/,
    );
    expect(lists()).toBe(before + 1);
    answer.lost = false;
    await decline();
    expect(await screen.findByText('Request declined')).toBeInTheDocument();
    expect(new Set(sent.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(1);
  });

  it('marks a name in Devanagari as Nepali in the title of its dialog, so that its lines have room', async () => {
    const asked = tournamentRequest({ tournamentName: 'कोशी खुला' });
    const { user } = open({ '/tournaments/requests': { body: [asked] } });
    await openTab(user, 'Requests');
    await user.click(await screen.findByRole('button', { name: 'View कोशी खुला' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'कोशी खुला' }));
    expect(dialog.getByText('कोशी खुला')).toHaveAttribute('lang', 'ne');
  });

  it('declines a request after a question alone, and offers Close beside both answers', async () => {
    const asked = tournamentRequest();
    const { user, sent } = open({ '/tournaments/requests': { body: [asked] } });
    await openTab(user, 'Requests');
    await user.click(await screen.findByRole('button', { name: 'View Koshi Open' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Koshi Open' }));
    await user.click(dialog.getByRole('button', { name: 'Decline' }));
    expect(dialog.getByRole('group', { name: 'Decline this request?' })).toHaveAccessibleDescription('It cannot be accepted any more then.');
    await user.keyboard('{Enter}');
    expect(dialog.getByRole('button', { name: 'Accept' })).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(sent).toEqual([]);
  });

  it('shows how somebody else has answered a request once the server refuses another answer', async () => {
    const asked = tournamentRequest();
    const requests = { body: [asked] };
    const { user } = open({
      '/tournaments/requests': requests,
      'PUT /tournaments/requests/r1': { status: 409, body: { message: 'This request was declined already' } },
    });
    await openTab(user, 'Requests');
    await user.click(await screen.findByRole('button', { name: 'View Koshi Open' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Koshi Open' }));
    fireEvent.change(dialog.getByRole('textbox'), { target: { value: 'Welcome' } });
    requests.body = [{ ...asked, status: 'declined', note: 'Full' }];
    await user.click(dialog.getByRole('button', { name: 'Accept' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(/^This request was declined already$/);
    await waitFor(() => {
      expect(dialog.getByText('Declined').parentElement).toHaveTextContent('Declined: Full');
    });
    expect(dialog.queryByRole('button', { name: 'Accept' })).toBeNull();
    expect(dialog.getByText('Declined').parentElement).toHaveFocus();
    // What was typed has no field any more: nothing is asked about it.
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('shows no contact of a requester who is erased while the request is open in a dialog, and keeps the answer that is being written', async () => {
    const asked = tournamentRequest({ email: 'club@example.com', organizerName: 'Koshi Club' });
    const requests = { body: [asked] };
    const { user, client } = open({ '/tournaments/requests': requests });
    await openTab(user, 'Requests');
    await user.click(await screen.findByRole('button', { name: 'View Koshi Open' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Koshi Open' }));
    fireEvent.change(dialog.getByRole('textbox'), { target: { value: 'Welcome' } });
    requests.body = [{ ...asked, organizerName: 'Former requester', contactPhone1: '', contactPhone2: '', email: '' }];
    await client.invalidateQueries();
    expect(await dialog.findByText('Former requester')).toBeInTheDocument();
    expect(dialog.getByRole('textbox')).toHaveValue('Welcome');
    expect(document.body.innerHTML).not.toMatch(/985103342|Koshi Club|club@example/);
  });
});
