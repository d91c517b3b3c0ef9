import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answerWith, renderSite } from '../testing/render-site.tsx';
import { adminTournament, team } from '../testing/staff-builder.ts';

const stored = team('k', 'Kathmandu Kings');
const open = async (answers: Parameters<typeof answerWith>[0] = {}, tab = 'Teams') => {
  localStorage.setItem('atoken', 'a.b.c');
  const api = answerWith({
    '/admin/check-token': { body: { _id: 'a1', username: 'pema', email: 'pema@example.com' } },
    '/tournaments/admin-tournaments': { body: [adminTournament()] },
    '/team/teams': { body: [stored] },
    ...answers,
  });
  const { user, client } = renderSite('/admin');
  await user.click(await screen.findByRole('tab', { name: tab }));
  await user.click(await screen.findByRole('button', { name: 'Edit Kathmandu Kings' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Team' }));
  return { ...api, user, client, dialog, update: () => user.click(dialog.getByRole('button', { name: 'Update Team' })) };
};
type Opened = Pick<Awaited<ReturnType<typeof open>>, 'dialog'>;
const type = ({ dialog }: Opened, label: string, value: string): void => {
  fireEvent.change(dialog.getByLabelText(label), { target: { value } });
};

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:preview' }));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('editing a team', () => {
  const labels = ['Team name', 'Origin / Location', 'Primary number', 'Coach name', 'Coach primary number', 'Coach secondary number'];

  it('opens with the team and its coach', async () => {
    const { dialog } = await open();
    expect(labels.map((label) => dialog.getByLabelText<HTMLInputElement>(label).value)).toEqual([
      'Kathmandu Kings',
      'Kathmandu',
      '9841000001',
      'Coach of Kathmandu Kings',
      '9841000002',
      '9841000003',
    ]);
  });

  it('opens empty where there is no coach yet', async () => {
    const { dialog } = await open({ '/team/teams': { body: [{ ...stored, coach: {} }] } });
    expect(labels.slice(3).map((label) => dialog.getByLabelText<HTMLInputElement>(label).value)).toEqual(['', '', '']);
  });

  it('sends only what was changed, under the names of the registration, and new pictures', async () => {
    const opened = await open({ 'PUT /team/k': { body: stored } });
    const { dialog, update, sent } = opened;
    type(opened, 'Coach name', 'Sita Sharma');
    type(opened, 'Coach secondary number', '98x41000009');
    fireEvent.change(dialog.getByLabelText('Team logo'), { target: { files: [new File(['picture'], 'crest.png', { type: 'image/png' })] } });
    expect(await dialog.findByText('crest.png')).toBeInTheDocument();
    await update();
    expect(await screen.findByText('Team updated')).toBeInTheDocument();
    expect(sent.map(({ call, body }) => [call, body])).toEqual([
      ['PUT /team/k', { coachname: 'Sita Sharma', contact_number_2: '9841000009', logo: 'crest.png' }],
    ]);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('sends again what was put back after a lost answer, and asks before it closes: it may have been recorded', async () => {
    const answer: { lost: boolean; body?: unknown } = { lost: true };
    const opened = await open({ 'PUT /team/k': answer });
    const { dialog, update, sent, user } = opened;
    type(opened, 'Origin / Location', 'Patan');
    await update();
    expect(await dialog.findByText(/^It is not known/)).toBeInTheDocument();
    type(opened, 'Origin / Location', 'Kathmandu');
    await user.keyboard('{Escape}');
    await user.click(dialog.getByRole('button', { name: 'Keep editing' }));
    Object.assign(answer, { lost: false, body: stored });
    await update();
    expect(await screen.findByText('Team updated')).toBeInTheDocument();
    expect(sent.map(({ body }) => body)).toEqual([{ origin: 'Patan' }, { origin: 'Kathmandu' }]);
  });

  it('a refusal leaves nothing open: what was put back is unchanged', async () => {
    const opened = await open({ 'PUT /team/k': { status: 400, body: { message: 'origin is wrong', errors: [] } } });
    const { dialog, update, sent } = opened;
    type(opened, 'Origin / Location', 'Patan');
    await update();
    expect(await dialog.findByText('Origin / Location is wrong')).toBeInTheDocument();
    type(opened, 'Origin / Location', 'Kathmandu');
    await update();
    expect(dialog.getByRole('alert')).toHaveTextContent('Nothing has been changed.');
    expect(sent).toHaveLength(1);
  });

  it.each(['Team logo', 'Coach photo'])('says at the field of the %s that a file is no picture, and keeps the one that was chosen before', async (label) => {
    const opened = await open({ 'PUT /team/k': { body: stored } });
    const { dialog, update, sent } = opened;
    const choose = (name: string): void => {
      fireEvent.change(dialog.getByLabelText(label), { target: { files: [new File(['text'], name, { type: 'image/png' })] } });
    };
    choose('good.png');
    expect(await dialog.findByText('good.png')).toBeInTheDocument();
    vi.stubGlobal('createImageBitmap', () => Promise.reject(new DOMException('The source image could not be decoded.', 'InvalidStateError')));
    choose('fake.png');
    expect(await dialog.findByText('Choose a JPEG or PNG picture')).toBeInTheDocument();
    expect(dialog.getByLabelText(label)).toHaveAccessibleDescription(expect.stringContaining('Choose a JPEG or PNG picture'));
    expect(dialog.getByText('good.png')).toBeInTheDocument();
    await update();
    expect(dialog.getByLabelText(label)).toHaveFocus();
    expect(sent).toEqual([]);
  });

  it('says what the server refused, at the field as well', async () => {
    const opened = await open({
      'PUT /team/k': {
        status: 400,
        body: { message: 'Team name must be at least 3 characters long', errors: [{ path: 'name', message: 'Team name must be at least 3 characters long' }] },
      },
    });
    const { dialog, update } = opened;
    type(opened, 'Team name', 'KK');
    await update();
    expect(await dialog.findByRole('alert')).toHaveTextContent('Team name must be at least 3 characters long');
    expect(dialog.getByLabelText('Team name')).toHaveAccessibleDescription('Team name must be at least 3 characters long');
    type(opened, 'Team name', 'KKK');
    expect(dialog.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('says something when the server says nothing', async () => {
    const opened = await open({ 'PUT /team/k': { status: 500, body: {} } });
    const { dialog, update } = opened;
    type(opened, 'Origin / Location', 'Patan');
    await update();
    expect(await dialog.findByRole('alert')).toHaveTextContent('Internal Server Error');
  });

  const formerCoach = { name: 'Former coach', phone_number: '', contact_number_2: '', image: '' };

  it.each(['Teams', 'Users'])(
    'opened under %s, empties what is of a coach and a contact who are erased meanwhile, says so, and keeps the rest that was typed',
    async (tab) => {
      const list: { body: unknown } = { body: [stored] };
      const opened = await open({ '/team/teams': list, 'PUT /team/k': { body: stored } }, tab);
      const { client, dialog, update, sent } = opened;
      const values = (): readonly string[] => labels.map((label) => dialog.getByLabelText<HTMLInputElement>(label).value);
      type(opened, 'Origin / Location', 'Patan');
      type(opened, 'Coach primary number', '9841777777');
      fireEvent.change(dialog.getByLabelText('Coach photo'), { target: { files: [new File(['picture'], 'sita.png', { type: 'image/png' })] } });
      expect(await dialog.findByText('sita.png')).toBeInTheDocument();
      list.body = [{ ...stored, coach: formerCoach }];
      await client.invalidateQueries();
      expect(await dialog.findByRole('alert')).toHaveTextContent('The details of the coach were erased meanwhile.');
      expect(values()).toEqual(['Kathmandu Kings', 'Patan', '9841000001', 'Former coach', '', '']);
      expect(dialog.queryByText('sita.png')).not.toBeInTheDocument();
      list.body = [{ ...stored, coach: formerCoach, team_details: { ...stored.team_details, teamPrimaryNumber: '' } }];
      await client.invalidateQueries();
      expect(
        await dialog.findByText("The details of the coach were erased meanwhile. The details of the team's contact were erased meanwhile."),
      ).toBeInTheDocument();
      expect(values()).toEqual(['Kathmandu Kings', 'Patan', '', 'Former coach', '', '']);
      await update();
      expect(await screen.findByText('Team updated')).toBeInTheDocument();
      expect(sent.map(({ body }) => body)).toEqual([{ origin: 'Patan' }]);
    },
  );

  it('empties the coach as well when a correction is refused for it', async () => {
    const list: { body: unknown } = { body: [stored] };
    const opened = await open({ '/team/teams': list, 'PUT /team/k': { status: 409, body: { message: 'The details of this person were erased' } } });
    list.body = [{ ...stored, coach: formerCoach }];
    type(opened, 'Coach name', 'Sita Sharma');
    await opened.update();
    expect(await opened.dialog.findByDisplayValue('Former coach')).toBeInTheDocument();
    expect(opened.dialog.getByRole('alert')).toHaveTextContent('The details of this person were erased');
    type(opened, 'Origin / Location', 'Patan');
    expect(opened.dialog.getByRole('alert')).toHaveTextContent('The details of the coach were erased meanwhile.');
  });

  it('says nothing of who was erased before it was opened', async () => {
    const { dialog } = await open({ '/team/teams': { body: [{ ...stored, coach: formerCoach }] } });
    expect(dialog.getByLabelText('Coach name')).toHaveValue('Former coach');
    expect(dialog.queryByRole('alert')).not.toBeInTheDocument();
  });

  it.each(['Teams', 'Users'])('opened under %s, closes with a word when the team is listed no more', async (tab) => {
    const list: { body: unknown } = { body: [stored] };
    const { client } = await open({ '/team/teams': list }, tab);
    list.body = [];
    await client.invalidateQueries();
    expect(await screen.findByText('The registration of this team expired meanwhile.')).toBeInTheDocument();
    await waitFor(() => {
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    });
  });
});
