import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answerWith, renderSite } from '../testing/render-site.tsx';

const status = {
  time: '2026-11-21T10:12:00.000Z', startedAt: '2026-11-21T09:00:00.000Z', store: 'sqlite', log: { head: '42', refusal: null, writeAheadBytes: 0, writeAheadAlarm: false },
  readModel: { file: 'read-model-7.sqlite', position: '42', lagEvents: 0, lagMore: false, lagSeconds: 0, ratePerSecond: 5, error: null, parked: [{ stream: 'match-m9', events: 2, position: '41', type: 'StatIncrementRecorded', error: 'no such line', time: '2026-11-21T10:11:00.000Z' }], version: 'a1b2c3', files: [] },
  sizes: { log: 1, readModels: 1, media: 1, documents: 1, keys: 1, refusals: 1, freeDisk: 1 }, job: null, lastBackup: null, setAside: ['before-restore-20261101-101500'], leftovers: [], pendingErasures: [], pendingErasuresWaitFor: null, lastVerification: null,
  backups: { folder: 'backups', windowMinutes: 15, kept: 0, newest: null, unsavedSeconds: null, overdue: false, failure: null },
};
const job = { id: 'j1', kind: 'rebuild', state: 'running', phase: 'folding', startedAt: '2026-11-21T10:00:00.000Z', endedAt: null, file: 'read-model-8.sqlite', resumed: false, events: 21, position: '21', until: '42', ratePerSecond: 7, secondsLeft: 3, error: null, diff: null };

const open = async (more: object = {}) => {
  localStorage.setItem('stoken', 'a.b.c');
  const api = answerWith({
    '/superadmin/check-token': { body: [] }, '/superadmin/get-admins': { body: [] }, '/operations/status': { body: status },
    '/operations/rebuild': { body: { job: { ...job, ...more } } }, '/operations/verify-log': { body: { verification: null } }, '/operations/backup': { body: { backup: null } },
    '/operations/events?limit=20': { body: { events: [], next: null, position: '42' } },
  });
  const site = renderSite('/superadminakakakakak');
  await site.user.click(await screen.findByRole('tab', { name: 'Operations' }));
  return { ...api, user: site.user, events: within(await screen.findByRole('region', { name: 'Events' })) };
};

beforeEach(() => {
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
    expect(names).toEqual(expect.arrayContaining(['Log', 'Verify the log', 'Read model', 'Rebuild the read model', 'Parked streams', 'Parked streams to replay']));
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
