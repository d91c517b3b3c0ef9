import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queryKeys } from '../lib/query-keys.ts';
import { coach, kept, players, team } from '../testing/registration-builder.ts';
import { pictureFile } from '../testing/picture-file.ts';
import { answerWith, currentAddress, goBack, renderSite } from '../testing/render-site.tsx';
import { tournament } from '../testing/tournament-builder.ts';
import { emptyDraft, keepDraft, readDraft } from './register-team-draft.ts';

/**
 * What was sent and not answered may be recorded: it stands as it was sent until there is word of it. jsdom keeps no files: after a reload they are missing.
 */

const player = { name: 'Anish Limbu', jerseyNumber: '11', mobileNumber: '9807114420', age: '19', height: '186', weight: '74' };
const pdf = (name: string): File => new File(['%PDF'], name, { type: 'application/pdf' });

type Answers = Parameters<typeof answerWith>[0];
const answers = (more: Answers) =>
  answerWith({
    '/tournaments/t1': { body: { ...tournament(), teams: [], matches: [] } },
    '/tournaments': { body: { allTournaments: [], upcomingTournaments: [] } },
    ...more,
  });
const open = async (more: Answers) => {
  const api = answers(more);
  const { user, client } = renderSite('/registerteam/t1');
  await screen.findByRole('heading', { level: 1, name: 'Register New Team' });
  return { ...api, client, press: (name: string): Promise<void> => user.click(screen.getByRole('button', { name })) };
};
const reload = async (more: Answers) => {
  cleanup();
  return open(more);
};
const write = (label: string, value: string): void => {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
};
const choose = async (files: Readonly<Record<string, File>>): Promise<void> => {
  for (const [label, file] of Object.entries(files)) {
    fireEvent.change(screen.getByLabelText(label), { target: { files: [file] } });
    await screen.findByText(file.name);
  }
};
const keysOf = (sent: ReturnType<typeof answerWith>['sent']): readonly (string | null)[] => sent.map(({ headers }) => headers.get('Idempotency-Key'));

const steps = {
  team: {
    draft: { team },
    call: 'POST /team/create-team-step-1',
    button: 'Save & Continue',
    field: 'Origin / Location',
    files: { 'Team logo': pictureFile('first.png') },
    answer: { status: 201, body: { _id: 'team-1' } },
    success: 'Team details saved successfully!',
  },
  coach: {
    draft: { team, teamId: 'team-1', coach },
    call: 'POST /team/add-coach-details',
    button: 'Save & Continue',
    field: 'Coach name',
    files: { 'Coach photo': pictureFile('first.png') },
    answer: { body: { _id: 'team-1' } },
    success: 'Coach details saved successfully!',
  },
  player: {
    draft: { team, teamId: 'team-1', coach, coachSaved: true, player },
    call: 'POST /team/add-single-player-to-team',
    button: 'Add Player to Team',
    field: 'Jersey number',
    files: { 'Player photo': pictureFile('first.png'), 'ID document': pdf('first.pdf') },
    answer: { status: 201, body: { ...player, _id: 'p1', image: '/media/first.png' } },
    success: 'Player added successfully!',
  },
} as const;
const said = {
  team: 'It is not known whether your team was saved. Until it is, what you typed cannot be changed. Save & Continue asks again, and nothing is saved twice. Keep the logo, or choose the same one again where it is missing: with another one a team that was saved cannot be gone on with.',
  coach:
    'It is not known whether the coach was saved. Until it is, what you typed cannot be changed. Save & Continue asks again, and nothing is saved twice. A file can be chosen again: it counts if nothing was saved before.',
  player:
    'It is not known whether this player was added. Until it is, what you typed cannot be changed. Add Player to Team asks again, and nothing is saved twice. A file can be chosen again: it counts if nothing was saved before.',
} as const;
/** Sends a part whose answer is lost. */
const loseAnswer = async (part: keyof typeof steps, how: Answers[string] = { lost: true }) => {
  const { draft, call, button, files } = steps[part];
  keepDraft('t1', { ...emptyDraft(), ...draft });
  const site = await open({ [call]: how });
  await choose(files);
  await site.press(button);
  await screen.findByText(said[part]);
  return site;
};
/** Closes the wizard, and finds it again by Back. */
const leaveAndReturn = async (): Promise<void> => {
  fireEvent.click(screen.getByRole('link', { name: 'Close' }));
  await waitFor(() => {
    expect(currentAddress()).toBe('/');
  });
  goBack();
};
const refusal = (message: string, path?: string) => ({ status: 409, body: { message, ...(path !== undefined && { errors: [{ path, message }] }) } });
const roster = (name: string) => ({ '/team/team-1': { body: { players: [{ _id: 'p1', name, jerseyNumber: '11', image: '/media/first.png' }] } } });
const reused = refusal('This Idempotency-Key was used with another body');

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
  URL.createObjectURL = () => 'blob:picture';
});

