import { DOCUMENT_BYTES } from '@courtledger/contracts/kernel/limits';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pictureFile } from '../testing/picture-file.ts';
import { answerWith, renderSite } from '../testing/render-site.tsx';
import { adminPlayer, adminTournament } from '../testing/staff-builder.ts';

const stored = adminPlayer({ image: '/media/suyog.webp' });
const open = async (answers: Parameters<typeof answerWith>[0] = {}, button = 'Edit Suyog Maharjan') => {
  localStorage.setItem('atoken', 'a.b.c');
  const api = answerWith({
    '/admin/check-token': { body: { _id: 'a1', username: 'pema', email: 'pema@example.com' } },
    '/tournaments/admin-tournaments': { body: [adminTournament()] },
    '/player/getAllPlayers': { body: [stored] },
    ...answers,
  });
  const { user, client } = renderSite('/admin');
  await user.click(await screen.findByRole('tab', { name: 'Players' }));
  await user.click(await screen.findByRole('button', { name: button }));
  const dialog = within(await screen.findByRole('dialog'));
  return { ...api, user, client, dialog, update: () => user.click(dialog.getByRole('button', { name: 'Update Player' })) };
};
type Opened = Pick<Awaited<ReturnType<typeof open>>, 'dialog'>;
const type = ({ dialog }: Opened, label: string, value: string): void => {
  fireEvent.change(dialog.getByLabelText(label), { target: { value } });
};
const choose = ({ dialog }: Opened, label: string, file: File): void => {
  fireEvent.change(dialog.getByLabelText(label), { target: { files: [file] } });
};
const file = (name: string, mime: string, size = 7): File => Object.defineProperty(new File(['picture'], name, { type: mime }), 'size', { value: size });

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:preview', revokeObjectURL: () => {} }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('editing a player', () => {
  it('opens with what is stored, and the photo that is kept', async () => {
    const { dialog } = await open();
    const values = ['Player name', 'Contact number', 'Jersey number', 'Age', 'Height in cm', 'Weight in kg'].map(
      (label) => dialog.getByLabelText<HTMLInputElement>(label).value,
    );
    expect(values).toEqual(['Suyog Maharjan', '9841023776', '7', '24', '188', '82']);
    expect(dialog.getByLabelText('Player photo').closest('.drop')?.querySelector('img')).toHaveAttribute('src', '/media/suyog.webp');
  });

  it('sends only what was changed, trimmed, and new files', async () => {
    const opened = await open({ 'PUT /player/1': { body: stored } });
    const { dialog, update, sent } = opened;
    type(opened, 'Height in cm', '190');
    type(opened, 'Player name', ' Suyog Maharjan ');
    choose(opened, 'Player photo', file('new.png', 'image/png'));
    choose(opened, 'ID document', file('citizenship.pdf', 'application/pdf'));
    expect(await dialog.findByText('new.png')).toBeInTheDocument();
    expect(await dialog.findByText('citizenship.pdf')).toBeInTheDocument();
    await update();
    expect(await screen.findByText('Player updated')).toBeInTheDocument();
    expect(sent.map(({ call, body }) => [call, body])).toEqual([['PUT /player/1', { height: '190', image: 'new.png', document: 'citizenship.pdf' }]]);
    expect(sent[0]?.headers.get('Authorization')).toBe('Bearer a.b.c');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('makes a photo smaller that is heavy for nothing: a document has to come in the same time', async () => {
    vi.stubGlobal('createImageBitmap', () => Promise.resolve({ width: 2000, height: 1000, close: () => {} }));
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, kind = '') => {
      done(new Blob([new Uint8Array(kind === 'image/png' ? 640 * 1024 + 1 : 9)], { type: kind }));
    });
    const opened = await open({ 'PUT /player/1': { body: stored } });
    choose(opened, 'Player photo', new File([pictureFile('face.png'), new Uint8Array(640 * 1024)], 'face.png', { type: 'image/png' }));
    expect(await opened.dialog.findByText('face.jpg')).toBeInTheDocument();
    await opened.update();
    expect(await screen.findByText('Player updated')).toBeInTheDocument();
    expect(opened.sent.map(({ body }) => body)).toEqual([{ image: 'face.jpg' }]);
  });

  it('sends nothing when nothing was changed, and says so', async () => {
    const opened = await open();
    const { dialog, update, sent } = opened;
    await update();
    expect(dialog.getByRole('alert')).toHaveTextContent('Nothing has been changed.');
    type(opened, 'Age', '25');
    expect(dialog.queryByRole('alert')).not.toBeInTheDocument();
    expect(sent).toEqual([]);
  });

  it('takes digits only in numbers, ten of a contact and three of the rest', async () => {
    const opened = await open();
    const { dialog } = opened;
    for (const [label, typed, kept] of [
      ['Contact number', '98x41-02377699', '9841023776'],
      ['Age', '२4y', '24'],
      ['Weight in kg', '08234', '082'],
      ['Jersey number', '#00', '00'],
    ] as const) {
      type(opened, label, typed);
      expect(dialog.getByLabelText(label)).toHaveValue(kept);
      expect(dialog.getByLabelText(label)).toHaveAttribute('inputmode', 'numeric');
    }
  });

  it.each([
    ['Player photo', file('notes.txt', 'text/plain'), 'Choose a JPEG or PNG picture'],
    ['Player photo', file('fake.png', 'image/png'), 'Choose a JPEG or PNG picture'],
    ['ID document', file('citizenship.gif', 'image/gif'), 'ID document must be a pdf, jpg, jpeg or png'],
    ['ID document', file('long.pdf', 'application/pdf', DOCUMENT_BYTES + 1), 'ID document must be at most 5MB'],
  ])('refuses as %s what it cannot be, at the field, and sends nothing until it is removed', async (label, chosen, text) => {
    vi.stubGlobal('createImageBitmap', () => Promise.reject(new DOMException('The source image could not be decoded.', 'InvalidStateError')));
    const opened = await open({ 'PUT /player/1': { body: stored } });
    const { user, dialog, update, sent } = opened;
    type(opened, 'Age', '25');
    choose(opened, label, chosen);
    expect(await dialog.findByText(text)).toBeInTheDocument();
    expect(dialog.getByLabelText(label)).toHaveAccessibleDescription(expect.stringContaining(text));
    expect(dialog.queryByRole('alert')).not.toBeInTheDocument();
    await update();
    expect(dialog.getByLabelText(label)).toHaveFocus();
    expect(dialog.getByText(text)).toBeInTheDocument();
    expect(sent).toEqual([]);
    await user.click(dialog.getByRole('button', { name: `Remove ${label}` }));
    expect(dialog.queryByText(text)).not.toBeInTheDocument();
    await update();
    expect(await screen.findByText('Player updated')).toBeInTheDocument();
    expect(sent.map(({ body }) => body)).toEqual([{ age: '25' }]);
  });

  it('says what the server refused, at the field as well, and keeps what was typed', async () => {
    const opened = await open({
      'PUT /player/1': { status: 409, body: { message: 'Jersey number 23 is taken', errors: [{ path: 'jerseyNumber', message: 'Taken by Pranil Tamang' }] } },
    });
    const { dialog, update } = opened;
    type(opened, 'Jersey number', '23');
    await update();
    expect(await dialog.findByRole('alert')).toHaveTextContent('Jersey number 23 is taken');
    expect(dialog.getByLabelText('Jersey number')).toHaveAccessibleDescription('Taken by Pranil Tamang');
    expect(dialog.getByLabelText('Jersey number')).toHaveValue('23');
  });

  it('sends once, and stays locked while it is under way', async () => {
    const opened = await open({ 'PUT /player/1': { pending: true } });
    const { user, dialog, update, sent } = opened;
    type(opened, 'Age', '25');
    await update();
    await user.click(await dialog.findByRole('button', { name: 'Saving...' }));
    expect(dialog.getByRole('button', { name: 'Saving...' })).toHaveAttribute('aria-disabled', 'true');
    expect(sent).toHaveLength(1);
  });
});

