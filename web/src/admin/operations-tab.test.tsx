import { chainAbsence } from '@courtledger/contracts/operations/hash-chain.rules';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answerWith, renderSite } from '../testing/render-site.tsx';

/** The page's clock may be ahead of the last answer. */
const clock = vi.hoisted(() => ({ ahead: 0 }));
vi.mock('../lib/use-now.ts', () => ({ useNow: () => Date.now() + clock.ahead }));

const status = {
  time: '2026-11-21T10:12:00.000Z',
  startedAt: '2026-11-21T09:00:00.000Z',
  store: 'sqlite',
  log: { head: '42', refusal: null, unfit: null, otherLog: false, writeAheadBytes: 0, writeAheadAlarm: false },
  keys: null,
  missingFiles: null,
  readModel: {
    file: 'read-model-7.sqlite',
    position: '42',
    lagEvents: 0,
    lagMore: false,
    lagSeconds: 0,
    lagUnknown: null,
    ratePerSecond: 5,
    error: null,
    doubt: null,
    parked: [{ stream: 'match-m9', events: 2, position: '41', type: 'StatIncrementRecorded', error: 'no such line', time: '2026-11-21T10:11:00.000Z' }],
    version: 'a1b2c3',
    files: [],
  },
  sizes: { log: 1, readModels: 1, media: 1, documents: 1, keys: 1, refusals: 1, freeDisk: 1 },
  job: null,
  lastBackup: null,
  setAside: ['before-restore-20261101-101500'],
  leftovers: [],
  pendingErasures: [],
  pendingErasuresWaitFor: null,
  lastVerification: null,
  backups: { folder: 'backups', windowMinutes: 15, kept: 0, newest: null, unsavedSeconds: null, overdue: false, failure: null, failedAt: null },
};
const job = {
  id: 'j1',
  kind: 'rebuild',
  state: 'running',
  phase: 'folding',
  startedAt: '2026-11-21T10:00:00.000Z',
  endedAt: null,
  file: 'read-model-8.sqlite',
  resumed: false,
  events: 21,
  position: '21',
  until: '42',
  ratePerSecond: 7,
  secondsLeft: 3,
  error: null,
  diff: null,
};
const files = [
  { file: 'read-model-6.sqlite', bytes: 1, role: 'previous' },
  { file: 'read-model-7.sqlite', bytes: 1, role: 'live' },
];

const open = async (more: object = {}, now: object = status, backup: object | null = null) => {
  localStorage.setItem('stoken', 'a.b.c');
  const api = answerWith({
    '/superadmin/check-token': { body: [] },
    '/superadmin/get-admins': { body: [] },
    '/operations/status': { body: now },
    '/operations/rebuild': { body: { job: { ...job, ...more } } },
    '/operations/verify-log': { body: { verification: null } },
    '/operations/backup': { body: { backup } },
    '/operations/events?limit=20': { body: { events: [], next: null, position: '42' } },
  });
  const site = renderSite('/superadminakakakakak');
  await site.user.click(await screen.findByRole('tab', { name: 'Operations' }));
  return { ...api, user: site.user, client: site.client, events: within(await screen.findByRole('region', { name: 'Events' })) };
};

beforeEach(() => {
  vi.setSystemTime('2026-11-21T10:12:00.000Z');
  localStorage.clear();
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
});

