import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pictureFile } from '../testing/picture-file.ts';
import { answerWith, currentAddress, renderSite } from '../testing/render-site.tsx';
import { tournament } from '../testing/tournament-builder.ts';
import type { Draft } from './register-team-draft.ts';
import { emptyDraft } from './register-team-draft.ts';

const picture = (name: string, type = 'image/png'): File => new File(['picture'], name, { type });
const choose = (label: string, file: File): void => {
  fireEvent.change(screen.getByLabelText(label), { target: { files: [file] } });
};
const write = (fields: Readonly<Record<string, string>>): void => {
  for (const [label, value] of Object.entries(fields)) fireEvent.change(screen.getByLabelText(label), { target: { value } });
};
const valueOf = (label: string): string => screen.getByLabelText<HTMLInputElement>(label).value;
const addedPlayers = (count: number): Draft['players'] =>
  Array.from({ length: count }, (_, index) => ({
    _id: `p${String(index)}`,
    name: `Player ${String(index)}`,
    mobileNumber: `984100000${String(index)}`,
    jerseyNumber: String(index),
    image: '',
  }));

/** Opens the wizard, at the step that a kept draft has reached. */
const open = async (kept: Partial<Draft> = {}, answers: Parameters<typeof answerWith>[0] = {}, registerable = 'true') => {
  localStorage.setItem('team-registration-t1', JSON.stringify({ ...emptyDraft(), ...kept }));
  const api = answerWith({
    '/tournaments/t1': { body: { ...tournament({ registerable }), teams: [], matches: [] } },
    '/tournaments': { body: { allTournaments: [], upcomingTournaments: [] } },
    ...answers,
  });
  const { user } = renderSite('/registerteam/t1');
  await screen.findByRole('heading', { level: 1, name: 'Register New Team' });
  const press = (name: string): Promise<void> => user.click(screen.getByRole('button', { name }));
  return { ...api, user, press };
};
const steps = (): readonly (string | null)[][] =>
  Array.from(document.querySelectorAll('.steps li'), (step) => [
    step.querySelector('b')?.textContent ?? null,
    step.className || (step.getAttribute('aria-current') === 'step' ? 'current' : 'pending'),
  ]);
const atCoach: Partial<Draft> = { teamId: 'k' };
const atPlayers: Partial<Draft> = { teamId: 'k', coachSaved: true };

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:preview' }));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('the registration wizard', () => {
  it('marks the steps that the server accepted as done', async () => {
    await open(atPlayers);
    expect(steps()).toEqual([
      ['Team Details', 'done'],
      ['Coach Details', 'done'],
      ['Player Details', 'current'],
    ]);
  });
});

