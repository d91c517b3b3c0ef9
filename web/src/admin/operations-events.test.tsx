import type { LogEvent, OperationsStatus } from '@courtledger/contracts/operations/operations.answers';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answerWith, renderSite } from '../testing/render-site.tsx';

const parked = { stream: 'match-m9', events: 2, position: '41', type: 'StatIncrementRecorded', error: 'no such line', time: '2026-11-21T10:11:00.000Z' };
const status: OperationsStatus = {
  time: '2026-11-21T10:12:00.000Z',
  startedAt: '2026-11-21T09:00:00.000Z',
  store: 'sqlite',
  log: { head: '42', refusal: null, unfit: null, otherLog: false, writeAheadBytes: 0, writeAheadAlarm: false },
  keys: null,
  missingFiles: null,
  readModel: {
    file: 'read-model-7.sqlite',
    position: '40',
    lagEvents: 2,
    lagMore: false,
    lagSeconds: 3,
    lagUnknown: null,
    ratePerSecond: 5,
    error: null,
    doubt: null,
    parked: [parked],
    version: 'a1b2c3',
    files: [],
  },
  sizes: { log: 1, readModels: 1, media: 1, documents: 1, keys: 1, refusals: 1, freeDisk: 1 },
  job: null,
  lastBackup: null,
  setAside: ['before-restore-20261101-101500', 'before-restore-20261120-090000'],
  leftovers: ['.drill-1'],
  pendingErasures: ['p-9'],
  pendingErasuresWaitFor: null,
  lastVerification: null,
  backups: { folder: 'backups', windowMinutes: 15, kept: 0, newest: null, unsavedSeconds: null, overdue: false, failure: null, failedAt: null },
};
const event = (position: string, type: string): LogEvent => ({
  position,
  stream: 'match-m1',
  revision: 3,
  type,
  version: 1,
  time: '2026-11-21T10:11:00.000Z',
  what: `What event ${position} says`,
  data: { points: 3 },
  metadata: { actor: { role: 'admin', id: 'a1', name: 'Asha Rai' } },
});
const page = (query: string): string => `/operations/events?${query}limit=20`;

const open = async () => {
  localStorage.setItem('stoken', 'a.b.c');
  const api = answerWith({
    '/superadmin/check-token': { body: [] },
    '/superadmin/get-admins': { body: [] },
    '/operations/status': { body: status },
    '/operations/rebuild': { body: { job: null } },
    '/operations/verify-log': { body: { verification: null } },
    '/operations/backup': { body: { backup: null } },
    [page('')]: { body: { events: [event('41', 'MatchMvpNamed'), event('42', 'StatIncrementRecorded')], next: '41', position: '42' } },
    [page('before=41&')]: { body: { events: [event('40', 'MatchAssigned')], next: null, position: '42' } },
    [page('type=MatchMvpNamed&match=m1&')]: { body: { events: [event('41', 'MatchMvpNamed')], next: null, position: '42' } },
    [page('type=MatchMvpNamed&match=m12&')]: { body: { events: [], next: null, position: '42' } },
    '/operations/events/42': { body: { ...event('42', 'StatIncrementRecorded'), damage: null } },
    '/operations/events/41': { body: { ...event('41', 'MatchMvpNamed'), damage: 'The log is damaged at position 41: x. As the read model has it' } },
    'POST /operations/replay-parked': { body: { replayed: 2, parked: 0 } },
  });
  const site = renderSite('/superadminakakakakak');
  await site.user.click(await screen.findByRole('tab', { name: 'Operations' }));
  return { ...api, ...site, events: within(await screen.findByRole('region', { name: 'Events' })) };
};
type Section = Awaited<ReturnType<typeof open>>['events'];
const positions = (events: Section): readonly (string | null | undefined)[] =>
  events
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.firstElementChild?.textContent);

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
});

describe('the operations tab', () => {
  it('tells the version of the projections and how far they are behind', async () => {
    await open();
    expect(screen.getAllByRole('region', { name: 'Read model' })[0]).toHaveTextContent(
      'Position 40, 3 seconds behind, read-model-7.sqlite, projections a1b2c3',
    );
  });

  it('names what restores set aside, and until when it stays', async () => {
    await open();
    const section = within(screen.getByRole('region', { name: 'Set aside' }));
    expect(section.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['before-restore-20261101-101500', 'before-restore-20261120-090000']);
    expect(section.getByText(/Each is removed after 30 days/)).toBeInTheDocument();
    // Like the command line's status: what killed work left, and whose erasure waits for the log.
    expect([
      screen.getByRole('region', { name: 'Left over' }).textContent.includes('.drill-1'),
      screen.getByRole('region', { name: 'Erasures under way' }).textContent.includes('p-9'),
    ]).toEqual([true, true]);
  });

  it('replays parked streams', async () => {
    const { user, sent } = await open();
    const section = within(screen.getByRole('region', { name: 'Parked streams to replay' }));
    expect(section.getByText('no such line')).toBeInTheDocument();
    await user.click(section.getByRole('button', { name: 'Replay' }));
    await waitFor(() => {
      expect(sent.map(({ call }) => call)).toEqual(['POST /operations/replay-parked']);
    });
  });

  it('reads the log, newest first, in pages and narrowed; an event opens on a click', async () => {
    const { user, events } = await open();
    await events.findByRole('table', { name: 'Events, newest first' });
    expect(positions(events)).toEqual(['42', '41']);
    expect(events.getAllByRole('columnheader').map((head) => head.textContent)).toEqual(['Position', 'When', 'Event', 'What', 'Who']);
    expect(within(events.getByRole('row', { name: /Stat increment recorded/ })).getByText('What event 42 says')).toBeInTheDocument();
    expect(events.getAllByText('Asha Rai')).toHaveLength(2);
    await user.click(events.getByRole('button', { name: 'Stat increment recorded' }));
    const shown = await events.findByLabelText('Event 42');
    expect(JSON.parse(shown.textContent)).toEqual({ data: { points: 3 }, metadata: { actor: { role: 'admin', id: 'a1', name: 'Asha Rai' } } });
    expect(events.queryByRole('alert')).toBeNull();
    // The other one stands where the log is damaged.
    await user.click(events.getByRole('button', { name: 'Match MVP named' }));
    expect(await events.findByRole('alert')).toHaveTextContent('The log is damaged at position 41: x. As the read model has it.');
    await user.click(events.getByRole('button', { name: 'Match MVP named' }));
    await user.click(events.getByRole('button', { name: 'Older events' }));
    await waitFor(() => {
      expect(positions(events)).toEqual(['40']);
    });
    await user.click(events.getByRole('button', { name: 'Newer events' }));
    await user.selectOptions(events.getByLabelText('Event type'), 'MatchMvpNamed');
    await user.click(events.getByLabelText('Match'));
    await user.paste('m1');
    await waitFor(() => {
      expect(positions(events)).toEqual(['41']);
    });
    await user.paste('2');
    expect(await events.findByText('No such event')).toBeInTheDocument();
  });
});