describe('the operations tab', () => {
  it('has headings that leave out no level, and no two places of one name', async () => {
    await open();
    const levels = screen.getAllByRole('heading').map(({ tagName }) => Number(tagName.slice(1)));
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
    expect(levels[0]).toBe(1);
    const names = screen.getAllByRole('region').map((place) => place.getAttribute('aria-label'));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names).toEqual(
      expect.arrayContaining(['Log', 'Verify the log', 'Read model', 'Rebuild the read model', 'Parked streams', 'Parked streams to replay']),
    );
  });

  it('tells of pictures and documents that are not there', async () => {
    const text = '2 files that the log refers to are missing from /data, for example media/a.png: look for them in a backup';
    await open({}, { ...status, missingFiles: text });
    expect(await screen.findByText(`${text}.`)).toBeVisible();
  });

  it('says of when its figures are while the server does not answer, and no more once it does', async () => {
    const { client } = await open();
    const answering = globalThis.fetch;
    let isAway = true;
    vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => (isAway ? Promise.reject(new TypeError('Failed to fetch')) : answering(input, init)));
    const stale = /What stands here is of 21 Nov, 15:57\.$/;
    await client.refetchQueries();
    expect((await screen.findByText(stale)).textContent).toMatch(/^The server does not answer\. /);
    expect(screen.getByRole('region', { name: 'Log' })).toHaveTextContent('Takes writes');
    isAway = false;
    await client.refetchQueries();
    await waitFor(() => expect(screen.queryByText(stale)).not.toBeInTheDocument());
  });

  it('does not call a read model up to date while the log does not tell', async () => {
    const reason = 'The event log does not answer: no connection can be made (ECONNREFUSED)';
    await open({}, { ...status, log: { ...status.log, refusal: reason }, readModel: { ...status.readModel, lagUnknown: { reason, asOf: null } } });
    expect(within(screen.getByRole('region', { name: 'Log' })).getByText(reason)).toBeInTheDocument();
    expect(screen.getByRole('region', { name: 'Read model' })).toHaveTextContent(
      'Read modelLag unknownPosition 42, how far behind is unknown, read-model-7.sqlite, projections a1b2c3',
    );
  });

  it('says of when its figures are while the server hangs, which is no error for long', async () => {
    clock.ahead = 40_000;
    try {
      await open();
      expect(screen.getByText('The server has not answered for a while. What stands here is of 21 Nov, 15:57.')).toBeInTheDocument();
    } finally {
      clock.ahead = 0;
    }
  });

  it('says what is wrong with the keys of persons', async () => {
    const keys = '2 persons of the log are not in keys/persons.sqlite';
    await open({}, { ...status, keys });
    expect(screen.getByText(`Keys of persons: ${keys}`)).toBeInTheDocument();
  });

  it('says of a backup that failed when that was, beside what stands now', async () => {
    const reason = 'The event log does not answer: no connection can be made (ECONNREFUSED)';
    const run = {
      state: 'failed',
      startedAt: '2026-11-21T08:04:00.000Z',
      endedAt: '2026-11-21T08:05:00.000Z',
      folder: 'backups/auto-x',
      head: null,
      events: 0,
      files: 0,
      bytes: 0,
      error: reason,
    };
    await open({}, { ...status, backups: { ...status.backups, failure: reason, failedAt: run.endedAt } }, run);
    expect(screen.getByText(`The last backup failed. At 21 Nov, 13:50: ${reason}`)).toBeInTheDocument();
    const told = await within(screen.getByRole('region', { name: 'Backup' })).findByText(`At 21 Nov, 13:50: ${reason}`);
    // Nothing of it is counted: there is nothing.
    expect(told.closest('.ops__job')).toHaveTextContent(`Failed${told.textContent}`);
    expect(told.closest('.ops__job')).not.toHaveTextContent('event,');
  });

  it('narrows the log to days in Kathmandu, from the beginning of one to the end of another', async () => {
    const { user, events, asked } = await open();
    await user.type(events.getByLabelText('From'), '2026-11-20');
    await user.type(events.getByLabelText('To'), '2026-11-21');
    await waitFor(() => {
      expect(asked).toContain('GET /operations/events?since=2026-11-20&until=2026-11-21&limit=20');
    });
  });
});