describe('step 1, the team', () => {
  it('refuses a logo that is no image', async () => {
    await open();
    choose('Team logo', picture('crest.pdf', 'application/pdf'));
    expect(await screen.findByText('Choose a JPEG or PNG picture')).toBeInTheDocument();
  });

  it('finds out a logo that only calls itself a picture, and does not keep it', async () => {
    vi.stubGlobal('createImageBitmap', () => Promise.reject(new DOMException('The source image could not be decoded.', 'InvalidStateError')));
    const { press, sent } = await open();
    write({ 'Team name': 'Dharan Dukes', 'Origin / Location': 'Dharan', 'Primary number': '9841023776' });
    choose('Team logo', picture('x.png'));
    expect(await screen.findByText('Choose a JPEG or PNG picture')).toBeInTheDocument();
    expect(screen.getByLabelText('Team logo')).toHaveAccessibleDescription(expect.stringContaining('Choose a JPEG or PNG picture'));
    expect(screen.queryByText('x.png')).not.toBeInTheDocument();
    await press('Save & Continue');
    expect(sent).toEqual([]);
  });

  it('waits for a logo that is still being made smaller, and is sent once then', async () => {
    const drawn = Promise.withResolvers<{ readonly close: () => void }>();
    vi.stubGlobal('createImageBitmap', () => drawn.promise);
    const { press, sent } = await open({}, { 'POST /team/create-team-step-1': { status: 201, body: { _id: 'k' } } });
    write({ 'Team name': 'Dharan Dukes', 'Origin / Location': 'Dharan', 'Primary number': '9841023776' });
    choose('Team logo', pictureFile('slow.png'));
    await press('Save & Continue');
    await press('Saving...');
    expect(sent).toEqual([]);
    drawn.resolve({ close: () => {} });
    expect(await screen.findByText('Team details saved successfully!')).toBeInTheDocument();
    expect(sent.map(({ body }) => body)).toEqual([expect.objectContaining({ name: 'Dharan Dukes', logo: 'slow.png' })]);
  });

  it('is not saved with the logo that was to be replaced, while the field says that the new one was refused', async () => {
    const { press, sent } = await open({}, { 'POST /team/create-team-step-1': { status: 201, body: { _id: 'k' } } });
    write({ 'Team name': 'Dharan Dukes', 'Origin / Location': 'Dharan', 'Primary number': '9841023776' });
    vi.stubGlobal('createImageBitmap', () => Promise.resolve({ close: () => {} }));
    choose('Team logo', pictureFile('old.png'));
    await screen.findByText('old.png');
    choose('Team logo', picture('new.pdf', 'application/pdf'));
    await screen.findByText('Choose a JPEG or PNG picture');
    await press('Save & Continue');
    expect(sent).toEqual([]);
    await waitFor(() => {
      expect(screen.getByLabelText('Team logo')).toHaveFocus();
    });
    choose('Team logo', pictureFile('new.png'));
    await screen.findByText('new.png');
    await press('Save & Continue');
    expect(await screen.findByText('Team details saved successfully!')).toBeInTheDocument();
  });

  it('says the size of a logo that cannot be made small enough', async () => {
    vi.stubGlobal('createImageBitmap', () => Promise.resolve({ width: 6000, height: 6000, close: () => {} }));
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => {
      done(null);
    });
    await open();
    choose('Team logo', new File([new Uint8Array(2_100_000)], 'huge.png', { type: 'image/png' }));
    expect(await screen.findByText('Max size: 2MB')).toBeInTheDocument();
  });

  it('keeps the logo that was chosen last, though the one before it is ready later', async () => {
    const slow = Promise.withResolvers<{ readonly close: () => void }>();
    vi.stubGlobal('createImageBitmap', (file: File) => (file.name === 'slow.png' ? slow.promise : Promise.resolve({ close: () => {} })));
    await open();
    choose('Team logo', pictureFile('slow.png'));
    choose('Team logo', pictureFile('quick.png'));
    await screen.findByText('quick.png');
    await act(async () => {
      slow.resolve({ close: () => {} });
      await slow.promise;
    });
    expect(screen.getByText('quick.png')).toBeInTheDocument();
    expect(screen.queryByText('slow.png')).not.toBeInTheDocument();
  });

  it('says what is wrong with every field, and takes digits only', async () => {
    const { press, user } = await open();
    write({ 'Team name': 'AB' });
    await user.type(screen.getByLabelText('Primary number'), '98x41-0237 76590');
    expect(valueOf('Primary number')).toBe('9841023776');
    expect(screen.getByLabelText('Primary number')).toHaveAttribute('inputmode', 'numeric');
    write({ 'Primary number': '984102377' });
    await press('Save & Continue');
    for (const text of [
      'Team name must be at least 3 characters long',
      'Origin/Location is required',
      'Valid contact number is required',
      'Team logo is required',
    ])
      expect(screen.getByText(text)).toBeInTheDocument();
    expect(screen.getByLabelText('Team name')).toHaveFocus();
  });
});

