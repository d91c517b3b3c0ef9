import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { coach, kept, players, team } from '../testing/registration-builder.ts';
import { pictureFile } from '../testing/picture-file.ts';
import { answerWith, currentAddress, renderSite } from '../testing/render-site.tsx';
import { tournament } from '../testing/tournament-builder.ts';
import { emptyDraft, isCompleted, keepCompleted, keepDraft, readDraft, type Draft } from './register-team-draft.ts';

/** One registration in two tabs: this page is one of them, the other is what it writes into the storage. */

const open = async (answers: Parameters<typeof answerWith>[0] = {}) => {
  const api = answerWith({
    '/tournaments/t1': { body: { ...tournament(), teams: [], matches: [] } },
    '/tournaments': { body: { allTournaments: [], upcomingTournaments: [] } },
    ...answers,
  });
  const { user } = renderSite('/registerteam/t1');
  await screen.findByRole('heading', { level: 1, name: 'Register New Team' });
  return { ...api, user, press: (name: string): Promise<void> => user.click(screen.getByRole('button', { name })) };
};
const write = (fields: Readonly<Record<string, string>>): void => {
  for (const [label, value] of Object.entries(fields)) fireEvent.change(screen.getByLabelText(label), { target: { value } });
};
const choose = async (label: string, file: File): Promise<void> => {
  fireEvent.change(screen.getByLabelText(label), { target: { files: [file] } });
  await screen.findByText(file.name);
};
/** The other tab writes, and this one does not hear of it: it sleeps. */
const writeElsewhere = (change: Partial<Draft>): void => {
  keepDraft('t1', { ...(readDraft('t1') ?? emptyDraft()), ...change });
};
const completeElsewhere = (): void => {
  keepCompleted('t1', kept().keys.entry);
  localStorage.removeItem('team-registration-t1');
};
const hear = (): void => {
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'team-registration-t1' }));
  });
};

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
  URL.createObjectURL = () => 'blob:picture';
});

describe('a tab beside another one', () => {
  it('goes on to the step that the other has reached', async () => {
    await open();
    writeElsewhere({ team });
    hear();
    expect(screen.getByLabelText('Team name')).toHaveValue('Dharan Dukes');
    writeElsewhere({ teamId: 'team-1' });
    hear();
    expect(screen.getByRole('heading', { level: 2, name: 'Coach Details' })).toBeInTheDocument();
    writeElsewhere({ coach, coachSaved: true, players: players(2) });
    hear();
    expect(screen.getByRole('heading', { level: 2, name: 'Player Details' })).toBeInTheDocument();
    expect(screen.getByRole('heading', { level: 3, name: '2 players added' })).toBeInTheDocument();
  });

  it('forgets the refusal of a file when the other chooses a good one, not when it types', async () => {
    writeElsewhere({});
    await open();
    fireEvent.change(screen.getByLabelText('Team logo'), { target: { files: [new File(['text'], 'notes.txt', { type: 'text/plain' })] } });
    expect(await screen.findByText('Choose a JPEG or PNG picture')).toBeInTheDocument();
    writeElsewhere({ team });
    hear();
    expect(screen.getByText('Choose a JPEG or PNG picture')).toBeInTheDocument();
    writeElsewhere({ filesChosen: 1 });
    hear();
    expect(screen.queryByText('Choose a JPEG or PNG picture')).not.toBeInTheDocument();
  });

  it('stays where Back has led while the other only types', async () => {
    writeElsewhere({ team, teamId: 'team-1' });
    const { press } = await open();
    await press('Back');
    writeElsewhere({ coach });
    hear();
    expect(screen.getByRole('heading', { level: 2, name: 'Team Details' })).toBeInTheDocument();
  });

  it('begins anew when the other has given the registration up', async () => {
    writeElsewhere({ team, teamId: 'team-1', coach, coachSaved: true, players: players(4) });
    await open();
    localStorage.clear();
    hear();
    expect(screen.getByLabelText('Team name')).toHaveValue('');
    write({ 'Team name': 'Another team' });
    expect([kept().teamId, kept().players, kept().team.name]).toEqual([undefined, [], 'Another team']);
  });
});

