import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pickDay } from '../testing/pick-day.ts';
import { pictureFile } from '../testing/picture-file.ts';
import { answerWith, renderSite } from '../testing/render-site.tsx';
import { adminTournament } from '../testing/staff-builder.ts';
import { LARGE_IMAGE_BYTES } from '@courtledger/contracts/kernel/limits';
import { isTournamentImage, missingParts, emptyTournament } from './tournament-form.rules.ts';

const before = adminTournament();
const open = async (button: string, answers: Parameters<typeof answerWith>[0] = {}) => {
  localStorage.setItem('atoken', 'a.b.c');
  const api = answerWith({
    '/admin/check-token': { body: { _id: 'a1', username: 'pema', email: 'pema@example.com' } },
    '/tournaments/admin-tournaments': { body: [before] },
    ...answers,
  });
  const { user } = renderSite('/admin');
  await screen.findByRole('table', { name: 'Tournaments' });
  await user.click(screen.getByRole('button', { name: button }));
  const form = within(await screen.findByRole('dialog'));
  return { ...api, user, form };
};
const image = (name: string, type: string): File => new File(['picture'], name, { type });
const choose = (input: HTMLElement, file: File): void => {
  fireEvent.change(input, { target: { files: [file] } });
};

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:preview' }));
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Fills everything in; the three dates through their calendars. */
const fill = async ({ user, form }: Pick<Awaited<ReturnType<typeof open>>, 'user' | 'form'>): Promise<void> => {
  for (const [label, value] of Object.entries({
    Name: 'Winter Cup',
    Location: 'Pokhara',
    'Organizer name': 'Lakeside Club',
    'Organizer phone number': '061-4567890',
    'First prize': '७५०००',
    'Second prize': '40000',
    'Third prize': '20000',
    MVP: '10000',
    'Man of the Match Prize': '2500',
  })) {
    fireEvent.change(form.getByLabelText(label), { target: { value } });
  }
  for (const [label, day] of [
    ['Start date', 20],
    ['End date', 25],
    ['Registering start date', 10],
  ] as const) {
    await pickDay(user, form, label, day);
  }
  choose(form.getByLabelText('Poster image'), image('poster.png', 'image/png'));
  choose(form.getByLabelText('Organizer image'), image('organizer.jpg', 'image/jpeg'));
};