/** Pastes into a field that is emptied first. */
const paste = async (user: Awaited<ReturnType<typeof open>>['user'], label: string, text: string): Promise<void> => {
  await user.clear(screen.getByLabelText(label));
  await user.click(screen.getByLabelText(label));
  await user.paste(text);
};

describe('what is pasted into a field of digits', () => {
  const phone = [
    ['98abc11111111199', '9811111111'],
    ['98 41-02 37-76', '9841023776'],
    ['9841023776 5', '9841023776'],
  ] as const;
  const places = [
    ['Primary number', {}],
    ['Primary phone number', atCoach],
    ['Secondary phone number', atCoach],
    ['Contact number', atPlayers],
  ] as const;
  it.each(places)('%s: loses its other characters, then is cut to ten', async (label, kept) => {
    const { user } = await open(kept);
    for (const [pasted, value] of phone) {
      await paste(user, label, pasted);
      expect(valueOf(label)).toBe(value);
    }
  });

  it.each(['Age', 'Height in cm', 'Weight in kg', 'Jersey number'])('%s: loses its other characters, then is cut to three', async (label) => {
    const { user } = await open(atPlayers);
    await paste(user, label, 'no 1 8-65');
    expect(valueOf(label)).toBe('186');
  });
});

const fillCoach = (name = 'Sita Sharma'): void => {
  write({ 'Coach name': name, 'Primary phone number': '9841000001', 'Secondary phone number': '9841000002' });
  choose('Coach photo', picture('coach.jpg', 'image/jpeg'));
};