describe.each(['team', 'coach', 'player'] as const)('an answer about the %s that is lost', (part) => {
  const { call, button, field, files, answer, success } = steps[part];

  it.each([
    ['in the network', { lost: true }],
    ['by half', { file: new Blob(['{'], { type: 'application/json' }) }],
    ['by a server that fails', { status: 503, body: {} }],
  ])('%s: what was sent cannot be changed, and is sent again as it was until there is word', async (_, how) => {
    const { press, sent } = await loseAnswer(part, how);
    const before = kept();
    write(field, '99');
    expect([kept(), screen.getByLabelText(field).hasAttribute('readonly')]).toEqual([before, true]);
    await press(button);
    const again = answers({ [call]: answer });
    await press(button);
    expect(await screen.findByText(success)).toBeInTheDocument();
    const all = [...sent, ...again.sent];
    expect(all.map(({ body }) => body)).toEqual([all[0]?.body, all[0]?.body, all[0]?.body]);
    expect(keysOf(all)).toEqual([before.keys[part], before.keys[part], before.keys[part]]);
    expect([kept().unanswered, screen.queryByText(said[part])]).toEqual([[], null]);
  });

  it('is still missing after a reload: the same is sent under the same key, its files chosen again', async () => {
    await loseAnswer(part);
    const key = kept().keys[part];
    const { press, sent } = await reload({ [call]: answer });
    expect(within(screen.getByRole('main')).getByRole('alert').textContent).toBe(said[part]);
    expect(screen.getByLabelText(field)).toHaveAttribute('readonly');
    await choose(files);
    await press(button);
    expect(await screen.findByText(success)).toBeInTheDocument();
    expect(keysOf(sent)).toEqual([key]);
  });

  it('is missing as well where the page is left before it comes', async () => {
    keepDraft('t1', { ...emptyDraft(), ...steps[part].draft });
    const { press } = await open({ [call]: { pending: true } });
    await choose(files);
    await press(button);
    expect([kept().unanswered, screen.queryByText(said[part])]).toEqual([[part], null]);
    await reload({});
    expect(screen.getByText(said[part])).toBeInTheDocument();
  });

  it('reaches the wizard that was left and opened again before it came', async () => {
    const coming = Promise.withResolvers<undefined>();
    keepDraft('t1', { ...emptyDraft(), ...steps[part].draft });
    const { press } = await open({ [call]: { ...answer, after: coming.promise } });
    await choose(files);
    await press(button);
    await leaveAndReturn();
    expect(await screen.findByText(said[part])).toBeInTheDocument();
    coming.resolve(undefined);
    await waitFor(() => {
      expect([kept().unanswered, screen.queryByText(said[part])]).toEqual([[], null]);
    });
  });

  it('frees what was typed once the server refuses it', async () => {
    const { press } = await loseAnswer(part);
    const { keys } = kept();
    answers({ [call]: { status: 400, body: { message: 'Not like that' } } });
    await press(button);
    expect((await screen.findAllByText('Not like that')).length).toBeGreaterThan(0);
    write(field, '99');
    expect(screen.getByLabelText(field)).toHaveValue('99');
    // The same thing under another text: if it was recorded after all, it is found out.
    expect([kept().unanswered, kept().keys, screen.queryByText(said[part])]).toEqual([[], keys, null]);
  });

  it('stays open while the server refuses to look', async () => {
    const { press } = await loseAnswer(part);
    answers({ [call]: { status: 429, body: { message: 'Too many requests' } } });
    await press(button);
    expect((await screen.findAllByText('Too many requests')).length).toBeGreaterThan(0);
    expect([kept().unanswered, screen.getByText(said[part]).tagName]).toEqual([[part], 'P']);
  });
});