describe('a registration that the other tab completes', () => {
  const whole = { team, teamId: 'team-1', coach, coachSaved: true, players: players(4) };
  const said = 'This registration is complete.';

  it('is over here too, with a way on, and no empty step', async () => {
    writeElsewhere(whole);
    await open();
    completeElsewhere();
    hear();
    expect(screen.getByRole('alert')).toHaveTextContent(said);
    expect(screen.getByRole('link', { name: 'Upcoming Events' })).toHaveAttribute('href', '/upcoming');
    expect(screen.queryByLabelText('Team name')).not.toBeInTheDocument();
    expect(readDraft('t1')).toBeUndefined();
  });

  it('sends and writes nothing from a tab that slept at an earlier step', async () => {
    const { press, sent } = await open({ 'POST /team/create-team-step-1': { status: 201, body: { _id: 'team-2' } } });
    write({ 'Team name': team.name, 'Origin / Location': team.origin, 'Primary number': team.teamPrimaryNumber });
    await choose('Team logo', pictureFile('crest.png'));
    writeElsewhere(whole);
    completeElsewhere();
    await press('Save & Continue');
    expect(await screen.findByText(said)).toBeInTheDocument();
    expect([sent, readDraft('t1')]).toEqual([[], undefined]);
  });

  it('is told from the one that is begun after it', async () => {
    writeElsewhere(whole);
    await open();
    completeElsewhere();
    keepDraft('t1', { ...emptyDraft(), team: { ...team, name: 'The next' } });
    const next = kept();
    hear();
    expect(screen.getByText(said)).toBeInTheDocument();
    expect(kept()).toEqual(next);
  });

  it('leaves word for the other, not for a new one', async () => {
    writeElsewhere(whole);
    const { entry } = kept().keys;
    const { press } = await open({ 'POST /tournaments/assign-team-to-tournament': { status: 200, body: { success: true, message: 'x' } } });
    await press('Complete Registration');
    await waitFor(() => {
      expect(currentAddress()).toBe('/upcoming');
    });
    expect([isCompleted('t1', entry), isCompleted('t1', emptyDraft().keys.entry), readDraft('t1')]).toEqual([true, false, undefined]);
    expect(screen.queryByText(said)).not.toBeInTheDocument();
  });
});

describe('a tab that slept', () => {
  it('never writes over a step that was saved elsewhere: the first letter takes over what is there', async () => {
    await open();
    write({ 'Team name': 'D' });
    writeElsewhere({ team, teamId: 'team-1', coach, coachSaved: true, players: players(3) });
    const before = kept();
    write({ 'Team name': 'Du' });
    expect(kept()).toEqual(before);
    expect(screen.getByRole('heading', { level: 3, name: '3 players added' })).toBeInTheDocument();
  });

  it('does not write over the coach that was saved elsewhere', async () => {
    writeElsewhere({ team, teamId: 'team-1' });
    await open();
    writeElsewhere({ coach, coachSaved: true });
    const before = kept();
    write({ 'Coach name': 'Someone else' });
    expect(kept()).toEqual(before);
  });

  it('takes no logo for a team that was saved elsewhere', async () => {
    await open();
    writeElsewhere({ team, teamId: 'team-1' });
    const before = kept();
    fireEvent.change(screen.getByLabelText('Team logo'), { target: { files: [pictureFile('other.png')] } });
    await screen.findByRole('heading', { level: 2, name: 'Coach Details' });
    expect(kept()).toEqual(before);
    expect(screen.queryByText('other.png')).not.toBeInTheDocument();
  });

  it('changes its own field alone, and under the same key: it is one team whatever it is called', async () => {
    await open();
    write({ 'Team name': 'Dharan' });
    writeElsewhere({ team: { ...team, name: 'Dharan' } });
    const before = kept();
    write({ 'Team name': 'Dharan Dukes' });
    expect(kept().team).toEqual(team);
    expect([kept().keys.team === before.keys.team, kept().keys.entry === before.keys.entry]).toEqual([true, true]);
    expect(screen.getByLabelText('Origin / Location')).toHaveValue('Dharan');
  });

  it('sends nothing for a step that was saved elsewhere, and goes on', async () => {
    const { press, sent } = await open({ 'POST /team/create-team-step-1': { status: 201, body: { _id: 'team-2' } } });
    write({ 'Team name': team.name, 'Origin / Location': team.origin, 'Primary number': team.teamPrimaryNumber });
    await choose('Team logo', pictureFile('crest.png'));
    writeElsewhere({ teamId: 'team-1' });
    await press('Save & Continue');
    expect(await screen.findByRole('heading', { level: 2, name: 'Coach Details' })).toBeInTheDocument();
    expect([sent, kept().teamId]).toEqual([[], 'team-1']);
  });
});

