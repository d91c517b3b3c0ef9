import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { toastError, toastSuccess } from '../lib/toasts.ts';
import { emptyDraft } from '../team/register-team-draft.ts';
import { answerWith, currentAddress, goBack, renderSite } from '../testing/render-site.tsx';
import { tournament } from '../testing/tournament-builder.ts';
import { activeLink } from './navigation.ts';
import { paths, showsFooter, showsHeader } from './paths.ts';

const lists = {
  '/tournaments': { body: { allTournaments: [tournament(), tournament({ _id: 't2', name: 'Terai Night League' })], upcomingTournaments: [] } },
  '/tournaments/t2/matches': { body: { dates: [], matches: [] } },
};
const open = (path: string) => {
  answerWith(lists);
  return renderSite(path);
};

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
});

describe('where header and footer stand', () => {
  it('on every page but the dashboards and logins; no footer on the landing page', () => {
    const shown = Object.values(paths).map(({ pattern }) => [pattern, showsHeader(pattern), showsFooter(pattern)] as const);
    const hidden = new Set<string>(['/superadmin8080808080', '/superadminakakakakak', '/adminlogin', '/admin']);
    for (const [pattern, header, footer] of shown) {
      expect([pattern, header]).toEqual([pattern, !hidden.has(pattern)]);
      expect([pattern, footer]).toEqual([pattern, !hidden.has(pattern) && pattern !== '/']);
    }
    // The specification's routes are all there, to the letter; a page of our own may stand beside them.
    expect(shown.map(([pattern]) => pattern)).toEqual(
      expect.arrayContaining([
        '/',
        '/events',
        '/upcoming',
        '/about',
        '/superadmin8080808080',
        '/superadminakakakakak',
        '/adminlogin',
        '/admin',
        '/card',
        '/tournament/:id',
        '/player/:id',
        '/standings/:id',
        '/ViewPlayers/:id',
        '/MatchDetails/:matchId',
        '/register',
        '/registerteam/:id',
      ]),
    );
    expect([showsHeader('/admin/'), showsFooter('/adminlogin/')]).toEqual([false, false]);
  });

  it.each(['/AdminLogin', '/ADMIN/', '/SuperAdmin8080808080', '/superadminAKAKAKAKAK/'])(
    '%s is the same page to the router: neither stands there',
    (pathname) => {
      expect([showsHeader(pathname), showsFooter(pathname)]).toEqual([false, false]);
    },
  );
});

describe('the navigation bar', () => {
  it('has four links and highlights the active one', async () => {
    open('/about');
    const links = within(await screen.findByRole('navigation', { name: 'Main' })).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('aria-current')])).toEqual([
      ['HOME', '/', null],
      ['GAMES', '/events', null],
      ['UPCOMING', '/upcoming', null],
      ['ABOUT US', '/about', 'page'],
    ]);
  });

  it.each([
    ['/', 'HOME'],
    ['/events', 'GAMES'],
    ['/events/', 'GAMES'],
    ['/Events', 'GAMES'],
    ['/viewplayers/M1', 'GAMES'],
    ['/matchdetails/M1/', 'GAMES'],
    ['/standings/T1', 'GAMES'],
    ['/Player/P1', 'GAMES'],
    ['/tournament/T1', 'GAMES'],
    ['/card', 'GAMES'],
    ['/upcoming/', 'UPCOMING'],
    ['/register', 'UPCOMING'],
    ['/RegisterTeam/T1', 'UPCOMING'],
    ['/About', 'ABOUT US'],
    ['/verify', undefined],
    ['/no/such/page', undefined],
  ])('%s highlights %s', (pathname, title) => {
    expect(activeLink(pathname)?.title).toBe(title);
  });

  it("searches tournaments: what matches, or 'No tournaments found'; choosing saves it and opens the games", async () => {
    const { user } = open('/about');
    const field = await screen.findByRole('combobox', { name: 'Search tournaments' });
    expect(field).toHaveAttribute('placeholder', 'Search tournaments');
    await user.type(field, 'zzz');
    expect(await screen.findByText('No tournaments found')).toBeInTheDocument();
    await user.clear(field);
    await user.type(field, 'night');
    await user.click(await screen.findByRole('option', { name: /Terai Night League/ }));
    await waitFor(() => {
      expect(currentAddress()).toBe('/events?tournament=t2');
    });
    expect(localStorage.getItem('selectedTournament')).toBe('t2');
    expect(await screen.findByRole('combobox', { name: 'Tournament' })).toHaveValue('t2');
  });

  it('can be searched by keyboard', async () => {
    const { user } = open('/about');
    await user.type(await screen.findByRole('combobox', { name: 'Search tournaments' }), 'kathmandu');
    expect(await screen.findAllByRole('option')).toHaveLength(2);
    await user.keyboard('{ArrowDown}');
    expect(screen.getByRole('option', { selected: true })).toHaveTextContent('Terai Night League');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('option')).not.toBeInTheDocument();
    await user.keyboard('{ArrowDown}{Enter}');
    await waitFor(() => {
      expect(currentAddress()).toMatch(/^\/events\?tournament=t/);
    });
  });
});