describe('a log in EventStoreDB', () => {
  it('has no chain to verify: the tab says what stands in its place, and offers nothing that would be refused', async () => {
    const { asked } = await open({}, { ...status, store: 'eventstoredb' });
    const section = within(screen.getByRole('region', { name: 'Verify the log' }));
    expect(section.getByText(`${chainAbsence('eventstoredb') ?? ''}.`)).toBeInTheDocument();
    expect([section.queryAllByRole('button'), asked.filter((one) => one.includes('verify-log'))]).toEqual([[], []]);
  });

  it('that is another one than was followed is told of once, and locks all that would be refused', async () => {
    const other = 'The event log that answers is another one';
    const now = {
      ...status,
      store: 'eventstoredb',
      log: { ...status.log, refusal: other, unfit: other, otherLog: true },
      readModel: { ...status.readModel, lagUnknown: { reason: other, asOf: null }, files },
    };
    const { asked, user } = await open({ state: 'failed', phase: 'ended' }, now);
    expect(screen.getAllByText(other, { exact: false })).toHaveLength(1);
    for (const name of ['Rebuild', 'Verify only', 'Switch back', 'Back up now']) {
      const button = await screen.findByRole('button', { name });
      expect(button).toHaveAttribute('aria-disabled', 'true');
      expect(button).toHaveAccessibleDescription('Not while another event log answers.');
      await user.click(button);
    }
    expect(asked.filter((one) => one.startsWith('POST'))).toEqual([]);
  });
});

describe('a rebuild that runs', () => {
  it('shows how much of the log is in', async () => {
    await open();
    expect(await screen.findByText('Rebuild: Folding the log')).toBeInTheDocument();
    expect(screen.getByRole('progressbar', { name: 'Rebuild' })).toHaveAttribute('value', '0.5');
  });

  it('and one that only switched back counts no events, and says which model is live', async () => {
    await open({ kind: 'switch-back', phase: 'ended', state: 'switched', position: '42', until: '42', events: 0, ratePerSecond: 0, secondsLeft: null });
    const done = await screen.findByText('Switch back: Done: the earlier read model is live');
    expect(done.closest('.ops__job')).toHaveTextContent(/^Switch back: Done: the earlier read model is live$/);
  });

  it.each([
    ['comparing', 'Rebuild: Comparing...', 1],
    ['switching', 'Rebuild: Switching', 0],
  ])('has no share to show while it is %s, and says so', async (phase, said, explained) => {
    await open({ phase, position: '42', events: 42, secondsLeft: null });
    expect(await screen.findByText(said)).toBeInTheDocument();
    expect(screen.getByRole('progressbar', { name: 'Rebuild' })).not.toHaveAttribute('value');
    expect(screen.queryAllByText('Every event is in. Each row is compared with the live read model.')).toHaveLength(explained);
  });
});

/** What a comparison says of one table. */
const table = (name: string, differing: number, samples: readonly object[] = []) => ({
  name,
  rows: { live: 120_873, next: 120_872 },
  checksum: { live: 'a1b2c3d4e5f60718', next: `${differing === 0 ? 'a1b2c3d4e5f6' : '99b2c3d4e5f6'}0718` },
  differing,
  samples,
});

/** The buttons of a rebuild, in their order. */
const buttonStates = async (): Promise<readonly string[]> =>
  within(await screen.findByRole('region', { name: 'Rebuild the read model' }))
    .getAllByRole('button')
    .map((button) => `${button.textContent} ${button.getAttribute('aria-disabled') === 'true' ? 'locked' : 'free'}`);

describe('the buttons of a rebuild', () => {
  it.each([
    ['with a model to switch back to', files],
    ['as while one switches', []],
  ])('keep their places while a job runs and after it, so that a second press meets no other one: %s', async (_, now) => {
    await open({}, { ...status, readModel: { ...status.readModel, files: now } });
    expect(await buttonStates()).toEqual(['Rebuild locked', 'Verify only locked', 'Cancel free', 'Switch back locked']);
    expect(screen.getByRole('button', { name: 'Verify only' })).toHaveAccessibleDescription('Not while another one runs.');
    expect(screen.getByText('Nothing runs that could be cancelled.')).not.toBeVisible();
  });

  it('send nothing while they are locked, and one command for a double click', async () => {
    const { asked, user } = await open(
      { state: 'equal', kind: 'verify', phase: 'ended', endedAt: '2026-11-21T10:00:01.000Z' },
      { ...status, readModel: { ...status.readModel, files } },
    );
    expect(await buttonStates()).toEqual(['Rebuild free', 'Verify only free', 'Cancel locked', 'Switch back free']);
    await user.dblClick(screen.getByRole('button', { name: 'Cancel' }));
    expect(asked.filter((one) => /^(?:POST|DELETE)/.test(one))).toEqual([]);
    await user.dblClick(screen.getByRole('button', { name: 'Verify only' }));
    expect(asked.filter((one) => /^(?:POST|DELETE)/.test(one))).toEqual(['POST /operations/rebuild']);
    expect(screen.getByRole('button', { name: 'Verify only' })).toHaveFocus();
  });
});

