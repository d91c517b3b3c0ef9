import type { AuditAnswer, AuditLine } from '@courtledger/contracts/operations/audit.answers';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as toasts from '../lib/toasts.ts';
import { answerWith, currentAddress, renderSite } from '../testing/render-site.tsx';

const match = '0193abcd-0000-7000-8000-000000000001';
const line = (told: Partial<AuditLine>): AuditLine => ({
  position: '41',
  at: '2026-11-21T10:11:12.000Z',
  actor: { role: 'admin', id: 'a1', name: 'Asha Rai' },
  type: 'MatchRescheduled',
  what: 'Moved the match A v B',
  before: '10:00',
  after: '12:00',
  commandId: 'c1',
  cause: 'c1',
  stream: `match-${match}`,
  match_id: match,
  ...told,
});
const refused = line({
  position: null,
  at: '2025-11-21T10:11:13.000Z',
  actor: { role: 'superadmin', id: 'root', name: 'root' },
  type: 'Refused',
  what: 'Refused: move a match to another day or time (A v B)',
  before: null,
  after: null,
  reason: 'Not allowed',
  commandId: 'r1',
  cause: 'r1',
  stream: '',
});
const everything: AuditAnswer = { lines: [line({}), refused], next: '41.1763719873000.7', about: [], refusalsOf: 'all' };
const page = (query: string): string => `/audit?${query}limit=50`;

const open = async (name: string | undefined, more: Parameters<typeof answerWith>[0] = {}) => {
  localStorage.setItem('atoken', 'a.b.c');
  const ofMatch: AuditAnswer = { lines: [line({})], next: null, about: name === undefined ? [] : [{ kind: 'match', id: match, name }], refusalsOf: 'all' };
  const api = answerWith({
    '/admin/check-token': { body: { _id: 'a1', username: 'Asha Rai', email: 'asha@example.com' } },
    '/team/teams': { body: [] },
    [page('')]: { body: everything },
    [page(`match=${match}&`)]: { body: ofMatch },
    [page('before=41.1763719873000.7&')]: {
      body: { lines: [line({ position: '40', commandId: 'c0', what: 'Assigned the match A v B' })], next: null, about: [] },
    },
    ...more,
  });
  const site = renderSite('/admin');
  await site.user.click(await screen.findByRole('tab', { name: 'Audit' }));
  await screen.findByText('Moved the match A v B');
  return { ...api, ...site };
};