const fields = (): readonly HTMLElement[] => screen.getAllByRole('combobox', { name: 'Search tournaments' });
const openRow = async (path: string) => {
  const { user } = open(path);
  const button = await screen.findByRole('button', { name: 'Search tournaments' });
  await user.click(button);
  return { user, button };
};

describe('where the focus is after a search', () => {
  it('on the button of the row that is closed by Escape', async () => {
    const { user, button } = await openRow('/about');
    expect(fields()[1]).toHaveFocus();
    await user.keyboard('{Escape}');
    expect(fields()).toHaveLength(1);
    expect(button).toHaveFocus();
  });

  it.each(['/about', '/events', '/Events/'])('on the content, when a tournament was chosen in the row at %s', async (path) => {
    const { user } = await openRow(path);
    await user.keyboard('night');
    await screen.findByRole('listbox', { name: 'Matching tournaments' });
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('combobox', { name: 'Tournament' })).toHaveValue('t2');
    expect(fields()).toHaveLength(1);
    await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
  });
});

it('says that the tournaments could not be loaded, not that there are none; asks again when the search is entered again', async () => {
  answerWith({ '/tournaments': { status: 503, body: { message: 'Busy' } } });
  const { user } = renderSite('/about');
  const field = await screen.findByRole('combobox', { name: 'Search tournaments' });
  await user.type(field, 'night');
  expect((await screen.findByText(/tournaments/i, { selector: 'output' })).textContent).toBe('The tournaments could not be loaded.');
  await user.tab();
  answerWith(lists);
  await user.type(field, 's');
  expect(await screen.findByText('No tournaments found')).toBeInTheDocument();
  await user.type(field, '{Backspace}');
  expect(screen.getByRole('option')).toHaveTextContent('Terai Night League');
});

/** jsdom knows the element but not how to open it over the page. */
function showModal(this: HTMLDialogElement): void {
  this.open = true;
}
/** As a browser does: it tells of it a moment later. */
function close(this: HTMLDialogElement): void {
  this.open = false;
  setTimeout(() => {
    this.dispatchEvent(new Event('close'));
  });
}
const openMenu = async () => {
  Object.assign(HTMLDialogElement.prototype, { showModal, close });
  const { user } = open('/about');
  await user.click(await screen.findByRole('button', { name: 'Open menu' }));
  return { user, menu: await screen.findByRole('dialog', { name: 'Menu' }) };
};
const menuLinks = (menu: HTMLElement): readonly (string | null)[] =>
  within(within(menu).getByRole('list'))
    .getAllByRole('link')
    .map((link) => link.textContent);