describe('a coach that the server has already', () => {
  const { draft, call, files, field } = steps.coach;
  const stored = { '/team/team-1': { body: { coach: { name: 'Sita Sharma', image: '/media/first.png' } } } };
  const before = 'The coach was saved already: saved steps cannot be edited.';

  it('is taken as saved where the photo had to be chosen anew, and the wizard goes on', async () => {
    await loseAnswer('coach');
    const { press } = await reload({ [call]: reused, ...stored });
    await choose({ 'Coach photo': pictureFile('second.png') });
    await press('Save & Continue');
    expect(await screen.findByRole('status')).toHaveTextContent(before);
    expect([kept().coachSaved, kept().unanswered, kept().coach]).toEqual([true, [], coach]);
    expect(await screen.findByRole('heading', { level: 2, name: 'Player Details' })).toBeInTheDocument();
  });

  it('is taken as saved for whatever reason, under the name that the server has', async () => {
    keepDraft('t1', { ...emptyDraft(), ...draft, coach: { ...coach, coachname: 'Somebody else' } });
    const { press } = await open({ [call]: refusal('The coach is saved already: saved steps cannot be edited'), ...stored });
    await choose(files);
    await press('Save & Continue');
    expect(await screen.findByRole('status')).toHaveTextContent(before);
    expect([kept().coachSaved, kept().coach]).toEqual([true, coach]);
  });

  it('is read anew: what was read of the team a moment ago may be older', async () => {
    keepDraft('t1', { ...emptyDraft(), ...draft });
    const { press, client } = await open({ [call]: reused, ...stored });
    client.setDefaultOptions({ queries: { staleTime: 30_000 } });
    client.setQueryData(queryKeys.team('team-1'), { coach: {} });
    await choose(files);
    await press('Save & Continue');
    expect(await screen.findByRole('status')).toHaveTextContent(before);
  });

  it('is not known while the server does not say so: the same is asked again', async () => {
    await loseAnswer('coach');
    const { press, sent } = await reload({ [call]: reused, '/team/team-1': { lost: true } });
    const { keys } = kept();
    await choose({ 'Coach photo': pictureFile('second.png') });
    await press('Save & Continue');
    expect(await screen.findByText('Failed to save coach details. Please try again.')).toBeInTheDocument();
    expect([keysOf(sent), kept().keys, kept().unanswered, screen.getByLabelText(field).hasAttribute('readonly')]).toEqual([
      [keys.coach],
      keys,
      ['coach'],
      true,
    ]);
  });

  it('is sent as another one where the server has none and refuses all the same', async () => {
    await loseAnswer('coach');
    const { keys } = kept();
    const { press } = await reload({ [call]: reused, '/team/team-1': { body: { coach: {} } } });
    await choose({ 'Coach photo': pictureFile('second.png') });
    await press('Save & Continue');
    await screen.findByText(reused.body.message);
    const { sent } = answers({ [call]: steps.coach.answer });
    await press('Save & Continue');
    expect(await screen.findByText('Coach details saved successfully!')).toBeInTheDocument();
    expect([keysOf(sent)[0] === keys.coach, kept().coachSaved]).toEqual([false, true]);
  });
});

describe('a player that the server has already', () => {
  const { draft, call, files, field } = steps.player;

  it('is put into the list as it was sent first where the files had to be chosen anew', async () => {
    await loseAnswer('player');
    const { keys } = kept();
    const { press } = await reload({ [call]: reused, ...roster('Anish Limbu') });
    await choose({ 'Player photo': pictureFile('second.png'), 'ID document': pdf('second.pdf') });
    await press('Add Player to Team');
    expect(await screen.findByText('Player added successfully!')).toBeInTheDocument();
    expect([kept().players, kept().player, kept().unanswered, kept().keys.player === keys.player]).toEqual([
      [{ _id: 'p1', name: 'Anish Limbu', mobileNumber: '9807114420', jerseyNumber: '11', image: '/media/first.png' }],
      emptyDraft().player,
      [],
      false,
    ]);
  });

  it('is somebody else under another name: the number is refused, and free to be changed', async () => {
    const { press } = await loseAnswer('player');
    answers({ [call]: refusal('Jersey number 11 is already used in this team', 'jerseyNumber'), ...roster('Utsav Karki') });
    await press('Add Player to Team');
    await waitFor(() => {
      expect(screen.getByLabelText(field)).toHaveAccessibleDescription('Jersey number 11 is already used in this team');
    });
    expect([kept().players, kept().unanswered]).toEqual([[], []]);
  });

  it('is asked for only where the number is not in the list', async () => {
    keepDraft('t1', { ...emptyDraft(), ...draft, players: [{ _id: 'p1', name: 'Anish Limbu', mobileNumber: '9807114420', jerseyNumber: '11', image: '' }] });
    const { press, asked } = await open({ [call]: refusal('Jersey number 11 is already used in this team', 'jerseyNumber') });
    await choose(files);
    await press('Add Player to Team');
    await waitFor(() => {
      expect(screen.getByLabelText(field)).toBeInvalid();
    });
    expect(asked).not.toContain('GET /team/team-1');
  });
});