describe('creating a tournament', () => {
  it("labels the entry fee 'Man of the Match Prize' and takes dates from date pickers", async () => {
    const { user, form } = await open('Create Tournament');
    expect(form.getByLabelText('Man of the Match Prize')).toHaveAttribute('name', 'prizePool[entryFee]');
    for (const label of ['Start date', 'End date', 'Registering start date'])
      expect(form.getByRole('button', { name: label })).toHaveTextContent('Pick a date');
    await pickDay(user, form, 'Start date', 20);
    expect(form.getByRole('button', { name: 'Start date' })).toHaveTextContent(/^20 [A-Z][a-z]+ \d{4}$/);
  });

  it('requires all fields and both images', async () => {
    const { user, form, sent } = await open('Create Tournament');
    await user.click(form.getByRole('button', { name: 'Create Tournament' }));
    const required = missingParts({ ...emptyTournament, registerable: 'true', league: 'true' }, {});
    expect(required).toEqual([
      'name',
      'startDate',
      'endDate',
      'location',
      'registeringStartDate',
      'organizer[name]',
      'organizer[phoneNumber]',
      'prizePool[firstPrize]',
      'prizePool[secondPrize]',
      'prizePool[thirdPrize]',
      'prizePool[entryFee]',
      'prizePool[mvp]',
      'posterImage',
      'organizerImage',
    ]);
    for (const label of [
      'Name',
      'Start date',
      'End date',
      'Location',
      'Registering start date',
      'Organizer name',
      'Organizer phone number',
      'First prize',
      'Second prize',
      'Third prize',
      'Man of the Match Prize',
      'MVP',
      'Poster image',
      'Organizer image',
    ])
      expect(form.getByText(`${label} is required`)).toBeInTheDocument();
    // The class and the mark that admin.css draws the loss border by.
    for (const label of ['Start date', 'End date', 'Registering start date']) {
      const date = form.getByRole('button', { name: label });
      expect(date).toHaveAccessibleDescription(`${label} is required`);
      expect(date.matches('.mantine-DatePickerInput-input[data-error]')).toBe(true);
    }
    expect(form.getByRole('alert')).toHaveTextContent('Bad Request');
    expect(form.queryByRole('button', { name: /^Remove/ })).not.toBeInTheDocument();
    expect(sent).toEqual([]);
  });

  it('takes jpeg, jpg or png of at most 25 MB, else alerts', async () => {
    const { form } = await open('Create Tournament');
    choose(form.getByLabelText('Poster image'), image('poster.gif', 'image/gif'));
    expect(await form.findByRole('alert')).toHaveTextContent('File must be an image (jpeg, jpg, png) and less than 25MB');
    expect([
      isTournamentImage({ type: 'image/png', size: LARGE_IMAGE_BYTES }),
      isTournamentImage({ type: 'image/jpeg', size: 1 }),
      isTournamentImage({ type: 'image/png', size: LARGE_IMAGE_BYTES + 1 }),
      isTournamentImage({ type: 'image/gif', size: 1 }),
    ]).toEqual([true, true, false, false]);
    expect(LARGE_IMAGE_BYTES).toBe(25 * 1024 * 1024);
  });

  it("says 'Tournament created successfully' on 201, and sends what was filled in with a key", async () => {
    const opened = await open('Create Tournament', { 'POST /tournaments/create-tournament': { status: 201, body: before } });
    await fill(opened);
    await opened.user.click(opened.form.getByRole('button', { name: 'Create Tournament' }));
    expect(await screen.findByText('Tournament created successfully')).toBeInTheDocument();
    const [command] = opened.sent;
    expect(command?.body).toMatchObject({
      name: 'Winter Cup',
      location: 'Pokhara',
      'organizer[name]': 'Lakeside Club',
      'organizer[phoneNumber]': '061-4567890',
      'prizePool[firstPrize]': '75000',
      'prizePool[secondPrize]': '40000',
      'prizePool[thirdPrize]': '20000',
      'prizePool[entryFee]': '2500',
      'prizePool[mvp]': '10000',
      registerable: 'true',
      league: 'true',
      posterImage: 'poster.png',
      organizerImage: 'organizer.jpg',
    });
    expect(command?.body).toMatchObject({ startDate: expect.stringMatching(/^\d{4}-\d{2}-20$/) as unknown });
    expect(command?.headers.get('Authorization')).toBe('Bearer a.b.c');
    expect(command?.headers.get('Idempotency-Key')).toMatch(/.{16,}/);
  });

  it("takes 'True' of a phone for the word that opens registration, and asks phones for no capital", async () => {
    const opened = await open('Create Tournament', { 'POST /tournaments/create-tournament': { status: 201, body: before } });
    await fill(opened);
    const registerable = opened.form.getByLabelText('Registerable');
    expect(registerable).toHaveAttribute('autocapitalize', 'none');
    expect(opened.form.getByLabelText('Name')).not.toHaveAttribute('autocapitalize');
    fireEvent.change(registerable, { target: { value: ' True ' } });
    await opened.user.click(opened.form.getByRole('button', { name: 'Create Tournament' }));
    expect(await screen.findByText('Tournament created successfully')).toBeInTheDocument();
    expect(opened.sent[0]?.body).toMatchObject({ registerable: 'true' });
  });

  it.each([
    [400, 'Bad Request'],
    [401, 'Not Authorized'],
    [500, 'Internal Server Error'],
    [409, 'The server said this'],
  ])('answers %i with %j', async (status, text) => {
    const opened = await open('Create Tournament', { 'POST /tournaments/create-tournament': { status, body: { message: 'The server said this' } } });
    await fill(opened);
    await opened.user.click(opened.form.getByRole('button', { name: 'Create Tournament' }));
    expect(await opened.form.findByRole('alert')).toHaveTextContent(text);
  });
});

