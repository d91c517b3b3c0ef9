import { expect, type APIRequestContext, type Page } from '@playwright/test';
import { test } from './journey.ts';
import { picture } from './pictures.ts';
import { logIn } from './site.ts';
import { makeAdmin, superAdmin } from './staff.ts';

/**
 * Stored scripts (row S30 of the faults list): a canary in every text that somebody may send, and every page opened in a browser. Shown as text it does
 * nothing; taken for markup it would run, or be stopped by the content security policy, and both are noted.
 */

const script = (at: string): string => `</script></title>"><img src=x onerror="__ran('${at}')"><script>__ran('${at}')</script>`;
/** For texts of at most 60 letters. */
const short = (at: string): string => `</script>"><img src=x onerror="__ran('${at}')">`;
const link = "javascript:__ran('link')";
const shown = '<img src=x onerror=';

/** What ran, what was stopped, and what asked. */
const watchScripts = async (page: Page): Promise<string[]> => {
  const found: string[] = [];
  page.on('dialog', (dialog) => {
    found.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.exposeFunction('__ran', (at: string) => void found.push(`ran: ${at}`));
  await page.exposeFunction('__stopped', (what: string) => void found.push(`stopped: ${what}`));
  await page.addInitScript(
    "document.addEventListener('securitypolicyviolation', (event) => { window.__stopped(`${event.effectiveDirective} ${event.sourceFile} ${event.sample}`); });",
  );
  return found;
};

const plant = async (request: APIRequestContext) => {
  const staff = await makeAdmin(request);
  const headers = { Authorization: `Bearer ${staff.token}` };
  const image = { name: 'picture.png', mimeType: 'image/png', buffer: picture(90, 90) };
  const send = async (
    method: 'post' | 'put',
    path: string,
    given: Parameters<APIRequestContext['post']>[1],
    as = headers,
  ): Promise<Record<string, unknown>> => {
    const answer = await request[method](path, { headers: as, ...given });
    if (!answer.ok()) throw new Error(`${path} answered ${String(answer.status())}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const tournament = async (registerable: string): Promise<string> => {
    const made = await send('post', '/api/tournaments/create-tournament', {
      multipart: {
        name: script('tournament'),
        eventName: script('event'),
        location: link,
        'organizer[name]': script('organizer'),
        'organizer[phoneNumber]': '01-5970456',
        startDate: '2099-01-10',
        endDate: '2099-01-20',
        registeringStartDate: '2026-01-01',
        'prizePool[firstPrize]': short('first'),
        'prizePool[secondPrize]': '25000',
        'prizePool[thirdPrize]': '10000',
        'prizePool[mvp]': '5000',
        'prizePool[entryFee]': short('fee'),
        registerable,
        league: 'true',
        posterImage: image,
        organizerImage: image,
      },
    });
    return String(made['_id']);
  };
  const closed = await tournament(short('register'));
  const open = await tournament('true');
  const team = async (at: string) => {
    const { _id } = await send('post', '/api/team/create-team-step-1', {
      multipart: { name: script(at), origin: script('origin'), teamPrimaryNumber: '9800000011', logo: image },
    });
    const teamId = String(_id);
    await send('post', '/api/team/add-coach-details', {
      multipart: { teamId, coachname: script('coach'), coachphoneNumber: '9800000012', contact_number_2: '9800000013', coachImage: image },
    });
    const players: string[] = [];
    for (let number = 0; number < 4; number += 1) {
      const player = await send('post', '/api/team/add-single-player-to-team', {
        multipart: {
          name: script(`player${String(number)}`),
          mobileNumber: '9800000100',
          currentTeam: teamId,
          height: '188',
          weight: '80',
          age: '24',
          jerseyNumber: String(number),
          image,
          document: image,
        },
      });
      players.push(String(player['_id']));
    }
    await send('post', '/api/tournaments/assign-team-to-tournament', { data: { tournamentId: open, teamId } });
    return { teamId, players };
  };
  const [home, guests] = [await team('home'), await team('guests')];
  const match = async (matchDate: string): Promise<string> => {
    const made = await send('post', '/api/tournaments/create-match-and-save-to-tournament', {
      data: { teamAId: home.teamId, teamBId: guests.teamId, tournamentId: open, matchTime: '15:00', matchDate },
    });
    return (made['match'] as { _id: string })._id;
  };
  const [played, next] = [await match('2026-11-02'), await match('2099-01-12')];
  // The newest of all results, for the cards.
  const newest = await match('2099-01-11');
  await send('post', `/api/match/matches/${newest}/stat-entries`, { data: { entryId: 'newest', playerId: home.players[0], points: 2 } });
  for (const [entryId, playerId, points] of [
    ['one', home.players[0], 12],
    ['two', guests.players[0], 9],
    ['three', home.players[1], 3],
  ] as const)
    await send('post', `/api/match/matches/${played}/stat-entries`, { data: { entryId, playerId, points } });
  await send('post', `/api/match/matches/${played}/stat-entries/three/reversal`, { data: { reason: script('reason') } });
  const asked = await send('post', '/api/tournaments/requests', {
    multipart: {
      tournamentName: script('request'),
      contactPhone1: '9800000000',
      contactPhone2: '9800000001',
      organizerName: script('requester'),
      location: link,
      prizePool: script('pool'),
    },
  });
  await send('put', `/api/tournaments/requests/${String(asked['_id'])}`, { data: { status: 'accepted', note: script('note') } });
  const { token } = await send('post', '/api/superadmin/login', { data: superAdmin }, { Authorization: '' });
  const asSuperAdmin = { Authorization: `Bearer ${String(token)}` };
  await send(
    'post',
    '/api/superadmin/create-admin',
    { data: { username: script('admin'), email: 'canary@example.com', password: 'a-courtside-password-94', phoneNumber: '9800000003' } },
    asSuperAdmin,
  );
  await send('post', '/api/operations/erase-person', { data: { personId: guests.players[3], reason: script('erasure') } }, asSuperAdmin);
  return { staff, closed, open, played, next, playerId: home.players[0] ?? '' };
};

/** Opens every tab of a dashboard, and gives how many of them showed a canary. */
const openTabs = async (page: Page): Promise<number> => {
  await expect(page.getByRole('tab').first()).toBeVisible();
  let canaries = 0;
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    await expect(page.getByRole('tabpanel').locator('table, form, .empty, p').first()).toBeVisible();
    if ((await page.getByRole('tabpanel').textContent())?.includes(shown) === true) canaries += 1;
  }
  return canaries;
};

test('what somebody stores is shown as text: nothing of it runs, asks or is stopped on any page', async ({ page, request }) => {
  test.slow();
  const found = await watchScripts(page);
  // The watch itself: what would run is seen, here as stopped by the policy.
  await page.goto('/about');
  await page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"__ran(1)\">')");
  await expect.poll(() => found.length).toBeGreaterThan(0);
  found.length = 0;

  const { staff, closed, open, played, next, playerId } = await plant(request);
  const silent = ['/about', '/verify', '/register'];
  const pages = [
    '/',
    `/events?tournament=${open}`,
    '/upcoming',
    '/card',
    ...silent,
    `/tournament/${open}`,
    `/tournament/${closed}`,
    `/standings/${open}`,
    `/MatchDetails/${played}`,
    `/ViewPlayers/${next}`,
    `/player/${playerId}`,
    `/registerteam/${open}`,
    `/registerteam/${closed}`,
  ];
  for (const address of pages) {
    // Loaded as a whole each time: head, embedded answer and page.
    await page.goto(address);
    await expect(silent.includes(address) ? page.getByRole('heading').first() : page.getByText(shown).filter({ visible: true }).first(), address).toBeVisible();
    expect([address, await page.locator('img[src="x"], a[href^="javascript:" i]').count()]).toEqual([address, 0]);
  }
  await page.goto(`/MatchDetails/${played}`);
  await page
    .getByText(/^Corrected /)
    .first()
    .click();
  await expect(page.getByText(script('reason'))).toBeVisible();

  await logIn(page, '/adminlogin?next=https://example.org/&redirect=//example.org', { Email: staff.email, Password: staff.password });
  await expect(page).toHaveURL(/\/admin$/);
  expect(await openTabs(page)).toBeGreaterThan(4);
  await page.getByRole('tab', { name: 'Matches' }).click();
  await page
    .getByRole('button', { name: /^History / })
    .first()
    .click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');

  await logIn(page, '/superadmin8080808080', { Id: superAdmin.id, Password: superAdmin.password });
  expect(await openTabs(page)).toBeGreaterThan(2);

  // No address leads elsewhere.
  const { origin } = new URL(page.url());
  for (const address of [
    '//example.org/',
    '/%2f%2fexample.org',
    '/\\example.org',
    '/events?tournament=javascript:__ran(1)',
    '/tournament/%3Cimg%20src=x%20onerror=__ran(1)%3E',
  ]) {
    await page.goto(`${origin}${address}`);
    expect([address, new URL(page.url()).origin]).toEqual([address, origin]);
  }
  expect(found).toEqual([]);
});