describe('both tabs at once', () => {
  it('save a step under one key, and the first answer stands', async () => {
    const { press, sent } = await open({ 'POST /team/create-team-step-1': { status: 201, body: { _id: 'team-1' } } });
    write({ 'Team name': 'Dharan Dukes', 'Origin / Location': 'Dharan' });
    await choose('Team logo', pictureFile('crest.png'));
    writeElsewhere({ team, keys: { ...kept().keys, team: 'typed-in-the-other-tab' } });
    hear();
    await press('Save & Continue');
    await waitFor(() => {
      expect(kept().teamId).toBe('team-1');
    });
    expect(sent.map(({ headers }) => headers.get('Idempotency-Key'))).toEqual(['typed-in-the-other-tab']);
  });

  it('what is typed beside a save that is under way does not pass for what was saved', async () => {
    const answer = Promise.withResolvers<Response>();
    const { press } = await open();
    write({ 'Team name': team.name, 'Origin / Location': team.origin, 'Primary number': team.teamPrimaryNumber });
    await choose('Team logo', pictureFile('crest.png'));
    vi.stubGlobal('fetch', () => answer.promise);
    await press('Save & Continue');
    writeElsewhere({ team: { ...team, name: 'Dharan Dukesx' } });
    hear();
    await act(async () => {
      answer.resolve(Response.json({ _id: 'team-1' }, { status: 201 }));
      await Promise.resolve();
    });
    expect(await screen.findByText('Team details saved successfully!')).toBeInTheDocument();
    expect([kept().team, kept().teamId]).toEqual([team, 'team-1']);
  });

  it('add one player once, and keep what is already typed of the next', async () => {
    const answer = Promise.withResolvers<Response>();
    writeElsewhere({ team, teamId: 'team-1', coach, coachSaved: true });
    const { press } = await open();
    write({ 'Player name': 'Anish Limbu', 'Contact number': '9807114420', Age: '19', 'Jersey number': '11', 'Height in cm': '186', 'Weight in kg': '74' });
    await choose('Player photo', pictureFile('anish.png'));
    await choose('ID document', new File(['%PDF'], 'citizenship.pdf', { type: 'application/pdf' }));
    vi.stubGlobal('fetch', () => answer.promise);
    await press('Add Player to Team');
    writeElsewhere({ players: players(1), player: { ...emptyDraft().player, name: 'The next' } });
    hear();
    // The other tab has dropped the files of the player that it added.
    expect(screen.queryByText('anish.png')).not.toBeInTheDocument();
    await act(async () => {
      answer.resolve(Response.json(players(1)[0], { status: 201 }));
      await Promise.resolve();
    });
    expect(await screen.findByText('Player added successfully!')).toBeInTheDocument();
    expect(screen.getByRole('heading', { level: 3, name: '1 player added' })).toBeInTheDocument();
    expect(screen.getByLabelText('Player name')).toHaveValue('The next');
  });
});

describe('the day of a registration', () => {
  const yesterday = Date.now() - 80_000_000;

  it('begins anew with each change, until the server counts it from step 1 on', async () => {
    writeElsewhere({ since: yesterday });
    await open();
    write({ 'Team name': 'Dharan' });
    expect(kept().since).toBeGreaterThan(yesterday);
    writeElsewhere({ team, teamId: 'team-1', since: yesterday });
    hear();
    write({ 'Coach name': 'Sita Sharma' });
    expect([kept().coach.coachname, kept().since]).toEqual(['Sita Sharma', yesterday]);
  });

  it('is over: the page begins anew, and nothing of it stays on this machine', async () => {
    writeElsewhere({ team, since: Date.now() - 86_400_000 });
    await open();
    expect(screen.getByLabelText('Team name')).toHaveValue('');
    await waitFor(() => {
      expect(localStorage).toHaveLength(0);
    });
    write({ 'Origin / Location': 'Dharan' });
    expect(kept().team).toEqual({ ...emptyDraft().team, origin: 'Dharan' });
  });
});

/** The storage takes nothing any more. */
const fill = () =>
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
/** Whether the browser would ask before it leaves the page. */
const isAsked = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
/** What is said of how long it is kept, and that. */
const told = () => [document.querySelector('.wiz__kept')?.textContent, isAsked()];

describe('where nothing can be kept', () => {
  const promise = 'An unfinished registration is kept for 24 hours after its first step, in this browser only.';
  const warning = 'This browser cannot keep what you write here: it is lost when this page is left or reloaded.';

  it('nothing is promised, and the browser asks before it leaves what was written', async () => {
    const full = fill();
    await open();
    expect(told()).toEqual([promise, false]);
    write({ 'Team name': 'Dharan' });
    expect(told()).toEqual([warning, true]);
    write({ 'Team name': '' });
    expect(told()).toEqual([warning, false]);
    full.mockRestore();
    write({ 'Team name': 'Dharan' });
    expect(told()).toEqual([promise, false]);
  });

  it('the third step says so too, and nothing is left to ask about once it is completed', async () => {
    writeElsewhere({ team, teamId: 'team-1', coach, coachSaved: true, players: players(4) });
    const { press } = await open({ 'POST /tournaments/assign-team-to-tournament': { body: {} } });
    expect(told()).toEqual([promise, false]);
    const full = fill();
    write({ 'Player name': 'The Fifth Player' });
    expect(told()).toEqual([warning, true]);
    await press('Complete Registration');
    await press('Complete without');
    await waitFor(() => {
      expect(currentAddress()).toBe('/upcoming');
    });
    expect(isAsked()).toBe(false);
    full.mockRestore();
  });

  it('the registration lives in the page', async () => {
    const full = fill();
    await open();
    write({ 'Team name': 'Dharan' });
    write({ 'Origin / Location': 'Dharan' });
    write({ 'Team name': 'Dharan Dukes' });
    expect([screen.getByLabelText('Team name'), screen.getByLabelText('Origin / Location')].map((field) => (field as HTMLInputElement).value)).toEqual([
      'Dharan Dukes',
      'Dharan',
    ]);
    full.mockRestore();
  });
});
