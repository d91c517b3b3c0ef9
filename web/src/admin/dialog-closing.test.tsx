import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answerWith, renderSite } from '../testing/render-site.tsx';
import { adminPlayer, adminTournament, correctionPreview, enteredTeam, historyEntry, listedMatch, team, tournamentRequest } from '../testing/staff-builder.ts';

type Answers = Parameters<typeof answerWith>[0];
const request = tournamentRequest();
const entry = historyEntry({ player_id: '1', runningTotal: { points: 12, assists: 3, rebounds: 5 } });

const open = (answers: Answers = {}) => {
  localStorage.setItem('atoken', 'a.b.c');
  const api = answerWith({
    '/admin/check-token': { body: { _id: 'a1', username: 'pema', email: 'pema@example.com' } },
    '/tournaments/admin-tournaments': { body: [adminTournament()] },
    '/tournaments/t1': { body: { ...adminTournament(), teams: [enteredTeam('k', 'Kathmandu Kings'), enteredTeam('p', 'Pokhara Panthers')], matches: [] } },
    '/team/teams': { body: [team('k', 'Kathmandu Kings')] },
    '/match/matches': { body: [listedMatch(), listedMatch({ matchId: 'm2', team2Name: 'Biratnagar Bulls' })] },
    '/match/matches/m1/history': { body: [entry] },
    '/player/getAllPlayers': { body: [adminPlayer()] },
    '/tournaments/requests': { body: [request] },
    ...answers,
  });
  return { ...api, ...renderSite('/admin') };
};
type Site = ReturnType<typeof open>;
const openDialog = async ({ user }: Pick<Site, 'user'>, tab: string, button: string) => {
  await user.click(await screen.findByRole('tab', { name: tab }));
  await user.click(await screen.findByRole('button', { name: button }));
  return within(await screen.findByRole('dialog'));
};
const points = 'Add points, Suyog Maharjan';
const type = (label: string, value: string): void => {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
};
const pressBeside = async ({ user }: Pick<Site, 'user'>): Promise<void> => {
  const beside = document.querySelector('.mantine-Modal-overlay');
  if (!beside) throw new Error('no room beside the dialog');
  await user.click(beside);
};
/** What a mouse or a finger does: the second click is on whatever has come to stand there. */
const clickTwice = (first: HTMLElement, second: () => HTMLElement): void => {
  fireEvent.click(first, { detail: 1 });
  fireEvent.click(second(), { detail: 2 });
};
const title = (): string | undefined => document.querySelector('[role=dialog] .modal__t')?.textContent;
/** Whether the browser would ask before it leaves the page. */
const isAsked = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
const editMatch = 'Edit Kathmandu Kings, Pokhara Panthers';

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
});