describe('a comparison', () => {
  it('shows for each table what differs and both checksums, with counts as the site groups them and positions as they are', async () => {
    const diff = {
      position: '120873',
      equal: false,
      seconds: 1,
      tables: [table('documents', 1, [{ key: 'ca96eb7b33', at: 'document.score1', live: '12106', next: '12036' }]), table('ledger', 0)],
    };
    await open({ kind: 'verify', state: 'different', phase: 'ended', events: 120_873, diff });
    expect(await screen.findByText('Compared at position 120873: different.')).toBeInTheDocument();
    expect(screen.getByText('1,20,873 events, 7 a second')).toBeInTheDocument();
    const [differing, all] = screen.getAllByRole('table', { name: 'Differences by table', hidden: true }).map((one) =>
      within(one)
        .getAllByRole('row', { hidden: true })
        .slice(1)
        .map((row) => [...row.children].map((cell) => cell.textContent)),
    );
    const documents = ['documentsca96eb7b33 document.score1: 12106 → 12036', '1,20,873', '1,20,872', '1', 'a1b2c3d4e5f6 ≠ 99b2c3d4e5f6'];
    expect([differing, all]).toEqual([[documents], [documents, ['ledger', '1,20,873', '1,20,872', '0', 'a1b2c3d4e5f6 = a1b2c3d4e5f6']]]);
  });
});

describe('a log that is damaged', () => {
  const { log, readModel } = status;

  it('locks what is not made of it, and says why beside it; comparing and going back stay', async () => {
    const unfit = 'The log is damaged at position 7';
    const { asked, user } = await open(
      { state: 'failed', phase: 'ended' },
      { ...status, log: { ...log, refusal: 'It is damaged', unfit }, readModel: { ...readModel, files } },
    );
    for (const [name, said] of [
      ['Rebuild', `No read model is made now. ${unfit}.`],
      ['Back up now', `No backup is made now. ${unfit}.`],
    ] as const) {
      const button = await screen.findByRole('button', { name });
      expect(button).toHaveAttribute('aria-disabled', 'true');
      expect(button).toHaveAccessibleDescription(said);
      await user.click(button);
    }
    expect(asked.filter((one) => one.startsWith('POST'))).toEqual([]);
    for (const name of ['Verify only', 'Switch back']) expect(screen.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'false');
  });

  it('and was put right leaves a read model that is in doubt: said once, with nothing to go back to', async () => {
    const doubt = 'The read model may show what the log said while it was damaged at position 7: it is being made anew';
    await open({ state: 'failed', phase: 'ended' }, { ...status, readModel: { ...readModel, doubt, files } });
    expect(screen.getByRole('region', { name: 'Read model' })).toHaveTextContent(
      `Read modelMay be wrong${doubt}. Position 42, 0 seconds behind, read-model-7.sqlite, projections a1b2c3`,
    );
    expect(screen.getAllByText(doubt, { exact: false })).toHaveLength(1);
    expect(screen.getByRole('button', { name: 'Rebuild' })).not.toHaveAttribute('aria-disabled', 'true');
    expect(screen.getByRole('button', { name: 'Switch back' })).toHaveAccessibleDescription('There is no read model to switch back to.');
  });
});
