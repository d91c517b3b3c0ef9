import { DOCUMENT_BYTES } from '@courtledger/contracts/kernel/limits';
import { fieldTexts } from '@courtledger/contracts/kernel/texts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pictureFile } from '../testing/picture-file.ts';
import { coach, team } from '../testing/registration-builder.ts';
import { answerWith, renderSite } from '../testing/render-site.tsx';
import { tournament } from '../testing/tournament-builder.ts';
import { emptyDraft, keepDraft, readDraft, type Draft } from './register-team-draft.ts';

/** What a manager is told at each step, and whether it can be seen and heard. */

/** What was scrolled into view, in that order. */
let scrolledTo: HTMLElement[] = [];
beforeEach(() => {
  localStorage.clear();
  scrolledTo = [];
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
  vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockImplementation(function scroll(this: HTMLElement) {
    scrolledTo.push(this);
  });
  URL.createObjectURL = () => 'blob:picture';
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const player = { name: 'Anish Limbu', jerseyNumber: '11', mobileNumber: '9807114420', age: '19', height: '186', weight: '74' };

const open = async (kept: Partial<Draft>, answers: Parameters<typeof answerWith>[0]) => {
  keepDraft('t1', { ...emptyDraft(), ...kept });
  answerWith({
    '/tournaments/t1': { body: { ...tournament(), teams: [], matches: [] } },
    '/tournaments': { body: { allTournaments: [], upcomingTournaments: [] } },
    ...answers,
  });
  const { user } = renderSite('/registerteam/t1');
  await screen.findByRole('heading', { level: 1, name: 'Register New Team' });
  return { press: (name: string): Promise<void> => user.click(screen.getByRole('button', { name })) };
};
const choose = async (label: string, file: File): Promise<void> => {
  fireEvent.change(screen.getByLabelText(label), { target: { files: [file] } });
  await screen.findByText(file.name);
};
const chooseForPlayer = async (): Promise<void> => {
  await choose('Player photo', pictureFile('anish.png'));
  await choose('ID document', new File(['%PDF'], 'citizenship.pdf', { type: 'application/pdf' }));
};

const lost = 'This registration has expired or was started in another browser.';
const refused = (message: string, status = 409) => ({ status, body: { message } });

describe('steps 1 and 2', () => {
  it('bring a success into view with the focus, then read out the next step', async () => {
    const { press } = await open({ team }, { 'POST /team/create-team-step-1': { status: 201, body: { _id: 'team-1' } } });
    await choose('Team logo', pictureFile('crest.png'));
    await press('Save & Continue');
    const banner = await screen.findByText('Team details saved successfully!');
    await waitFor(() => {
      expect(screen.getByRole('status')).toHaveFocus();
    });
    expect(scrolledTo.at(-1)).toContainElement(banner);
    const next = await screen.findByRole('heading', { level: 2, name: 'Coach Details' });
    await waitFor(() => {
      expect(next).toHaveFocus();
    });
  });

  it('bring a failure into view, and leave the focus at the button', async () => {
    const { press } = await open({ teamId: 'team-1', coach }, { 'POST /team/add-coach-details': refused('The server said this', 500) });
    await choose('Coach photo', pictureFile('coach.png'));
    await press('Save & Continue');
    expect(await screen.findByRole('alert')).toHaveTextContent('The server said this');
    await waitFor(() => {
      expect(scrolledTo).toEqual([screen.getByRole('alert')]);
    });
    expect(screen.getByRole('button', { name: 'Save & Continue' })).toHaveFocus();
  });

  it('end at the field that the server refuses', async () => {
    const faults = { status: 400, body: { message: 'x', errors: [{ path: 'contact_number_2', message: 'Valid secondary phone number is required' }] } };
    const { press } = await open({ teamId: 'team-1', coach }, { 'POST /team/add-coach-details': faults });
    await choose('Coach photo', pictureFile('coach.png'));
    await press('Save & Continue');
    await screen.findByRole('alert');
    await waitFor(() => {
      expect(scrolledTo).toEqual([screen.getByRole('alert'), screen.getByLabelText('Secondary phone number')]);
    });
    expect(screen.getByLabelText('Secondary phone number')).toHaveFocus();
  });
});

it.each<[string, Partial<Draft>, string, string, string]>([
  ['step 1', { team }, 'POST /team/create-team-step-1', 'name', 'Team name must be at most 120 characters long'],
  ['step 2', { teamId: 'team-1', coach }, 'POST /team/add-coach-details', 'coachname', 'Coach name must be at most 120 characters long'],
  ['step 3', { teamId: 'team-1', coachSaved: true, player }, 'POST /team/add-single-player-to-team', 'name', 'Player name must be at most 120 characters long'],
])('%s calls a field by its label wherever the server names it', async (_, at, call, path, told) => {
  const message = `${path} must be at most 120 characters long`;
  const { press } = await open(at, { [call]: { status: 400, body: { message, errors: [{ path, message }] } } });
  if (at.coachSaved === true) await chooseForPlayer();
  else await choose(at.teamId === undefined ? 'Team logo' : 'Coach photo', pictureFile('picture.png'));
  await press(at.coachSaved === true ? 'Add Player to Team' : 'Save & Continue');
  await screen.findByRole('alert');
  expect(new Set(screen.getAllByText(/must be at most 120 characters long$/).map(({ textContent }) => textContent))).toEqual(new Set([told]));
});

describe('a registration that the server does not know any more', () => {
  it('is announced beforehand: it is kept for 24 hours', async () => {
    await open({}, {});
    expect(screen.getByText('An unfinished registration is kept for 24 hours after its first step, in this browser only.')).toBeInTheDocument();
  });

  it.each([401, 403])('is told in words of its own at step 2, with a way to begin again (%i)', async (status) => {
    const { press } = await open({ teamId: 'team-1', coach }, { 'POST /team/add-coach-details': refused('Please log in', status) });
    await choose('Coach photo', pictureFile('coach.png'));
    await press('Save & Continue');
    expect(await screen.findByRole('alert')).toHaveTextContent(lost);
    expect(screen.queryByText('Please log in')).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Start a new registration' })).toBeInTheDocument();
  });

  it('says so after a reload too, before anything is sent in vain', async () => {
    const kept = { teamId: 'team-1', coachSaved: true, player };
    const { press } = await open(kept, { 'POST /team/add-single-player-to-team': refused('Please log in', 401) });
    await chooseForPlayer();
    await press('Add Player to Team');
    await screen.findByRole('button', { name: 'Start a new registration' });
    document.body.replaceChildren();
    renderSite('/registerteam/t1');
    expect(await screen.findByRole('button', { name: 'Start a new registration' })).toBeInTheDocument();
    expect(within(screen.getByRole('main')).getByRole('alert')).toHaveTextContent(lost);
  });

  it('goes on as a new one with the same texts and files: nothing is typed twice', async () => {
    const { press } = await open(
      { team, teamId: 'team-1', coach },
      { 'POST /team/add-coach-details': refused('Please log in', 403), 'POST /team/create-team-step-1': { status: 201, body: { _id: 'team-2' } } },
    );
    await choose('Coach photo', pictureFile('coach.png'));
    await press('Save & Continue');
    const before = readDraft('t1');
    await press('Start a new registration');
    expect(await screen.findByLabelText('Team name')).toHaveValue('Dharan Dukes');
    expect(screen.getByLabelText('Team name')).not.toHaveAttribute('readonly');
    await waitFor(() => expect(screen.getByRole('heading', { level: 2, name: 'Team Details' })).toHaveFocus());
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    const now = readDraft('t1');
    expect([now?.team, now?.coach, now?.teamId, now?.lost]).toEqual([team, coach, undefined, false]);
    // Another team: nothing of it is answered as what was sent for the one before.
    for (const part of ['team', 'coach', 'player', 'entry'] as const) expect(now?.keys[part]).not.toBe(before?.keys[part]);
    await choose('Team logo', pictureFile('crest.png'));
    await press('Save & Continue');
    expect(await screen.findByText('Team details saved successfully!')).toBeInTheDocument();
    await screen.findByRole('heading', { level: 2, name: 'Coach Details' });
    expect(screen.getByLabelText('Coach name')).toHaveValue('Sita Sharma');
    expect(screen.getByText('coach.png')).toBeInTheDocument();
  });

  it('is told so at step 3 too', async () => {
    const { press } = await open({ teamId: 'team-1', coachSaved: true, player }, { 'POST /team/add-single-player-to-team': refused('Please log in', 401) });
    await chooseForPlayer();
    await press('Add Player to Team');
    const start = await screen.findByRole('button', { name: 'Start a new registration' });
    await waitFor(() => {
      expect(scrolledTo.at(-1)).toContainElement(start);
    });
    expect(scrolledTo.at(-1)).toHaveTextContent(lost);
    expect(screen.queryByText('Please log in')).not.toBeInTheDocument();
  });
});

describe('step 3', () => {
  it('marks and focuses the jersey number that another player of the team wears', async () => {
    const taken = fieldTexts.jerseyNumberTaken('11');
    const { press } = await open(
      { teamId: 'team-1', coachSaved: true, player },
      {
        'POST /team/add-single-player-to-team': { status: 409, body: { message: taken, errors: [{ path: 'jerseyNumber', message: taken }] } },
        '/team/team-1': { body: { players: [{ _id: 'p9', name: 'Utsav Karki', jerseyNumber: '11', image: '' }] } },
      },
    );
    await chooseForPlayer();
    await press('Add Player to Team');
    const field = screen.getByLabelText('Jersey number');
    await waitFor(() => {
      expect(field).toHaveFocus();
    });
    expect(field).toBeInvalid();
    expect(field).toHaveAccessibleDescription('Jersey number 11 is already used in this team');
    expect(scrolledTo.at(-1)).toBe(field);
    fireEvent.change(field, { target: { value: '12' } });
    expect(field).toBeValid();
  });

  it('scrolls to the name of the next player, which the toast must not cover', async () => {
    const { press } = await open(
      { teamId: 'team-1', coachSaved: true, player },
      { 'POST /team/add-single-player-to-team': { status: 201, body: { ...player, _id: 'p1', image: '' } } },
    );
    await chooseForPlayer();
    await press('Add Player to Team');
    await screen.findByText('Player added successfully!');
    await waitFor(() => {
      expect(screen.getByLabelText('Player name')).toHaveFocus();
    });
    expect(scrolledTo.at(-1)).toBe(screen.getByLabelText('Player name'));
  });

  it('brings the refusal of the whole registration into view', async () => {
    const players = ['0', '1', '2', '3'].map((jerseyNumber) => ({ _id: jerseyNumber, name: 'Player', mobileNumber: '9841023776', jerseyNumber, image: '' }));
    const { press } = await open(
      { teamId: 'team-1', coachSaved: true, players },
      { 'POST /tournaments/assign-team-to-tournament': refused('Registration is closed') },
    );
    await press('Complete Registration');
    await waitFor(() => {
      expect(scrolledTo.map((element) => element.textContent)).toEqual(['Registration is closed']);
    });
  });

  it.each([
    ['a document over 5 MB', new File([new Uint8Array(DOCUMENT_BYTES + 1)], 'scan.pdf', { type: 'application/pdf' }), 'ID document must be at most 5MB'],
    [
      'a document of another kind, however large',
      new File([new Uint8Array(DOCUMENT_BYTES + 1)], 'scan.docx', { type: 'application/msword' }),
      'ID document must be a pdf, jpg, jpeg or png',
    ],
  ])('says what is wrong with %s', async (_, file, text) => {
    await open({ teamId: 'team-1', coachSaved: true }, {});
    expect(screen.getByText('pdf, jpg, jpeg or png. Max size: 5MB')).toBeInTheDocument();
    fireEvent.change(screen.getByLabelText('ID document'), { target: { files: [file] } });
    expect(await screen.findByText(text)).toBeInTheDocument();
  });
});