describe('editing a tournament', () => {
  it("sends only changed fields, new images too: 'Tournament updated successfully'", async () => {
    const { user, form, sent } = await open('Edit Valley Winter Classic 2083', { 'PUT /tournaments/t1': { body: before } });
    fireEvent.change(form.getByLabelText('Location'), { target: { value: 'Pokhara Covered Hall' } });
    fireEvent.change(form.getByLabelText('First prize'), { target: { value: '600000' } });
    choose(form.getByLabelText('Poster image'), image('new.png', 'image/png'));
    await user.click(form.getByRole('button', { name: 'Update Tournament' }));
    expect(await screen.findByText('Tournament updated successfully')).toBeInTheDocument();
    expect(sent.map((command) => [command.call, command.body])).toEqual([
      ['PUT /tournaments/t1', { location: 'Pokhara Covered Hall', 'prizePool[firstPrize]': '600000', posterImage: 'new.png' }],
    ]);
  });

  it('sends an image under the name of what it is', async () => {
    vi.stubGlobal('createImageBitmap', () => Promise.resolve({ close: () => {} }));
    const { user, form, sent } = await open('Edit Valley Winter Classic 2083', { 'PUT /tournaments/t1': { body: before } });
    choose(form.getByLabelText('Poster image'), pictureFile('poster.jpg', 'image/png', 'image/jpeg'));
    await form.findByText('poster.png');
    await user.click(form.getByRole('button', { name: 'Update Tournament' }));
    expect(await screen.findByText('Tournament updated successfully')).toBeInTheDocument();
    expect(sent.map(({ body }) => body)).toEqual([{ posterImage: 'poster.png' }]);
  });

  it('finds out an image that cannot be drawn when it is chosen, and sends nothing until it is removed', async () => {
    vi.stubGlobal('createImageBitmap', () => Promise.reject(new DOMException('The source image could not be decoded.', 'InvalidStateError')));
    const { user, form, sent } = await open('Edit Valley Winter Classic 2083', { 'PUT /tournaments/t1': { body: before } });
    const refusal = 'File must be an image (jpeg, jpg, png) and less than 25MB';
    fireEvent.change(form.getByLabelText('Location'), { target: { value: 'Elsewhere' } });
    choose(form.getByLabelText('Poster image'), image('fake.png', 'image/png'));
    expect(await form.findByRole('alert')).toHaveTextContent(refusal);
    expect(form.getByLabelText('Poster image')).toHaveAccessibleDescription(expect.stringContaining(refusal));
    expect(form.queryByText('fake.png')).not.toBeInTheDocument();
    await user.click(form.getByRole('button', { name: 'Update Tournament' }));
    expect(form.getByLabelText('Poster image')).toHaveFocus();
    expect(sent).toEqual([]);
    await user.click(form.getByRole('button', { name: 'Remove Poster image' }));
    expect(form.queryByRole('alert')).not.toBeInTheDocument();
    await user.click(form.getByRole('button', { name: 'Update Tournament' }));
    expect(await screen.findByText('Tournament updated successfully')).toBeInTheDocument();
    expect(sent.map(({ body }) => body)).toEqual([{ location: 'Elsewhere' }]);
  });

  it('names an emptied field by its label, above the form and under the field', async () => {
    const { user, form, sent } = await open('Edit Valley Winter Classic 2083');
    fireEvent.change(form.getByLabelText('First prize'), { target: { value: ' ' } });
    await user.click(form.getByRole('button', { name: 'Update Tournament' }));
    expect(form.getByRole('alert')).toHaveTextContent(/^First prize is required$/);
    expect(form.getByLabelText('First prize')).toHaveAccessibleDescription('First prize is required');
    expect(sent).toEqual([]);
  });

  it('names the field of a refusal by its label', async () => {
    const message = 'organizer[phoneNumber] must be 7 to 20 digits, spaces, + or -';
    const { user, form } = await open('Edit Valley Winter Classic 2083', {
      'PUT /tournaments/t1': { status: 400, body: { message, errors: [{ path: 'organizer[phoneNumber]', message }] } },
    });
    fireEvent.change(form.getByLabelText('Organizer phone number'), { target: { value: '12' } });
    await user.click(form.getByRole('button', { name: 'Update Tournament' }));
    expect(await form.findByRole('alert')).toHaveTextContent(/^Organizer phone number must be 7 to 20 digits, spaces, \+ or -$/);
    expect(form.getByLabelText('Organizer phone number')).toHaveAccessibleDescription('Organizer phone number must be 7 to 20 digits, spaces, + or -');
  });

  it('shows the message of the server when it is refused', async () => {
    const { user, form } = await open('Edit Valley Winter Classic 2083', { 'PUT /tournaments/t1': { status: 409, body: { message: 'The server said this' } } });
    fireEvent.change(form.getByLabelText('Location'), { target: { value: 'Elsewhere' } });
    await user.click(form.getByRole('button', { name: 'Update Tournament' }));
    await waitFor(() => {
      expect(form.getByRole('alert')).toHaveTextContent('The server said this');
    });
  });
});
