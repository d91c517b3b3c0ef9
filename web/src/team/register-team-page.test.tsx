import type { TournamentPopulated } from '@courtledger/contracts/tournament/tournament.answers';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { players } from '../testing/registration-builder.ts';
import { answerWith, currentAddress, renderSite } from '../testing/render-site.tsx';
import { tournament } from '../testing/tournament-builder.ts';
import { emptyDraft, keepDraft } from './register-team-draft.ts';

const populated = (more: Partial<TournamentPopulated> = {}): TournamentPopulated => ({ ...tournament(), teams: [], matches: [], ...more });
const png = (name: string): File => new File(['x'], name, { type: 'image/png' });
const lists = { '/tournaments': { body: { allTournaments: [], upcomingTournaments: [] } } };

type Answers = Parameters<typeof answerWith>[0];
const open = (answers: Answers = {}, more: Partial<TournamentPopulated> = {}) => {
  const api = answerWith({ '/tournaments/t1': { body: populated(more) }, ...lists, ...answers });
  return { ...api, ...renderSite('/registerteam/t1') };
};

const atPlayers = (count: number): void => {
  keepDraft('t1', { ...emptyDraft(), teamId: 'team-1', coachSaved: true, players: players(count) });
};

const type = (label: string, value: string): void => {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
};
const choose = async (label: string, file: File): Promise<void> => {
  fireEvent.change(screen.getByLabelText(label), { target: { files: [file] } });
  await screen.findByText(file.name);
};

/** A whole step 1. */
const fillTeam = async (): Promise<void> => {
  await screen.findByLabelText('Team name');
  type('Team name', 'Dharan Dukes');
  type('Origin / Location', 'Dharan');
  type('Primary number', '9841023776');
  await choose('Team logo', png('crest.png'));
};

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
  URL.createObjectURL = () => 'blob:picture';
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the wizard', () => {
  it("refuses to start with the registerable text when it is not 'true'", async () => {
    open({}, { registerable: 'Registration closed' });
    expect(await screen.findByRole('link', { name: 'Registration closed' })).toHaveAttribute('href', '/events');
    expect(screen.getAllByText('Registration closed')).toHaveLength(1);
    expect(screen.queryByText(/^Nothing is lost/)).not.toBeInTheDocument();
    expect(screen.queryByLabelText('Team name')).not.toBeInTheDocument();
  });

  it('says what is saved where registration closes under a manager', async () => {
    atPlayers(2);
    open({}, { registerable: 'Registration closed' });
    expect(
      await screen.findByText(
        'Nothing is lost: your team, its coach and 2 players will stand here again when registration reopens. An unfinished registration is kept for 24 hours after its first step, in this browser only.',
      ),
    ).toBeInTheDocument();
  });

  it("says 'No tournament data available' where there is no such tournament", async () => {
    answerWith(lists);
    renderSite('/registerteam/none');
    expect(await screen.findByText('No tournament data available')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Upcoming Events' })).toHaveAttribute('href', '/upcoming');
    expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
  });

  it.each([
    ['the server is too busy', (): void => void answerWith({ '/tournaments/t1': { status: 503, body: {} }, ...lists })],
    ['the network fails', (): void => void vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))],
  ])('offers to try again when %s, and goes on where the draft stands', async (_, fail) => {
    atPlayers(2);
    fail();
    const { user } = renderSite('/registerteam/t1');
    expect(await screen.findByText('This tournament could not be loaded.')).toBeInTheDocument();
    expect(screen.queryByText('No tournament data available')).not.toBeInTheDocument();
    answerWith({ '/tournaments/t1': { body: populated() }, ...lists });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { level: 3, name: '2 players added' })).toBeInTheDocument();
  });

  it('shows title, steps, progress, banner and a close button that goes to /', async () => {
    open();
    expect(await screen.findByRole('heading', { level: 1, name: 'Register New Team' })).toBeInTheDocument();
    expect(screen.getByText('Important: Once you proceed to another step, you cannot edit your added details.')).toBeInTheDocument();
    const steps = within(screen.getByRole('complementary', { name: 'Progress' })).getAllByRole('listitem');
    expect(steps.map((step) => step.querySelector('b')?.textContent)).toEqual(['Team Details', 'Coach Details', 'Player Details']);
    expect(steps.map((step) => step.getAttribute('aria-current'))).toEqual(['step', null, null]);
    expect(screen.getByRole('link', { name: 'Close' })).toHaveAttribute('href', '/');
    expect(screen.getByText('Max size: 2MB. Square JPG or PNG preferred')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Back' })).toBeInTheDocument();
    expect(screen.getByLabelText('Primary number')).toHaveAttribute('inputmode', 'numeric');
  });

  it('shows every fault of step 1 under its field, and focuses the first', async () => {
    const { user, sent } = open();
    await user.click(await screen.findByRole('button', { name: 'Save & Continue' }));
    expect(screen.getByLabelText('Team name')).toHaveAccessibleDescription(expect.stringContaining('Team name must be at least 3 characters long'));
    expect(screen.getByLabelText('Team logo')).toHaveAccessibleDescription(expect.stringContaining('Team logo is required'));
    expect(screen.getByLabelText('Team name')).toHaveFocus();
    expect(sent).toEqual([]);
  });

  it('keeps a draft over a reload', async () => {
    open();
    await screen.findByLabelText('Team name');
    type('Team name', 'Dharan Dukes');
    type('Primary number', '98x४१');
    document.body.replaceChildren();
    open();
    expect(await screen.findByLabelText('Team name')).toHaveValue('Dharan Dukes');
    expect(screen.getByLabelText('Primary number')).toHaveValue('9841');
  });
});