describe('step 2, the coach', () => {
  it('says what is wrong: seven characters are asked for, though the message says six', async () => {
    const { press } = await open(atCoach);
    write({ 'Coach name': 'Sharma', 'Primary phone number': '98410', 'Secondary phone number': '' });
    await press('Save & Continue');
    for (const text of [
      'Coach name must be at least 6 characters long',
      'Valid primary phone number is required',
      'Valid secondary phone number is required',
      'Coach photo is required',
    ])
      expect(screen.getByText(text)).toBeInTheDocument();
    expect(screen.getByText('Max size: 2MB')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Back' })).toBeInTheDocument();
  });

  it('sends the token stored under atoken, and says that it is saved', async () => {
    localStorage.setItem('atoken', 'a.b.c');
    const { press, sent } = await open(atCoach, { 'POST /team/add-coach-details': { body: { _id: 'k' } } });
    fillCoach('Sharmaa');
    await screen.findByText('coach.jpg');
    await press('Save & Continue');
    expect(await screen.findByText('Coach details saved successfully!')).toBeInTheDocument();
    expect(sent[0]?.body).toEqual({
      coachname: 'Sharmaa',
      coachphoneNumber: '9841000001',
      contact_number_2: '9841000002',
      coachImage: 'coach.jpg',
      teamId: 'k',
    });
    expect(sent[0]?.headers.get('Authorization')).toBe('Bearer a.b.c');
    expect(await screen.findByRole('heading', { level: 2, name: 'Player Details' })).toBeInTheDocument();
  });

  it.each([
    ['The server said this', { message: 'The server said this' }],
    ['Failed to save coach details. Please try again.', {}],
  ])('shows %j when it is refused', async (text, body) => {
    const { press } = await open(atCoach, { 'POST /team/add-coach-details': { status: 500, body } });
    fillCoach();
    await screen.findByText('coach.jpg');
    await press('Save & Continue');
    expect(await screen.findByText(text)).toBeInTheDocument();
  });
});

const files = async (): Promise<void> => {
  choose('Player photo', picture('player.png'));
  choose('ID document', picture('id.pdf', 'application/pdf'));
  await screen.findByText('player.png');
  await screen.findByText('id.pdf');
};

describe('step 3, the players', () => {
  const added = {
    _id: 'p9',
    name: 'Utsav Karki',
    mobileNumber: '9842000009',
    currentTeam: 'k',
    height: 188,
    weight: 80,
    age: 24,
    jerseyNumber: '9',
    image: '',
    document: true,
  };
  const whole = {
    'Player name': 'Utsav Karki',
    'Jersey number': '9',
    'Contact number': '9842000009',
    Age: '24',
    'Height in cm': '188',
    'Weight in kg': '80',
  } as const;
  it('shows the first failed message, in the order of the specification', async () => {
    const { press } = await open(atPlayers);
    const alert = async (): Promise<string | null> => {
      await press('Add Player to Team');
      return screen.getByRole('alert').textContent;
    };
    expect(await alert()).toBe('Player name is required');
    const told: (string | null)[] = [];
    for (const [label, value] of Object.entries(whole)) {
      write({ [label]: value });
      told.push(await alert());
    }
    expect(told).toEqual([
      'Jersey number is required',
      'Valid contact number is required',
      'Valid age is required',
      'Valid height is required',
      'Valid weight is required',
      'Player photo is required',
    ]);
    choose('Player photo', picture('player.png'));
    await screen.findByText('player.png');
    expect(await alert()).toBe('ID document is required');
  });

  it('takes digits only: ten of a contact, three of age, height, weight and jersey', async () => {
    const { user } = await open(atPlayers);
    for (const label of ['Contact number', 'Age', 'Height in cm', 'Weight in kg', 'Jersey number']) {
      await user.type(screen.getByLabelText(label), '12a34-567890123');
      expect(screen.getByLabelText(label)).toHaveAttribute('inputmode', 'numeric');
    }
    expect(['Contact number', 'Age', 'Height in cm', 'Weight in kg', 'Jersey number'].map(valueOf)).toEqual(['1234567890', '123', '123', '123', '123']);
  });

  it('takes a pdf, jpg, jpeg or png as document, an image as photo', async () => {
    await open(atPlayers);
    expect(screen.getByText('Max size: 2MB')).toBeInTheDocument();
    expect(screen.getByText('pdf, jpg, jpeg or png. Max size: 5MB')).toBeInTheDocument();
    choose('ID document', picture('id.docx', 'application/msword'));
    expect(await screen.findByText('ID document must be a pdf, jpg, jpeg or png')).toBeInTheDocument();
    for (const [name, type] of [
      ['id.pdf', 'application/pdf'],
      ['id.jpg', 'image/jpeg'],
      ['id.png', 'image/png'],
    ] as const) {
      choose('ID document', picture(name, type));
      expect(await screen.findByText(name)).toBeInTheDocument();
    }
    choose('Player photo', picture('player.pdf', 'application/pdf'));
    expect(await screen.findByText('Choose a JPEG or PNG picture')).toBeInTheDocument();
  });

  it('makes a photo smaller that would hold up the document beside it', async () => {
    vi.stubGlobal('createImageBitmap', () => Promise.resolve({ width: 2000, height: 1500, close: () => {} }));
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, type) => {
      done(new Blob(['drawn'], { type: type ?? '' }));
    });
    await open(atPlayers);
    choose('Player photo', new File([new Uint8Array([0xff, 0xd8, 0xff]), new Uint8Array(640 * 1024)], 'face.jpeg', { type: 'image/jpeg' }));
    // What is drawn again is called anew.
    expect(await screen.findByText('face.jpg')).toBeInTheDocument();
  });

  it('waits for a photo that is still being made smaller, and says what is wrong with it then', async () => {
    const { press, sent } = await open(atPlayers);
    write(whole);
    await files();
    const drawn = Promise.withResolvers<never>();
    vi.stubGlobal('createImageBitmap', () => drawn.promise);
    choose('Player photo', pictureFile('slow.png'));
    await press('Add Player to Team');
    expect(screen.getByRole('button', { name: 'Adding Player...' })).toHaveAttribute('aria-disabled', 'true');
    drawn.reject(new DOMException('The source image could not be decoded.', 'InvalidStateError'));
    expect(await screen.findByRole('alert')).toHaveTextContent('Player photo is required');
    await waitFor(() => expect(screen.getByLabelText('Player photo')).toHaveFocus());
    expect(screen.getByText('Choose a JPEG or PNG picture')).toBeInTheDocument();
    expect(sent).toEqual([]);
  });

  it('adds nobody with the document that was to be replaced, while the field says that the new one was refused', async () => {
    const { press, sent } = await open(atPlayers);
    write(whole);
    await files();
    choose('ID document', picture('id.docx', 'application/msword'));
    await screen.findByText('ID document must be a pdf, jpg, jpeg or png');
    await press('Add Player to Team');
    expect(screen.getByRole('alert')).toHaveTextContent('ID document is required');
    expect(sent).toEqual([]);
  });

  it('finds out a photo and a document that only call themselves pictures', async () => {
    await open(atPlayers);
    await files();
    vi.stubGlobal('createImageBitmap', () => Promise.reject(new DOMException('The source image could not be decoded.', 'InvalidStateError')));
    choose('Player photo', picture('text.png'));
    expect(await screen.findByText('Choose a JPEG or PNG picture')).toBeInTheDocument();
    choose('ID document', picture('text.jpg', 'image/jpeg'));
    expect(await screen.findByText('ID document must be a pdf, jpg, jpeg or png')).toBeInTheDocument();
    expect([screen.queryByText('text.png'), screen.queryByText('text.jpg')]).toEqual([null, null]);
  });

  it("adds a player to the list: 'Player added successfully!'", async () => {
    const { press, sent } = await open(atPlayers, { 'POST /team/add-single-player-to-team': { status: 201, body: added } });
    write(whole);
    await files();
    await press('Add Player to Team');
    expect(await screen.findByText('Player added successfully!')).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: '1 player added' })).toBeInTheDocument();
    const entry = within(document.querySelector<HTMLElement>('.roster') ?? document.body);
    expect(entry.getByText('Utsav Karki')).toBeInTheDocument();
    expect(entry.getByText('9842 000 009')).toBeInTheDocument();
    expect(document.querySelectorAll('.roster img')).toHaveLength(1);
    expect(sent[0]?.body).toEqual({
      name: 'Utsav Karki',
      mobileNumber: '9842000009',
      currentTeam: 'k',
      height: '188',
      weight: '80',
      age: '24',
      jerseyNumber: '9',
      image: 'player.png',
      document: 'id.pdf',
    });
    expect(valueOf('Player name')).toBe('');
  });

  it("says 'Adding Player...' while busy", async () => {
    const { press } = await open(atPlayers, { 'POST /team/add-single-player-to-team': { pending: true } });
    write(whole);
    await files();
    await press('Add Player to Team');
    expect(await screen.findByRole('button', { name: 'Adding Player...' })).toBeInTheDocument();
  });

  it.each([
    ['The server said this', { message: 'The server said this' }],
    ['Failed to add player. Please try again.', {}],
  ])('shows %j as a toast when a player is refused', async (text, body) => {
    const { press } = await open(atPlayers, { 'POST /team/add-single-player-to-team': { status: 500, body } });
    write(whole);
    await files();
    await press('Add Player to Team');
    await waitFor(() => {
      expect(document.querySelector('.toasts')).toHaveTextContent(text);
    });
  });

  it.each([
    ['The server said this', { message: 'The server said this' }],
    ['Failed to add team. Please try again.', {}],
  ])('shows %j when the team is refused', async (text, body) => {
    const { press } = await open({ ...atPlayers, players: addedPlayers(4) }, { 'POST /tournaments/assign-team-to-tournament': { status: 500, body } });
    await press('Complete Registration');
    await waitFor(() => {
      expect(document.querySelector('.toasts')).toHaveTextContent(text);
    });
    expect(currentAddress()).toBe('/registerteam/t1');
  });
});