describe('a team that the server has already', () => {
  it('is told of where another logo was chosen, and registered anew only once that is read', async () => {
    await loseAnswer('team');
    const { keys } = kept();
    const { press } = await reload({ [steps.team.call]: reused });
    await choose({ 'Team logo': pictureFile('second.png') });
    await press('Save & Continue');
    expect(await screen.findByRole('alert')).toHaveTextContent(
      /^Your team was saved already, with another logo, and cannot be gone on with. Save & Continue registers it anew; the first one is removed after 24 hours.$/,
    );
    const { sent } = answers({ [steps.team.call]: { status: 201, body: { _id: 'team-2' } } });
    await press('Save & Continue');
    expect(await screen.findByText('Team details saved successfully!')).toBeInTheDocument();
    expect([keysOf(sent)[0] === keys.team, kept().teamId]).toEqual([false, 'team-2']);
  });
});

describe('beside an answer that is missing', () => {
  it('another tab cannot change what was sent either, though it slept', async () => {
    keepDraft('t1', { ...emptyDraft(), ...steps.coach.draft });
    await open({});
    keepDraft('t1', { ...kept(), unanswered: ['coach'] });
    const before = kept();
    write('Coach name', 'Somebody else');
    expect([kept(), screen.getByText(said.coach).textContent]).toEqual([before, said.coach]);
  });

  it('a file that was ready only after the part was sent elsewhere does not count', async () => {
    keepDraft('t1', { ...emptyDraft(), ...steps.coach.draft });
    await open({});
    fireEvent.change(screen.getByLabelText('Coach photo'), { target: { files: [pictureFile('late.png')] } });
    keepDraft('t1', { ...kept(), unanswered: ['coach'] });
    expect(await screen.findByText(said.coach)).toBeInTheDocument();
    expect([screen.queryByText('late.png'), kept().filesChosen]).toEqual([null, 0]);
  });

  it('the answer to a registration that was given up says nothing of the next', async () => {
    const answer = Promise.withResolvers<undefined>();
    keepDraft('t1', { ...emptyDraft(), ...steps.coach.draft });
    const { press } = await open({ [steps.coach.call]: { ...reused, after: answer.promise }, '/team/team-1': { body: { coach: {} } } });
    await choose(steps.coach.files);
    await press('Save & Continue');
    keepDraft('t1', { ...emptyDraft(), ...steps.coach.draft, teamId: 'team-2', unanswered: ['coach'] });
    const next = kept();
    await act(async () => {
      answer.resolve(undefined);
      await answer.promise;
    });
    await screen.findByText(reused.body.message);
    expect(kept()).toEqual(next);
  });

  it('a new registration begins with nothing in doubt', async () => {
    const { press } = await loseAnswer('coach');
    answers({ [steps.coach.call]: { status: 403, body: {} } });
    await press('Save & Continue');
    await screen.findByRole('button', { name: 'Start a new registration' });
    await press('Start a new registration');
    expect([kept().unanswered, screen.getByLabelText('Team name').hasAttribute('readonly'), kept().coach]).toEqual([[], false, coach]);
  });

  it('a registration that is completed asks in words that are true', async () => {
    keepDraft('t1', { ...emptyDraft(), ...steps.player.draft, players: players(4), unanswered: ['player'] });
    const { press, sent } = await open({ 'POST /tournaments/assign-team-to-tournament': { body: {} } });
    await press('Complete Registration');
    expect(screen.getByRole('group', { name: "It is not known whether 'Anish Limbu' was added." })).toBeInTheDocument();
    await press('Complete without');
    await waitFor(() => {
      expect(currentAddress()).toBe('/upcoming');
    });
    expect(sent.map(({ call }) => call)).toEqual(['POST /tournaments/assign-team-to-tournament']);
  });
});