/** Closed with this text, and nothing of the player is left on the page. */
const expectClosed = async (text: string): Promise<void> => {
  expect(await screen.findByText(text)).toBeInTheDocument();
  await waitFor(() => {
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
  expect(document.body.innerHTML).not.toMatch(/Suyog|9841023776|suyog\.webp/);
};

describe('a player who is erased meanwhile', () => {
  const erased = adminPlayer({ name: 'Former player', mobileNumber: '', age: 0, height: 0, weight: 0, document: false });

  it.each([
    ['Edit Suyog Maharjan', {}],
    ['ID document of Suyog Maharjan', { '/player/1/document': { file: new Blob(['picture'], { type: 'image/png' }) } }],
  ])('%s: closes, and says why', async (button, answers) => {
    const list: { body: unknown } = { body: [stored] };
    const { client, dialog } = await open({ '/player/getAllPlayers': list, ...answers }, button);
    if (button.startsWith('Edit')) type({ dialog }, 'Age', '25');
    list.body = [erased];
    await client.invalidateQueries();
    await expectClosed('The details of this person were erased meanwhile.');
    expect(screen.getByRole('button', { name: 'Edit Former player (number 7)' })).toBeInTheDocument();
  });

  it('closes as well when a correction is refused for it', async () => {
    const list: { body: unknown } = { body: [stored] };
    const opened = await open({ '/player/getAllPlayers': list, 'PUT /player/1': { status: 409, body: { message: 'The details of this person were erased' } } });
    list.body = [erased];
    type(opened, 'Age', '25');
    await opened.update();
    expect(opened.sent.map(({ body }) => body)).toEqual([{ age: '25' }]);
    await expectClosed('The details of this person were erased meanwhile.');
  });

  it('closes when the player is listed no more', async () => {
    const list: { body: unknown } = { body: [stored] };
    const { client } = await open({ '/player/getAllPlayers': list });
    list.body = [];
    await client.invalidateQueries();
    await expectClosed("The registration of this player's team expired meanwhile.");
    expect(screen.getByText('No Players')).toBeInTheDocument();
  });

  it('can still be given another number', async () => {
    const opened = await open({ '/player/getAllPlayers': { body: [erased] }, 'PUT /player/1': { body: erased } }, 'Edit Former player (number 7)');
    type(opened, 'Jersey number', '8');
    await opened.update();
    expect(await screen.findByText('Player updated')).toBeInTheDocument();
    expect(opened.sent.map(({ body }) => body)).toEqual([{ jerseyNumber: '8' }]);
  });
});

describe('the ID document of a player', () => {
  it('is shown when it is a picture, read once whatever arrives meanwhile', async () => {
    const { dialog, asked, user } = await open(
      { '/player/1/document': { file: new Blob(['picture'], { type: 'image/png' }) } },
      'ID document of Suyog Maharjan',
    );
    expect(await dialog.findByRole('img', { name: 'ID document of Suyog Maharjan' })).toHaveAttribute('src', 'blob:preview');
    expect(dialog.getByRole('link', { name: 'Save' })).toHaveAttribute('download', 'id-document.png');
    expect(dialog.getByText('This view has been recorded.')).toBeInTheDocument();
    expect(asked.filter((call) => call.endsWith('/document'))).toEqual(['GET /player/1/document']);
    await user.click(dialog.getByRole('button', { name: 'Close' }));
    await waitFor(() => {
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    });
    // Another look is another view.
    await user.click(screen.getByRole('button', { name: 'ID document of Suyog Maharjan' }));
    expect(await screen.findByRole('img', { name: 'ID document of Suyog Maharjan' })).toBeInTheDocument();
    expect(asked.filter((call) => call.endsWith('/document'))).toHaveLength(2);
  });

  it('can be saved when it is a PDF', async () => {
    const { dialog } = await open({ '/player/1/document': { file: new Blob(['%PDF'], { type: 'application/pdf' }) } }, 'ID document of Suyog Maharjan');
    expect(await dialog.findByRole('link', { name: 'Save' })).toHaveAttribute('download', 'id-document.pdf');
    expect(dialog.queryByRole('img')).not.toBeInTheDocument();
  });

  it('says why it cannot be shown', async () => {
    const { dialog } = await open(
      { '/player/1/document': { status: 404, body: { message: 'There is no document of this player' } } },
      'ID document of Suyog Maharjan',
    );
    expect(await dialog.findByRole('alert')).toHaveTextContent('There is no document of this player');
    expect(dialog.queryByRole('link', { name: 'Save' })).not.toBeInTheDocument();
  });
});
