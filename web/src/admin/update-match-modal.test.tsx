import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { statRow } from '../testing/match-builder.ts';
import { answerWith, renderSite } from '../testing/render-site.tsx';
import { listedMatch } from '../testing/staff-builder.ts';
import { parseIncrement } from './update-match.rules.ts';

const open = async (
  answer: { status?: number; body?: unknown; pending?: boolean; after?: Promise<unknown> } = { body: {} },
  matches: { body: unknown; after?: Promise<unknown> } = { body: [listedMatch()] },
) => {
  localStorage.setItem('atoken', 'a.b.c');
  const api = answerWith({
    '/admin/check-token': { body: { _id: 'a1', username: 'pema', email: 'pema@example.com' } },
    '/tournaments/admin-tournaments': { body: [] },
    '/match/matches': matches,
    '/team/teams': { body: [] },
    'POST /match/match/update': answer,
  });
  const { user, client } = renderSite('/admin');
  await user.click(await screen.findByRole('tab', { name: 'Matches' }));
  await user.click(await screen.findByRole('button', { name: 'Edit Kathmandu Kings, Pokhara Panthers' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Update Match' }));
  const total = (label: string): Element | null | undefined => modal.getByLabelText(label).closest('.inc')?.querySelector('b');
  const type = (label: string, value: string): void => {
    fireEvent.change(modal.getByLabelText(label), { target: { value } });
  };
  return { ...api, user, client, modal, total, type };
};

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
});

describe('the update match modal', () => {
  it('has a table a team: name, played, and a total beside an increment of points, assists and rebounds', async () => {
    const { modal, total } = await open();
    const tables = modal.getAllByRole('table');
    expect(tables).toHaveLength(2);
    expect(
      tables.map((table) =>
        within(table)
          .getAllByRole('rowheader')
          .map((head) => head.textContent),
      ),
    ).toEqual([['Suyog Maharjan', 'Pranil Tamang'], ['Nischal Rai']]);
    expect(
      tables.map((table) =>
        within(table)
          .getAllByRole('columnheader')
          .map((head) => head.textContent),
      )[0],
    ).toEqual(['Player', 'Played', 'Points', 'Assists', 'Rebounds']);
    expect(
      ['Add points, Suyog Maharjan', 'Add assists, Suyog Maharjan', 'Add rebounds, Suyog Maharjan', 'Add points, Nischal Rai'].map(
        (label) => total(label)?.textContent,
      ),
    ).toEqual(['12', '3', '5', '0']);
    expect(modal.getByRole('button', { name: 'Close' })).toBeInTheDocument();
    expect(modal.getByRole('button', { name: 'Update Match' })).toBeInTheDocument();
  });

  it('opens the entries behind a total, says where the total has more than those, and gives the focus back', async () => {
    const { user, modal, type } = await open();
    type('Add points, Suyog Maharjan', '3');
    const number = modal.getByRole('button', { name: '15 with what is typed: why 12? Entries of Suyog Maharjan, points' });
    expect(modal.getByRole('button', { name: 'Why 3? Entries of Suyog Maharjan, assists' })).toBeInTheDocument();
    await user.click(number);
    await user.click(await modal.findByRole('button', { name: 'Close the entries' }));
    expect(number).toHaveFocus();
    expect(modal.queryByRole('region', { name: 'Entries behind a number' })).not.toBeInTheDocument();
  });

  it('closes the entries behind a total upon Escape in them, and nothing else: what was typed is not asked about, and the focus goes back', async () => {
    const { user, modal, type } = await open();
    type('Add points, Suyog Maharjan', '3');
    const number = modal.getByRole('button', { name: 'Why 3? Entries of Suyog Maharjan, assists' });
    const entries = () => modal.queryByRole('region', { name: 'Entries behind a number' });
    const openEntries = async () => {
      await user.click(number);
      return modal.findByRole('heading', { name: 'Why this number?' });
    };
    // From its heading, from a button, and from a place that was pressed.
    for (const go of [async () => {}, async () => user.tab(), async () => user.click(modal.getByText('Why this number?'))]) {
      expect(await openEntries()).toHaveFocus();
      await go();
      await user.keyboard('{Escape}');
      expect([entries(), modal.queryByText('Discard what you typed?')]).toEqual([null, null]);
      expect(number).toHaveFocus();
    }
    // Beside them, and without them, the key is the dialog's.
    await openEntries();
    await user.click(modal.getByLabelText('Add points, Suyog Maharjan'));
    await user.keyboard('{Escape}');
    expect(modal.getByText('Discard what you typed?')).toBeInTheDocument();
    expect(entries()).toBeInTheDocument();
  });

  it('takes the figures of a Nepali keyboard for what they mean, and sends them as any others', async () => {
    const { user, modal, total, sent } = await open();
    const field = modal.getByLabelText('Add points, Suyog Maharjan');
    await user.type(field, '-९');
    expect(field).toHaveValue('-9');
    expect(total('Add points, Suyog Maharjan')).toHaveTextContent('3');
    await user.click(modal.getByRole('button', { name: 'Update Match' }));
    expect(await screen.findByText('Match updated successfully')).toBeInTheDocument();
    expect(sent[0]?.body).toMatchObject({ team1Players: [{ playerId: '1', points: -9 }] });
  });

  it('shows totals from 0 in green, below 0 in red', async () => {
    const { total, type } = await open();
    const label = 'Add points, Suyog Maharjan';
    const shown = (): readonly unknown[] => [total(label)?.textContent, total(label)?.className];
    expect(shown()).toEqual(['12', 'pos']);
    type(label, '-12');
    expect(shown()).toEqual(['0', 'pos']);
    type(label, '-13');
    expect(shown()).toEqual(['−1', 'neg']);
  });

  it("shows a stored 'DNP' as played, and somebody without an entry as not played", async () => {
    const { modal } = await open();
    expect(
      ['Suyog Maharjan played', 'Pranil Tamang played', 'Nischal Rai played'].map((label) => modal.getByLabelText<HTMLInputElement>(label).checked),
    ).toEqual([true, true, false]);
  });

  it.each([
    ['7', 7],
    ['-3', -3],
    ['−3', -3],
    ['2.9', 2],
    ['', 0],
    ['abc', 0],
    ['-', 0],
  ])('parses %j as %i', (typed, value) => {
    expect(parseIncrement(typed)).toBe(value);
  });

  it('lets the keyboard scroll through the changes of a whole sheet', async () => {
    const { user, modal, type } = await open();
    for (const statistic of ['points', 'assists', 'rebounds']) for (const name of ['Suyog Maharjan', 'Nischal Rai']) type(`Add ${statistic}, ${name}`, '1');
    modal.getByRole('button', { name: 'Close' }).focus();
    await user.tab({ shift: true });
    expect(document.activeElement).toHaveTextContent(/^6 changes: /);
  });

  it("sends the increments with a key and says 'Match updated successfully' on 200", async () => {
    const { user, modal, type, sent } = await open();
    type('Add points, Suyog Maharjan', '3');
    type('Add rebounds, Suyog Maharjan', 'abc');
    type('Add assists, Nischal Rai', '-2');
    await user.click(modal.getByLabelText('Pranil Tamang played'));
    await user.click(modal.getByRole('button', { name: 'Update Match' }));
    expect(await screen.findByText('Match updated successfully')).toBeInTheDocument();
    expect(sent.map((command) => command.body)).toEqual([
      {
        matchId: 'm1',
        team1Players: [
          { playerId: '1', points: 3, assists: 0, rebounds: 0, notplayed: '' },
          { playerId: '2', points: 0, assists: 0, rebounds: 0, notplayed: 'Not Played' },
        ],
        team2Players: [{ playerId: '3', points: 0, assists: -2, rebounds: 0, notplayed: '' }],
      },
    ]);
    expect(sent[0]?.headers.get('Idempotency-Key')).toMatch(/.{16,}/);
  });

  it('sends once, however often the button is pressed while it is busy', async () => {
    const { user, modal, type, sent } = await open({ pending: true });
    type('Add points, Suyog Maharjan', '3');
    await user.dblClick(modal.getByRole('button', { name: 'Update Match' }));
    const busy = await modal.findByRole('button', { name: 'Saving...' });
    expect(busy).toHaveAttribute('aria-disabled', 'true');
    await user.click(busy);
    expect(sent).toHaveLength(1);
  });

  it.each([500, 409, 400])("says 'Match not updated successfully' on %i, and a retry carries the same key", async (status) => {
    const { user, modal, type, sent } = await open({ status, body: {} });
    type('Add points, Suyog Maharjan', '3');
    await user.click(modal.getByRole('button', { name: 'Update Match' }));
    expect(await modal.findByRole('alert')).toHaveTextContent('Match not updated successfully');
    await user.click(modal.getByRole('button', { name: 'Update Match' }));
    await modal.findByRole('alert');
    expect(sent).toHaveLength(2);
    expect(new Set(sent.map((command) => command.headers.get('Idempotency-Key'))).size).toBe(1);
  });

  it('stays open with what was typed when somebody cancels the match: the server says so when it is sent', async () => {
    const listed = { body: [listedMatch()] };
    const { user, modal, type, asked } = await open({ status: 409, body: { message: 'This match was cancelled' } }, listed);
    type('Add points, Suyog Maharjan', '3');
    listed.body = [];
    const readings = (): number => asked.filter((call) => call === 'GET /match/matches').length;
    const before = readings();
    fireEvent(window, new Event('visibilitychange'));
    expect(await screen.findByText('No matches yet')).toBeInTheDocument();
    expect(readings()).toBe(before + 1);
    expect(modal.getByLabelText('Add points, Suyog Maharjan')).toHaveValue('3');
    await user.click(modal.getByRole('button', { name: 'Update Match' }));
    expect(await modal.findByText('This match was cancelled')).toBeInTheDocument();
  });

  it('tells erased players from one another by their numbers, also while what was sent stands still', async () => {
    const matches = { body: [listedMatch()] };
    const { user, client, modal, type } = await open({ status: 502, body: {} }, matches);
    type('Add points, Suyog Maharjan', '5');
    await user.click(modal.getByRole('button', { name: 'Update Match' }));
    expect(await modal.findByRole('alert')).toHaveTextContent('It is not known whether this was recorded.');
    // What was sent was recorded, before its answer was lost.
    const name = 'Former player';
    matches.body = [
      listedMatch({
        team1Players: [
          { _id: '1', name, jerseyNumber: '7', image: '' },
          { _id: '2', name, jerseyNumber: '9', image: '' },
        ],
        playerStats: [statRow({ player_id: '1', team_id: 'k', name, points: 17 })],
      }),
    ];
    await client.invalidateQueries();
    expect((await modal.findAllByRole('rowheader', { name: /^Former player/ })).map((head) => head.textContent)).toEqual([
      'Former player (number 7)',
      'Former player (number 9)',
    ]);
    expect(modal.getByLabelText('Add points, Former player (number 7)')).toHaveValue('5');
    expect(modal.getByLabelText('Former player (number 9) played')).toBeDisabled();
    expect(modal.getByLabelText('Add points, Former player (number 7)').closest('.inc')?.querySelector('b')).toHaveTextContent('17');
  });

  it('tells two of one name in a team from one another by their numbers', async () => {
    const name = 'Bibek Rai';
    const { modal } = await open(
      {},
      {
        body: [
          listedMatch({
            team1Players: [
              { _id: '1', name, jerseyNumber: '7', image: '' },
              { _id: '2', name, jerseyNumber: '9', image: '' },
            ],
          }),
        ],
      },
    );
    expect(modal.getByLabelText('Add points, Bibek Rai (number 7)').closest('tr')).toHaveTextContent(/12/);
    expect(modal.getByRole('rowheader', { name: 'Bibek Rai (number 9)' })).toBeInTheDocument();
  });

  it('says that the totals are others than when it was opened, to who has typed something: the same sheet may be recorded by two', async () => {
    const matches = { body: [listedMatch()] };
    const { client, modal, type, total } = await open({}, matches);
    const told = /^Recorded elsewhere since this was opened/;
    type('Add points, Suyog Maharjan', '5');
    // Another name is no statistic.
    matches.body = [listedMatch({ team2Name: 'Panthers of Pokhara' })];
    await client.invalidateQueries();
    await modal.findByRole('heading', { name: 'Panthers of Pokhara' });
    expect(modal.queryByText(told)).not.toBeInTheDocument();
    matches.body = [listedMatch({ playerStats: [statRow({ player_id: '1', team_id: 'k', points: 17, assists: 3, rebounds: 5 })] })];
    await client.invalidateQueries();
    expect((await modal.findByText(told)).closest('output')).not.toBeNull();
    expect(total('Add points, Suyog Maharjan')).toHaveTextContent(/^22$/);
    type('Add points, Suyog Maharjan', '');
    expect(modal.queryByText(told)).not.toBeInTheDocument();
  });

  it('does not say so of what was recorded here just before, and is still being read as it opens again', async () => {
    const matches: { body: unknown; after?: Promise<unknown> } = { body: [listedMatch()] };
    const { user, type, modal } = await open({}, matches);
    const read = Promise.withResolvers<void>();
    Object.assign(matches, {
      body: [listedMatch({ playerStats: [statRow({ player_id: '1', team_id: 'k', points: 17, assists: 3, rebounds: 5 })] })],
      after: read.promise,
    });
    type('Add points, Suyog Maharjan', '5');
    await user.click(modal.getByRole('button', { name: 'Update Match' }));
    expect(await screen.findByText('Match updated successfully')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Edit Kathmandu Kings, Pokhara Panthers' }));
    const again = within(await screen.findByRole('dialog', { name: 'Update Match' }));
    fireEvent.change(again.getByLabelText('Add points, Suyog Maharjan'), { target: { value: '2' } });
    expect(again.getByLabelText('Add points, Suyog Maharjan').closest('.inc')).toHaveTextContent(/^14/);
    read.resolve();
    await waitFor(() => {
      expect(again.getByLabelText('Add points, Suyog Maharjan').closest('.inc')).toHaveTextContent(/^19/);
    });
    expect(again.queryByText(/^Recorded elsewhere/)).not.toBeInTheDocument();
  });

  it('stands still after a lost answer, says that nothing is known, and asks again for exactly what was sent', async () => {
    const lost = Promise.reject(new TypeError('Failed to fetch'));
    lost.catch(() => undefined);
    const answer: { body?: unknown; after?: Promise<unknown>; status?: number } = { after: lost };
    const { user, modal, type, sent } = await open(answer);
    const field = modal.getByLabelText('Add points, Suyog Maharjan');
    type('Add points, Suyog Maharjan', '5');
    await user.click(modal.getByRole('button', { name: 'Update Match' }));
    const alert = await modal.findByRole('alert');
    expect(alert).toHaveTextContent(/^Match not updated successfully/);
    expect(alert).toHaveTextContent('It is not known whether this was recorded. Update Match asks again for exactly this, and nothing is counted twice.');
    expect(field).toHaveAttribute('readonly');
    expect(modal.getByLabelText('Pranil Tamang played')).toBeDisabled();
    await user.type(field, '7');
    await user.type(modal.getByLabelText('Add points, Nischal Rai'), '2');
    expect(field).toHaveValue('5');
    // The session ended meanwhile: that says nothing about what was sent before.
    delete answer.after;
    Object.assign(answer, { status: 401, body: { message: 'Your login has expired, please log in again' } });
    await user.click(modal.getByRole('button', { name: 'Update Match' }));
    const link = await modal.findByRole('link', { name: 'Log in in a new tab' });
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/adminlogin', '_blank']);
    expect(modal.getByRole('alert')).toHaveTextContent('It is not known whether this was recorded.');
    expect(field).toHaveAttribute('readonly');
    Object.assign(answer, { status: 200, body: {} });
    await user.click(modal.getByRole('button', { name: 'Update Match' }));
    expect(await screen.findByText('Match updated successfully')).toBeInTheDocument();
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ headers, body }) => `${String(headers.get('Idempotency-Key'))} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(sent[0]?.body).toMatchObject({ team1Players: [{ playerId: '1', points: 5 }], team2Players: [] });
  });

  it('is free again after a refusal, and what is sent then is a new command', async () => {
    const { user, modal, type, sent } = await open({ status: 409, body: { message: 'The match was cancelled' } });
    type('Add points, Suyog Maharjan', '5');
    await user.click(modal.getByRole('button', { name: 'Update Match' }));
    expect(await modal.findByRole('alert')).toHaveTextContent(/^Match not updated successfullyThe match was cancelled$/);
    expect(modal.getByLabelText('Add points, Suyog Maharjan')).not.toHaveAttribute('readonly');
    type('Add points, Suyog Maharjan', '6');
    await user.click(modal.getByRole('button', { name: 'Update Match' }));
    await modal.findByRole('alert');
    expect(new Set(sent.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(2);
  });

  it.each([
    ['under way', 200],
    ['not known to be recorded', 503],
  ])('adds nothing to totals that hold it already, while what was sent is %s', async (_, status) => {
    const [first, ...others] = listedMatch().playerStats;
    const at = (points: number, tournamentName: string) => ({
      body: [listedMatch({ tournamentName, playerStats: [...(first ? [{ ...first, points }] : []), ...others] })],
    });
    const matches = at(12, 'Himalayan Hoops League');
    const reached = Promise.withResolvers<void>();
    const { user, modal, type, total, sent } = await open({ status, body: {}, after: reached.promise }, matches);
    type('Add points, Suyog Maharjan', '5');
    await user.click(modal.getByRole('button', { name: 'Update Match' }));
    await modal.findByRole('button', { name: 'Saving...' });
    const comesLive = async (): Promise<void> => {
      // The list below the dialog has it.
      Object.assign(matches, at(17, 'Himalayan Hoops League, live'));
      window.dispatchEvent(new Event('visibilitychange'));
      await screen.findAllByText('Himalayan Hoops League, live', { ignore: '[role=dialog] *' });
    };
    if (status === 200) await comesLive();
    else {
      reached.resolve();
      await modal.findByRole('alert');
      await comesLive();
    }
    expect(total('Add points, Suyog Maharjan')).toHaveTextContent(/^17$/);
    expect(modal.queryByText(/^Recorded elsewhere/)).not.toBeInTheDocument();
    expect(sent).toHaveLength(1);
  });
});
