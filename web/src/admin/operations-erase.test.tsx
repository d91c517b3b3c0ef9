import type { PersonAnswer } from '@courtledger/contracts/operations/audit.answers';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answerWith, renderSite } from '../testing/render-site.tsx';

const person: PersonAnswer = {
  personId: 'p1',
  kind: 'player',
  name: 'Anish Limbu',
  of: 'Kathmandu Kings',
  erased: false,
  goes: { details: ['name', 'phone'], photo: true, document: true },
  stays: { matches: 3, as: 'Former player' },
};
const status = {
  time: '2026-11-21T10:00:00.000Z',
  startedAt: '2026-11-21T09:00:00.000Z',
  store: 'sqlite',
  log: { head: '9', refusal: null, unfit: null, otherLog: false, writeAheadBytes: 0, writeAheadAlarm: false },
  keys: null,
  missingFiles: null,
  readModel: {
    file: 'read-model-1.sqlite',
    position: '9',
    lagEvents: 0,
    lagMore: false,
    lagSeconds: 0,
    lagUnknown: null,
    ratePerSecond: 0,
    error: null,
    doubt: null,
    parked: [],
    version: 'v',
    files: [],
  },
  sizes: { log: 1, readModels: 1, media: 1, documents: 1, keys: 1, refusals: 1, freeDisk: 1 },
  job: null,
  lastBackup: null,
  setAside: [],
  leftovers: [],
  pendingErasures: [],
  pendingErasuresWaitFor: null,
  lastVerification: null,
  backups: { folder: '/data/backups', windowMinutes: 15, kept: 0, newest: null, unsavedSeconds: 1200, overdue: true, failure: null, failedAt: null },
};

const open = async (answers: Parameters<typeof answerWith>[0] = {}) => {
  localStorage.setItem('stoken', 'a.b.c');
  const api = answerWith({
    '/superadmin/check-token': { body: [] },
    '/superadmin/get-admins': { body: [] },
    '/operations/status': { body: status },
    '/operations/rebuild': { body: { job: null } },
    '/operations/verify-log': { body: { verification: null } },
    '/operations/events?limit=20': { body: { events: [], next: null, position: '9' } },
    '/operations/backup': { body: { backup: null } },
    '/operations/persons?text=anish': { body: { persons: [person, { ...person, personId: 'p2', erased: true, name: 'Former player' }], more: true } },
    ...answers,
  });
  const site = renderSite('/superadminakakakakak');
  await site.user.click(await screen.findByRole('tab', { name: 'Operations' }));
  const section = within(await screen.findByRole('region', { name: 'Erase a person' }));
  return { ...api, user: site.user, section };
};
const find = async ({ user, section }: Awaited<ReturnType<typeof open>>): Promise<void> => {
  await user.type(section.getByLabelText('Name, team, whole phone number or id'), ' anish ');
  await user.click(section.getByRole('button', { name: 'Find' }));
  await user.click(await section.findByRole('button', { name: 'Erase Anish Limbu, Kathmandu Kings' }));
};

afterEach(() => {
  localStorage.clear();
});
beforeEach(() => {
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
});

describe('erasing a person', () => {
  it('shows who is found, and what goes and what stays before anything happens', async () => {
    const page = await open();
    await find(page);
    expect(page.section.getByText('Erased')).toBeInTheDocument();
    expect(page.section.getByText('There are more: say more of the name.')).toBeInTheDocument();
    const dialog = within(await screen.findByRole('dialog', { name: 'Erase a person' }));
    expect(dialog.getByText('Anish Limbu, Player, Kathmandu Kings')).toBeInTheDocument();
    expect(dialog.getAllByRole('listitem').map((item) => item.textContent)).toEqual(
      expect.arrayContaining([
        'the name, the phone number',
        'the ID document',
        'the jersey number and the entries in 3 matches: scores and standings do not change',
      ]),
    );
    await page.user.click(dialog.getByRole('button', { name: 'Keep' }));
    await waitFor(() => {
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    });
    expect(page.asked.filter((one) => one.startsWith('POST'))).toEqual([]);
  });

  it('asks for a reason and a deliberate yes, sends both once, and says what came of it', async () => {
    const page = await open({ 'POST /operations/erase-person': { body: { personId: 'p1', kind: 'player', already: false } } });
    await find(page);
    const dialog = within(await screen.findByRole('dialog', { name: 'Erase a person' }));
    const erase = dialog.getByRole('button', { name: 'Erase for good' });
    await page.user.click(erase);
    expect(dialog.getByRole('alert')).toHaveTextContent('A reason is required');
    expect(dialog.getByLabelText(/^Why\?/)).toHaveFocus();
    await page.user.type(dialog.getByLabelText(/^Why\?/), 'Asked for it');
    await page.user.click(erase);
    expect(dialog.getByRole('alert')).toHaveTextContent('Confirm that you know it cannot be undone.');
    expect(dialog.getByLabelText(/cannot be undone/)).toHaveFocus();
    expect(page.asked.filter((one) => one.startsWith('POST'))).toEqual([]);
    await page.user.click(dialog.getByLabelText(/cannot be undone/));
    expect(dialog.queryByRole('alert')).not.toBeInTheDocument();
    await page.user.click(erase);
    const said = await page.section.findByText('Erased. Details, photo and documents are gone. What was recorded in matches stays under “Former player”.');
    await waitFor(() => {
      expect(document.activeElement).toContainElement(said);
    });
    expect(page.asked.filter((one) => one.startsWith('POST'))).toEqual(['POST /operations/erase-person']);
  });

  it('keeps the dialog and says why when it fails', async () => {
    const page = await open({
      'POST /operations/erase-person': { status: 503, body: { message: 'Nothing can be saved at the moment. Please try again soon.' } },
    });
    await find(page);
    const dialog = within(await screen.findByRole('dialog', { name: 'Erase a person' }));
    await page.user.type(dialog.getByLabelText(/^Why\?/), 'Asked for it');
    await page.user.click(dialog.getByLabelText(/cannot be undone/));
    await page.user.click(dialog.getByRole('button', { name: 'Erase for good' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(/^Nothing can be saved at the moment. Please try again soon.$/);
  });

  it('says that it is not known whether it happened where the answer was lost, and lets it be sent again', async () => {
    const answer: { lost: boolean; body?: unknown } = { lost: true };
    const page = await open({ 'POST /operations/erase-person': answer });
    await find(page);
    const dialog = within(await screen.findByRole('dialog', { name: 'Erase a person' }));
    await page.user.type(dialog.getByLabelText(/^Why\?/), 'Asked for it');
    await page.user.click(dialog.getByLabelText(/cannot be undone/));
    await page.user.click(dialog.getByRole('button', { name: 'Erase for good' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      /^The server does not answerIt is not known whether this was recorded. Erase for good may be pressed again: the result is the same.$/,
    );
    Object.assign(answer, { lost: false, body: { personId: 'p1', kind: 'player', already: true } });
    await page.user.click(dialog.getByRole('button', { name: 'Erase for good' }));
    expect(await page.section.findByText('This player was erased before.')).toBeInTheDocument();
  });
});

it('an alarm stands above the figures when the last changes are in no backup', async () => {
  await open();
  expect(screen.getByRole('alert')).toHaveTextContent('What was recorded is not backed up in time: see the log of the server.');
  expect(screen.getByRole('region', { name: 'Last backup' })).toHaveTextContent(
    'None yetThe server makes one within 15 minutes of a change. Overdue: a change of 20 minutes ago is in none.',
  );
});