describe('the menu of a phone', () => {
  it('has the four links and closes when another page opens', async () => {
    const { user, menu } = await openMenu();
    expect(menuLinks(menu)).toEqual(['HOME', 'GAMES', 'UPCOMING', 'ABOUT US']);
    await user.click(within(menu).getByRole('link', { name: 'UPCOMING' }));
    expect(currentAddress()).toBe('/upcoming');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    goBack();
    expect(currentAddress()).toBe('/about');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('closes on a click outside its links', async () => {
    const { user, menu } = await openMenu();
    await user.click(menu);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(currentAddress()).toBe('/about');
  });

  it('stays open when it is opened again before the browser has told that it was closed', async () => {
    const { menu } = await openMenu();
    const told = new Promise((resolve) => {
      menu.addEventListener('close', resolve);
    });
    act(() => {
      within(menu).getByRole('button', { name: 'Close menu' }).click();
      screen.getByRole('button', { name: 'Open menu' }).click();
    });
    await act(() => told);
    expect(screen.getByRole('dialog', { name: 'Menu' })).toHaveAttribute('open');
  });
});

describe('the footer', () => {
  it('has the quick links and the current year', async () => {
    open('/about');
    const footer = within(await screen.findByRole('contentinfo'));
    const links = within(footer.getByRole('navigation', { name: 'Quick links' })).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Home', '/'],
      ['Register Your Team', '/upcoming'],
      ['Tournaments', '/events'],
      ['About Us', '/about'],
    ]);
    expect(footer.getByText(`© ${kathmanduDay(Date.now()).slice(0, 4)} CourtLedger. All rights reserved.`)).toBeInTheDocument();
    expect(footer.getByText(/Basketball tournaments, news and community engagement/)).toBeInTheDocument();
  });

  it('goes on with the year on a page that stays open', async () => {
    vi.useFakeTimers({ now: Date.parse('2030-12-31T23:59:00+05:45'), toFake: ['Date', 'setInterval', 'clearInterval'] });
    open('/no/such/page');
    const footer = await screen.findByRole('contentinfo');
    expect(footer).toHaveTextContent('© 2030');
    act(() => {
      vi.advanceTimersByTime(60_000);
    });
    expect(footer).toHaveTextContent('© 2031');
    vi.useRealTimers();
  });
});

it('says what the site is for, in two paragraphs', async () => {
  open('/about');
  expect(await screen.findByText(/central platform for tracking player performance and tournament updates in Nepal/)).toBeInTheDocument();
  expect(screen.getByText(/start with basketball and aim to cover all sports/)).toBeInTheDocument();
});

it("shows 'Out of bounds' where there is no page", async () => {
  open('/no/such/page');
  expect(await screen.findByRole('heading', { name: 'Out of bounds' })).toBeInTheDocument();
  expect(document.title).toBe('Out of bounds · CourtLedger');
  expect(screen.getByRole('link', { name: 'Back to the home page' })).toHaveAttribute('href', '/');
});

it('forgets what is left of a registration whose day is over, whichever page is opened', async () => {
  localStorage.setItem('team-registration-t1', JSON.stringify({ ...emptyDraft(), since: 0 }));
  const young = JSON.stringify(emptyDraft());
  localStorage.setItem('team-registration-t2', young);
  open('/about');
  await waitFor(() => {
    expect(localStorage.getItem('team-registration-t1')).toBeNull();
  });
  expect(localStorage.getItem('team-registration-t2')).toBe(young);
});

const shows = (): readonly boolean[] => [screen.queryByText('Saved') !== null, screen.queryByText('Failed') !== null];
const pass = (ms: number): void => {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
};

describe('toasts', () => {
  it('stay 3 seconds for a success, 5 for an error', async () => {
    open('/no/such/page');
    await screen.findByRole('heading', { name: 'Out of bounds' });
    vi.useFakeTimers();
    try {
      act(() => {
        toastSuccess('Saved');
        toastError('Failed');
      });
      expect(shows()).toEqual([true, true]);
      pass(2999);
      expect(shows()).toEqual([true, true]);
      pass(2);
      expect(shows()).toEqual([false, true]);
      pass(1998);
      expect(shows()).toEqual([false, true]);
      pass(2);
      expect(shows()).toEqual([false, false]);
    } finally {
      vi.useRealTimers();
    }
  });
});

it('leads past the navigation to the content, and leaves no step in the history', async () => {
  answerWith({});
  const { user } = renderSite('/about');
  const before = window.history.length;
  await user.click(screen.getByRole('link', { name: 'Skip to content' }));
  expect(screen.getByRole('main')).toHaveFocus();
  expect([window.history.length, window.location.hash]).toEqual([before, '']);
});