describe('a registration that is being completed', () => {
  const call = 'POST /tournaments/assign-team-to-tournament';
  const entered = { body: { message: 'Team added successfully!', tournament: tournament() } };
  const whole = { team, teamId: 'team-1', coach, coachSaved: true, players: players(4) };
  const asked =
    'It is not known whether the registration was completed. Until it is, what you typed cannot be changed. Complete Registration asks again, and nothing is saved twice.';
  const labels = ['Player name', 'Contact number', 'Age', 'Jersey number', 'Height in cm', 'Weight in kg'];
  const isLocked = (): boolean =>
    labels.every((label) => screen.getByLabelText(label).hasAttribute('readonly')) &&
    ['Player photo', 'ID document'].every((label) => screen.getByLabelText<HTMLInputElement>(label).disabled) &&
    screen.getByRole<HTMLButtonElement>('button', { name: 'Add Player to Team' }).disabled;
  const complete = async (answer: Answers[string]) => {
    keepDraft('t1', { ...emptyDraft(), ...whole });
    const site = await open({ [call]: answer });
    await site.press('Complete Registration');
    return site;
  };

  it('takes no further player, which would go with it, and is not left for an earlier step', async () => {
    await complete({ pending: true });
    expect([isLocked(), screen.getByRole<HTMLButtonElement>('button', { name: 'Back to Coach Details' }).disabled, screen.queryByText(asked)]).toEqual([
      true,
      true,
      null,
    ]);
    write('Player name', 'The Fifth Player');
    expect(kept().player).toEqual(emptyDraft().player);
  });

  it('takes players again once it is refused, under the same entry', async () => {
    keepDraft('t1', { ...emptyDraft(), ...whole });
    const { keys } = kept();
    const { press } = await open({ [call]: refusal('Registration is closed') });
    await press('Complete Registration');
    await screen.findAllByText('Registration is closed');
    write('Player name', 'The Fifth Player');
    expect([isLocked(), kept().player.name, kept().keys]).toEqual([false, 'The Fifth Player', keys]);
  });

  it('does not pull whoever has left it away from where they are', async () => {
    const answer = Promise.withResolvers<undefined>();
    await complete({ ...entered, after: answer.promise });
    fireEvent.click(screen.getByRole('link', { name: 'Close' }));
    await waitFor(() => {
      expect(currentAddress()).toBe('/');
    });
    await act(async () => {
      answer.resolve(undefined);
      await answer.promise;
    });
    expect(await screen.findByText('Team added successfully!')).toBeInTheDocument();
    await waitFor(() => {
      expect(readDraft('t1')).toBeUndefined();
    });
    expect(currentAddress()).toBe('/');
  });

  it('is over in the wizard that was left and opened again before it was', async () => {
    const coming = Promise.withResolvers<undefined>();
    await complete({ ...entered, after: coming.promise });
    await leaveAndReturn();
    expect(await screen.findByText(asked)).toBeInTheDocument();
    coming.resolve(undefined);
    expect(await screen.findByText('This registration is complete.')).toBeInTheDocument();
    expect(currentAddress()).toBe('/registerteam/t1');
  });

  it('is asked for again, and nothing else, where its answer is lost, also after a reload', async () => {
    await complete({ lost: true });
    expect(await screen.findByText(asked)).toBeInTheDocument();
    const { press, sent } = await reload({ [call]: entered });
    expect([isLocked(), within(screen.getByRole('main')).getByRole('alert').textContent]).toEqual([true, asked]);
    const { entry } = kept().keys;
    await press('Complete Registration');
    await waitFor(() => {
      expect(currentAddress()).toBe('/upcoming');
    });
    expect(keysOf(sent)).toEqual([entry]);
  });

  describe('where registration has closed since', () => {
    const closed = { '/tournaments/t1': { body: { ...tournament({ registerable: 'Full' }), teams: [], matches: [] } } };

    it('is asked for again all the same: nobody is told that it waits, who may have entered', async () => {
      keepDraft('t1', { ...emptyDraft(), ...whole, unanswered: ['entry'] });
      const { press, sent } = await open({ ...closed, [call]: entered });
      expect([within(screen.getByRole('main')).getByRole('alert').textContent, screen.queryByText(/^Nothing is lost/)]).toEqual([asked, null]);
      const { entry } = kept().keys;
      await press('Complete Registration');
      await waitFor(() => {
        expect(currentAddress()).toBe('/upcoming');
      });
      expect([keysOf(sent), readDraft('t1')]).toEqual([[entry], undefined]);
    });

    it('waits once the server says that it was not completed', async () => {
      keepDraft('t1', { ...emptyDraft(), ...whole, unanswered: ['entry'] });
      const { press } = await open({ ...closed, [call]: refusal('Registration for this tournament is not open') });
      await press('Complete Registration');
      expect(await screen.findByText(/^Nothing is lost: your team, its coach and 4 players will stand here again/)).toBeInTheDocument();
      expect([screen.queryByRole('button', { name: 'Complete Registration' }), kept().unanswered]).toEqual([null, []]);
    });
  });

  it('asks no second time about a player that it goes without', async () => {
    keepDraft('t1', { ...emptyDraft(), ...whole, player, unanswered: ['entry'] });
    const { press } = await open({ [call]: entered });
    await press('Complete Registration');
    await waitFor(() => {
      expect(currentAddress()).toBe('/upcoming');
    });
  });
});