const labels = (row: HTMLTableRowElement | undefined): readonly (string | null)[] =>
  within(row as HTMLTableRowElement)
    .getAllByRole('cell')
    .map((cell) => cell.getAttribute('data-l'));

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the audit', () => {
  it('tells the year and the second, and labels only what stood before and after', async () => {
    const { user } = await open(undefined);
    expect(screen.getAllByRole('time').map(({ textContent }) => textContent)).toEqual(['21 Nov 2026, 15:56:12', '21 Nov 2025, 15:56:13']);
    const [fact, refusal] = ['Moved the match A v B', /^Refused: move/].map((text) => screen.getByText(text).closest('tr') as HTMLTableRowElement);
    expect([labels(fact), labels(refusal)]).toEqual([
      ['When', 'Who', 'Before', 'After'],
      ['When', 'Who', null, null],
    ]);
    expect(refusal).toHaveTextContent('Not allowed');
    const turn = async (name: 'Older' | 'Newer'): Promise<void> => {
      const button = screen.getByRole('button', { name });
      button.focus();
      await user.keyboard('{Enter}');
      // Whoever turns the pages does not begin anew at the top.
      expect(button).toHaveFocus();
    };
    await turn('Newer');
    await turn('Older');
    expect(await screen.findByText('Assigned the match A v B')).toBeInTheDocument();
    await turn('Newer');
    expect(await screen.findByText(/^Refused: move/)).toBeInTheDocument();
  });

  it('says where refused commands are those of one gateway', async () => {
    const said = 'Refused commands are those that came to this gateway: each keeps its own.';
    await open(undefined);
    expect(screen.queryByText(said)).not.toBeInTheDocument();
    cleanup();
    await open(undefined, { [page('')]: { body: { ...everything, refusalsOf: 'this-gateway' } } });
    expect(await screen.findByText(said)).toBeInTheDocument();
  });

  it('says that nothing is of that kind, and of a page only where there are others', async () => {
    const nothing = { lines: [], next: null, about: [] };
    const { user } = await open(undefined, {
      [page('type=Refused&')]: { body: nothing },
      [page('type=MatchCancelled&')]: { body: { ...nothing, next: '7' } },
      [page('type=MatchCancelled&before=7&')]: { body: nothing },
    });
    await user.selectOptions(screen.getByLabelText('What'), 'Refused');
    expect(await screen.findByText('Nothing of that kind')).toBeInTheDocument();
    await user.selectOptions(screen.getByLabelText('What'), 'MatchCancelled');
    expect(await screen.findByText('Nothing of that kind on this page')).toBeInTheDocument();
    const older = screen.getByRole('button', { name: 'Older' });
    await user.click(older);
    await waitFor(() => {
      expect(older).toHaveAccessibleDescription('There is no older page.');
    });
    // Said of a locked button alone: read by itself it would be of no page.
    expect(screen.getByText('This is the newest page.')).not.toBeVisible();
    expect([older.getAttribute('aria-disabled'), screen.getByRole('button', { name: 'Newer' }).getAttribute('aria-disabled')]).toEqual(['true', 'false']);
    // The last page, with newer ones before it.
    expect(await screen.findByText('Nothing of that kind on this page')).toBeInTheDocument();
  });

  it.each([
    ['A v B', 'Only one match: A v B'],
    [undefined, `Only one match: ${match}`],
  ])('names what it is narrowed to: %s', async (name, told) => {
    const { user } = await open(name);
    await user.click(screen.getAllByRole('button', { name: 'Only this match', hidden: true })[0] as HTMLElement);
    expect(await screen.findByText((_, element) => element?.tagName === 'OUTPUT' && element.textContent === told)).toBeInTheDocument();
  });

  it('narrows a move to either player, and to the other team only where there is one', async () => {
    const moved = { type: 'StatEntryMoved', team_id: 't1', player_id: 'p1', from_team_id: 't1', from_player_id: 'p2' };
    const two = {
      lines: [line({ ...moved, what: 'Moved 2 points' }), line({ ...moved, commandId: 'c2', what: 'Moved 3 points', from_team_id: 't2' })],
      next: null,
      about: [],
    };
    const { user } = await open(undefined, {
      [page('type=StatEntryMoved&')]: { body: two },
      [page('type=StatEntryMoved&player=p2&')]: { body: { ...two, about: [{ kind: 'player', id: 'p2', name: 'Bina' }] } },
    });
    await user.selectOptions(screen.getByLabelText('What'), 'StatEntryMoved');
    const rows = [await screen.findByText('Moved 2 points'), screen.getByText('Moved 3 points')].map((text) => text.closest('tr') as HTMLTableRowElement);
    const both = ['Only this match', 'Only this player', 'Only this team', 'Only the player it was taken from'];
    expect(
      rows.map((row) =>
        within(row)
          .getAllByRole('button', { hidden: true })
          .map(({ textContent }) => textContent),
      ),
    ).toEqual([both, [...both, 'Only the team it was taken from']]);
    await user.click(screen.getAllByRole('button', { name: 'Only the player it was taken from', hidden: true })[0] as HTMLElement);
    expect(await screen.findByText((_, element) => element?.tagName === 'OUTPUT' && element.textContent === 'Only one player: Bina')).toBeInTheDocument();
  });

  it('keeps in the address what it is narrowed to, and begins there when the page is loaded again', async () => {
    const { user } = await open('A v B');
    await user.click(screen.getAllByRole('button', { name: 'Only this match', hidden: true })[0] as HTMLElement);
    expect(document.activeElement?.textContent).toMatch(/^Only one match: /);
    await waitFor(() => {
      expect(currentAddress()).toBe(`/admin?tab=audit&match=${match}`);
    });
    cleanup();
    renderSite(`/admin?tab=audit&match=${match}`);
    await user.click(await screen.findByRole('button', { name: 'Show everything' }));
    expect(screen.getByText('Everything', { selector: 'output' })).toHaveFocus();
    await waitFor(() => {
      expect(currentAddress()).toBe('/admin?tab=audit');
    });
    expect(await screen.findByText(/^Refused: move/)).toBeInTheDocument();
  });

  it('keeps in the address what it is filtered by, and begins with that when the page is loaded again', async () => {
    const filtered = {
      [page('type=Refused&actor=asha&')]: { body: { lines: [line({ type: 'Refused', what: 'Refused: take back an entry' })], next: null, about: [] } },
    };
    const { user } = await open(undefined, filtered);
    await user.selectOptions(screen.getByLabelText('What'), 'Refused');
    await user.type(screen.getByLabelText('Who'), 'asha');
    await waitFor(() => {
      expect(currentAddress()).toBe('/admin?tab=audit&type=Refused&actor=asha');
    });
    cleanup();
    renderSite('/admin?tab=audit&type=Refused&actor=asha');
    expect(await screen.findByText('Refused: take back an entry')).toBeInTheDocument();
    expect([screen.getByLabelText<HTMLSelectElement>('What').value, screen.getByLabelText<HTMLInputElement>('Who').value]).toEqual(['Refused', 'asha']);
  });

  it.each(['admin=somebody', 'match='])('is of everything where the address narrows it to nothing that an admin can ask for: %s', async (query) => {
    await open(undefined);
    cleanup();
    renderSite(`/admin?tab=audit&${query}`);
    expect(await screen.findByText(/^Refused: move/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Show everything' })).not.toBeInTheDocument();
  });

  it('saves the lines as a file while the login stands', async () => {
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
      saved.push(`${this.pathname}${this.search}`);
    });
    const { user } = await open(undefined);
    await user.click(screen.getByRole('link', { name: 'CSV' }));
    await waitFor(() => {
      expect(saved).toEqual(['/api/audit.csv']);
    });
  });

  it.each([
    [{ status: 401, body: { message: 'Your login has expired, please log in again' } }, '/adminlogin', 'Your login has expired, please log in again'],
    [{ lost: true }, '/admin?tab=audit', 'The server does not answer'],
  ])('says why the file does not come: %o', async (answer, address, said) => {
    const told = vi.spyOn(toasts, 'toastError');
    const save = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    const { user } = await open(undefined);
    answerWith({ '/admin/check-token': answer });
    await user.click(screen.getByRole('link', { name: 'CSV' }));
    await waitFor(() => {
      expect(currentAddress()).toBe(address);
      expect(told.mock.lastCall?.[0] ?? screen.queryByRole('alert')?.textContent).toBe(said);
    });
    expect(save).not.toHaveBeenCalled();
  });
});