describe('a dialog whose command is under way', () => {
  it.each([
    ['Escape', (site: Site) => site.user.keyboard('{Escape}')],
    ['a press beside it', pressBeside],
    ['Close', (site: Site) => site.user.click(screen.getByRole('button', { name: 'Close' }))],
    ['its cross', (site: Site) => site.user.click(screen.getByRole('button', { name: 'Close dialog' }))],
  ])('is not closed by %s, and says why; its answer closes it', async (_, leave) => {
    const answer = Promise.withResolvers<void>();
    const site = open({ 'POST /match/match/update': { body: {}, after: answer.promise } });
    const dialog = await openDialog(site, 'Matches', editMatch);
    type(points, '10');
    await site.user.click(dialog.getByRole('button', { name: 'Update Match' }));
    await leave(site);
    expect(title()).toBe('Update Match');
    expect(dialog.getByText('Not done yet. This stays open until the answer is there.').closest('output')).toBeInTheDocument();
    expect(dialog.getByRole('button', { name: 'Saving...' })).toHaveAttribute('aria-disabled', 'true');
    expect(
      [dialog.getByRole('button', { name: 'Close' }), dialog.getByRole('button', { name: 'Close dialog' })].map((button) =>
        button.getAttribute('aria-disabled'),
      ),
    ).toEqual(['true', 'true']);
    answer.resolve();
    expect(await screen.findByText('Match updated successfully')).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(site.sent).toHaveLength(1);
  });

  it('can be closed again once it failed, and no longer says that it is under way', async () => {
    const answer = Promise.withResolvers<void>();
    const site = open({ 'POST /match/match/update': { status: 500, body: {}, after: answer.promise } });
    const dialog = await openDialog(site, 'Matches', editMatch);
    type(points, '10');
    await site.user.click(dialog.getByRole('button', { name: 'Update Match' }));
    await site.user.keyboard('{Escape}');
    answer.resolve();
    expect(await dialog.findByRole('alert')).toHaveTextContent('Match not updated successfully');
    expect(dialog.queryByText(/^Not done yet/)).not.toBeInTheDocument();
    await site.user.keyboard('{Escape}');
    await site.user.click(dialog.getByRole('button', { name: 'Discard' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('holds for a correction inside the history as well', async () => {
    const site = open({
      'POST /match/matches/m1/stat-entries/e1/reversal/preview': { body: correctionPreview() },
      'POST /match/matches/m1/stat-entries/e1/reversal': { pending: true },
    });
    const dialog = await openDialog(site, 'Matches', 'History Kathmandu Kings, Pokhara Panthers');
    await site.user.click(await dialog.findByRole('button', { name: /^Correct/ }));
    await site.user.type(dialog.getByRole('textbox'), 'Wrong player');
    await dialog.findByText(/^What it would change in/);
    await site.user.click(dialog.getByRole('button', { name: 'Take back' }));
    await site.user.keyboard('{Escape}');
    await site.user.click(dialog.getByRole('button', { name: 'Leave it as it is' }));
    expect(dialog.getByRole('button', { name: 'Taking back...' })).toBeInTheDocument();
    expect(dialog.getByText(/^Not done yet/)).toBeInTheDocument();
  });
});

describe('a dialog in which something was typed', () => {
  const change = {
    'Update Match': () => {
      type(points, '-');
    },
    'Edit Team': () => {
      type('Team name', 'Kings of Kathmandu');
    },
    'Edit Player': () => {
      type('Player name', 'Suyog');
    },
    'Edit Tournament': () => {
      type('Name', 'Cup');
    },
    'Create Tournament': () => {
      type('Name', 'Cup');
    },
    'Assign Match': async ({ user }: Site) => {
      await user.click(await screen.findByRole('button', { name: 'Kathmandu Kings' }));
    },
    'Match Settings': () => {
      type('Match time (optional)', '9:00');
    },
    'Koshi Open': () => {
      type('Note (optional)', 'Welcome');
    },
    'Match History': async ({ user }: Site) => {
      await user.click(await screen.findByRole('button', { name: /^Correct/ }));
      await user.type(screen.getByRole('textbox'), 'Wrong');
    },
  } as const;
  const dialogs = [
    ['Update Match', 'Matches', editMatch],
    ['Edit Team', 'Teams', 'Edit Kathmandu Kings'],
    ['Edit Player', 'Players', 'Edit Suyog Maharjan'],
    ['Edit Tournament', 'Tournaments', 'Edit Valley Winter Classic 2083'],
    ['Create Tournament', 'Tournaments', 'Create Tournament'],
    ['Assign Match', 'Tournaments', 'Add Match to Valley Winter Classic 2083'],
    ['Match Settings', 'Matches', 'Settings Kathmandu Kings, Pokhara Panthers'],
    ['Koshi Open', 'Requests', 'View Koshi Open'],
    ['Match History', 'Matches', 'History Kathmandu Kings, Pokhara Panthers'],
  ] as const;

  it.each(dialogs)('%s asks before it is discarded by Escape, and closes at once where nothing was typed', async (name, tab, button) => {
    const site = open();
    await openDialog(site, tab, button);
    expect(title()).toBe(name);
    await site.user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    const dialog = await openDialog(site, tab, button);
    await change[name](site);
    await site.user.keyboard('{Escape}');
    const question = within(dialog.getByRole('group', { name: 'Discard what you typed?' }));
    expect(question.getByRole('button', { name: 'Keep editing' })).toHaveFocus();
    await site.user.click(question.getByRole('button', { name: 'Discard' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it.each([
    ['a press beside it', pressBeside],
    ['Close', (site: Site) => site.user.click(screen.getByRole('button', { name: 'Close' }))],
    ['its cross', (site: Site) => site.user.click(screen.getByRole('button', { name: 'Close dialog' }))],
  ])('asks upon %s too; Keep editing keeps everything, and the focus', async (_, leave) => {
    const site = open();
    const dialog = await openDialog(site, 'Matches', editMatch);
    const field = dialog.getByLabelText(points);
    await site.user.type(field, '7');
    await leave(site);
    await site.user.click(dialog.getByRole('button', { name: 'Keep editing' }));
    expect(dialog.queryByText('Discard what you typed?')).not.toBeInTheDocument();
    expect(field).toHaveValue('7');
    await waitFor(() => {
      expect(document.activeElement?.closest('[role=dialog]')).not.toBeNull();
    });
  });

  it('has the browser ask before the page is left, as long as something is typed', async () => {
    const site = open();
    const dialog = await openDialog(site, 'Matches', editMatch);
    const before = isAsked();
    await site.user.type(dialog.getByLabelText(points), '7');
    const typed = isAsked();
    await site.user.keyboard('{Escape}');
    await site.user.click(dialog.getByRole('button', { name: 'Discard' }));
    expect([before, typed, isAsked()]).toEqual([false, true, false]);
  });

  it('keeps the focus on the two answers; Escape keeps what was typed, and the focus goes back to it', async () => {
    const site = open();
    const dialog = await openDialog(site, 'Matches', editMatch);
    const field = dialog.getByLabelText(points);
    await site.user.type(field, '7');
    await site.user.keyboard('{Escape}');
    const [keep, discard] = [dialog.getByRole('button', { name: 'Keep editing' }), dialog.getByRole('button', { name: 'Discard' })];
    for (const [keys, focused] of [
      ['{Tab}', discard],
      ['{Tab}', keep],
      ['{Shift>}{Tab}{/Shift}', discard],
    ] as const) {
      await site.user.keyboard(keys);
      expect(focused).toHaveFocus();
    }
    await pressBeside(site);
    expect(keep).toBeInTheDocument();
    await site.user.keyboard('{Escape}');
    expect(keep).not.toBeInTheDocument();
    await waitFor(() => {
      expect(field).toHaveFocus();
    });
    expect(field).toHaveValue('7');
  });
});

describe('the second click of a double click', () => {
  it('that opened a dialog presses nothing in it; the next click does', async () => {
    const site = open({ 'PUT /tournaments/requests/r1': { body: request } });
    await site.user.click(await screen.findByRole('tab', { name: 'Requests' }));
    clickTwice(await screen.findByRole('button', { name: 'View Koshi Open' }), () => screen.getByRole('button', { name: 'Accept' }));
    expect(site.sent).toEqual([]);
    await site.user.click(screen.getByRole('button', { name: 'Accept' }));
    expect(site.sent.map(({ body }) => body)).toEqual([{ status: 'accepted', note: '' }]);
  });

  it('that closed a dialog presses nothing under it; a double click after that is one', async () => {
    const site = open({ 'POST /admin/logout': { status: 204 } });
    const dialog = await openDialog(site, 'Requests', 'View Koshi Open');
    clickTwice(dialog.getByRole('button', { name: 'Close dialog' }), () => screen.getByRole('button', { name: 'Log out' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(screen.getByRole('tab', { name: 'Requests' })).toBeInTheDocument();
    await site.user.dblClick(screen.getByRole('tab', { name: 'Players' }));
    expect(screen.getByRole('tab', { name: 'Players' })).toHaveAttribute('aria-selected', 'true');
    expect(site.sent).toEqual([]);
  });
});