describe('step 1', () => {
  it("says 'Saving...', then the success, and goes on 2 seconds later; saved steps cannot be edited", async () => {
    const { sent } = open({ 'POST /team/create-team-step-1': { status: 201, body: { _id: 'team-1' } } });
    await fillTeam();
    vi.useFakeTimers();
    fireEvent.click(screen.getByRole('button', { name: 'Save & Continue' }));
    expect(screen.getByRole('button', { name: 'Saving...' })).toHaveAttribute('aria-disabled', 'true');
    await act(async () => {
      await vi.advanceTimersByTimeAsync(10);
    });
    expect(screen.getByRole('status')).toHaveTextContent('Team details saved successfully!');
    expect(screen.queryByText(/^Important:/)).not.toBeInTheDocument();
    await act(async () => {
      await vi.advanceTimersByTimeAsync(1900);
    });
    expect(screen.getByRole('heading', { level: 2, name: 'Team Details' })).toBeInTheDocument();
    await act(async () => {
      await vi.advanceTimersByTimeAsync(100);
    });
    expect(screen.getByRole('heading', { level: 2, name: 'Coach Details' })).toBeInTheDocument();
    expect(sent.map(({ call, body }) => [call, body])).toEqual([
      ['POST /team/create-team-step-1', { name: 'Dharan Dukes', origin: 'Dharan', teamPrimaryNumber: '9841023776', logo: 'crest.png' }],
    ]);
    fireEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(screen.getByLabelText('Team name')).toHaveAttribute('readonly');
    expect(screen.getByLabelText('Team logo')).toBeDisabled();
  });

  it.each([
    [{ status: 500, body: { message: '' } }, 'Failed to save team details. Please try again.', 'Dharan'],
    [{ status: 400, body: { message: 'This name is refused' } }, 'This name is refused', 'Itahari'],
  ])('shows what went wrong, and sends the same key again for the same content (%#)', async (answer, text, origin) => {
    const { user, sent } = open({ 'POST /team/create-team-step-1': answer });
    await fillTeam();
    await user.click(screen.getByRole('button', { name: 'Save & Continue' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    await user.click(screen.getByRole('button', { name: 'Save & Continue' }));
    await waitFor(() => {
      expect(sent).toHaveLength(2);
    });
    type('Origin / Location', 'Itahari');
    await user.click(screen.getByRole('button', { name: 'Save & Continue' }));
    await waitFor(() => {
      expect(sent).toHaveLength(3);
    });
    const keys = sent.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys[0]).toMatch(/^[\x21-\x7E]{1,200}$/);
    // What may be recorded stands as it was sent; what was refused is the same team under another origin.
    expect(new Set(keys).size).toBe(1);
    expect(sent[2]?.body).toMatchObject({ origin });
  });
});

describe('step 2', () => {
  it('sends the token stored under atoken, and its own texts', async () => {
    keepDraft('t1', { ...emptyDraft(), teamId: 'team-1', coach: { coachname: 'Sharma', coachphoneNumber: '9841000001', contact_number_2: '9841000002' } });
    localStorage.setItem('atoken', 'stale');
    const { user, sent } = open({ 'POST /team/add-coach-details': { body: { _id: 'team-1' } } });
    await screen.findByRole('heading', { level: 2, name: 'Coach Details' });
    await choose('Coach photo', png('coach.png'));
    await user.click(screen.getByRole('button', { name: 'Save & Continue' }));
    expect(screen.getByText('Coach name must be at least 6 characters long')).toBeInTheDocument();
    type('Coach name', 'Sita Sharma');
    await user.click(screen.getByRole('button', { name: 'Save & Continue' }));
    expect(await screen.findByText('Coach details saved successfully!')).toBeInTheDocument();
    expect(sent.map(({ body, headers }) => [body, headers.get('Authorization')])).toEqual([
      [{ coachname: 'Sita Sharma', coachphoneNumber: '9841000001', contact_number_2: '9841000002', teamId: 'team-1', coachImage: 'coach.png' }, 'Bearer stale'],
    ]);
  });
});

describe('step 3', () => {
  it.each([
    [0, 'Need 4 more player(s)'],
    [3, 'Need 1 more player(s)'],
  ])('with %i players cannot be completed', async (count, text) => {
    atPlayers(count);
    open();
    expect(await screen.findByRole('button', { name: text })).toBeDisabled();
  });

  it('shows the first failed message in a banner and under its field', async () => {
    atPlayers(0);
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Add Player to Team' }));
    expect(screen.getByRole('alert')).toHaveTextContent('Player name is required');
    expect(screen.getByLabelText('Player name')).toHaveFocus();
    type('Player name', 'Anish Limbu');
    await user.click(screen.getByRole('button', { name: 'Add Player to Team' }));
    expect(screen.getByRole('alert')).toHaveTextContent('Jersey number is required');
    expect(screen.getByLabelText('Jersey number')).toHaveFocus();
  });

  it('adds a player and is ready for the next; a refusal is a toast with the server message', async () => {
    atPlayers(1);
    const { user } = open({
      'POST /team/add-single-player-to-team': { status: 409, body: { message: 'Jersey number 11 is taken' } },
      '/team/team-1': { body: { players: [] } },
    });
    await screen.findByRole('heading', { name: '1 player added' });
    for (const [label, value] of [
      ['Player name', 'Anish Limbu'],
      ['Contact number', '9807114420'],
      ['Age', '19'],
      ['Jersey number', '11'],
      ['Height in cm', '186'],
      ['Weight in kg', '74'],
    ] as const)
      type(label, value);
    await choose('Player photo', png('anish.png'));
    await choose('ID document', new File(['%PDF'], 'citizenship.pdf', { type: 'application/pdf' }));
    await user.click(screen.getByRole('button', { name: 'Add Player to Team' }));
    expect((await screen.findAllByText('Jersey number 11 is taken')).length).toBe(2);
    const { sent } = answerWith({
      'POST /team/add-single-player-to-team': { status: 201, body: { ...players(1)[0], _id: 'p11', name: 'Anish Limbu', jerseyNumber: '11' } },
    });
    await user.click(screen.getByRole('button', { name: 'Add Player to Team' }));
    expect(await screen.findByText('Player added successfully!')).toBeInTheDocument();
    expect(screen.queryByText('Jersey number 11 is taken')).not.toBeInTheDocument();
    expect(screen.getByRole('heading', { name: '2 players added' })).toBeInTheDocument();
    expect(screen.getByLabelText('Player name')).toHaveValue('');
    expect(screen.getByLabelText('Player name')).toHaveFocus();
    expect(sent.at(-1)?.body).toEqual({
      name: 'Anish Limbu',
      mobileNumber: '9807114420',
      age: '19',
      jerseyNumber: '11',
      height: '186',
      weight: '74',
      currentTeam: 'team-1',
      image: 'anish.png',
      document: 'citizenship.pdf',
    });
  });

  it('refuses a document of another kind', async () => {
    atPlayers(0);
    open();
    fireEvent.change(await screen.findByLabelText('ID document'), { target: { files: [new File(['x'], 'id.docx', { type: 'application/msword' })] } });
    expect(await screen.findByText('ID document must be a pdf, jpg, jpeg or png')).toBeInTheDocument();
  });

  it('enters the team into the tournament, forgets the draft and goes to /upcoming', async () => {
    atPlayers(4);
    const { user, sent } = open({ 'POST /tournaments/assign-team-to-tournament': { body: { message: 'Team added successfully!', tournament: tournament() } } });
    await user.click(await screen.findByRole('button', { name: 'Complete Registration' }));
    expect(await screen.findByText('Team added successfully!')).toBeInTheDocument();
    await waitFor(() => {
      expect(currentAddress()).toBe('/upcoming');
    });
    expect(sent.map(({ call, body }) => [call, body])).toEqual([['POST /tournaments/assign-team-to-tournament', { tournamentId: 't1', teamId: 'team-1' }]]);
    // Nothing that was written: only the word for other tabs that it is done.
    expect(Object.keys(localStorage)).toEqual(['completed-registration-t1']);
  });

  describe('completed beside a player that was not added', () => {
    const entered = { 'POST /tournaments/assign-team-to-tournament': { body: { message: 'Team added successfully!', tournament: tournament() } } };
    const complete = async (label: string, value: string) => {
      atPlayers(4);
      const site = open(entered);
      await screen.findByRole('button', { name: 'Complete Registration' });
      type(label, value);
      await site.user.click(screen.getByRole('button', { name: 'Complete Registration' }));
      return site;
    };

    it.each([
      ['Player name', 'The Fifth Player', "'The Fifth Player' has not been added."],
      ['Age', '19', 'The player that you have begun has not been added.'],
    ])('asks, where %s was typed; the first answer leads back to it', async (label, value, text) => {
      const { user, sent } = await complete(label, value);
      const question = within(screen.getByRole('group', { name: text }));
      expect(question.getByRole('button', { name: 'Go back to it' })).toHaveFocus();
      await user.keyboard('{Enter}');
      expect(screen.getByLabelText('Player name')).toHaveFocus();
      expect(screen.getByLabelText(label)).toHaveValue(value);
      expect(screen.getByRole('button', { name: 'Complete Registration' })).toBeEnabled();
      expect(sent).toEqual([]);
    });

    it('asks where only a file was chosen, and completes without it when that is said', async () => {
      atPlayers(4);
      const { user, sent } = open(entered);
      await screen.findByRole('button', { name: 'Complete Registration' });
      await choose('ID document', new File(['%PDF'], 'citizenship.pdf', { type: 'application/pdf' }));
      await user.click(screen.getByRole('button', { name: 'Complete Registration' }));
      await user.click(screen.getByRole('button', { name: 'Complete without' }));
      await waitFor(() => {
        expect(currentAddress()).toBe('/upcoming');
      });
      expect(sent.map(({ call }) => call)).toEqual(['POST /tournaments/assign-team-to-tournament']);
    });

    it('gives the focus back to the button where completing without it is refused', async () => {
      atPlayers(4);
      const { user } = open({ 'POST /tournaments/assign-team-to-tournament': { status: 409, body: { message: 'Registration is closed' } } });
      await screen.findByRole('button', { name: 'Complete Registration' });
      type('Player name', 'The Fifth Player');
      await user.click(screen.getByRole('button', { name: 'Complete Registration' }));
      screen.getByRole('button', { name: 'Complete without' }).focus();
      await user.keyboard('{Enter}');
      expect(await screen.findAllByText('Registration is closed')).not.toHaveLength(0);
      expect(screen.getByRole('button', { name: 'Complete Registration' })).toHaveFocus();
    });

    it('asks no more once nothing of the player is left', async () => {
      await complete('Player name', 'The Fifth Player');
      type('Player name', '');
      expect(screen.queryByText(/has not been added/)).not.toBeInTheDocument();
      expect(screen.getByRole('button', { name: 'Complete Registration' })).toBeInTheDocument();
    });
  });

  it('says why the team was not entered, and stays', async () => {
    atPlayers(4);
    const { user } = open({ 'POST /tournaments/assign-team-to-tournament': { status: 500, body: {} } });
    await user.click(await screen.findByRole('button', { name: 'Complete Registration' }));
    expect((await screen.findAllByText('Failed to add team. Please try again.')).length).toBeGreaterThan(0);
    expect(currentAddress()).toBe('/registerteam/t1');
    expect(screen.getByRole('button', { name: 'Complete Registration' })).toBeEnabled();
  });

  it('offers Back to Coach Details, where nothing can be changed any more', async () => {
    atPlayers(0);
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Back to Coach Details' }));
    expect(screen.getByLabelText('Coach name')).toHaveAttribute('readonly');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(screen.getByRole('heading', { level: 2, name: 'Player Details' })).toBeInTheDocument();
  });
});
