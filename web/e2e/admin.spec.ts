import { expect, type Page } from '@playwright/test';
import { test } from './journey.ts';
import { coveredStops, tabTo } from './keyboard.ts';
import { picture } from './pictures.ts';
import { expectAccessible, expectAnswer, pickDay, sizes, watch } from './site.ts';
import { makeAdmin, makeTeam, makeTournament, type Staff } from './staff.ts';

const unique = (name: string): string => `${name} ${crypto.randomUUID().slice(0, 6)}`;
const image = (name: string) => ({ name, mimeType: 'image/png', buffer: picture(120, 150) });

const logIn = async (page: Page, staff: Staff): Promise<void> => {
  await page.goto('/adminlogin');
  await page.getByLabel('Email').fill(staff.email);
  await page.getByLabel('Password').fill(staff.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL('/admin');
};

/** How far the open dialog can be scrolled, in pixels. */
const dialogScrolls = async (page: Page): Promise<{ readonly down: number; readonly sideways: number }> =>
  page.evaluate<{ down: number; sideways: number }>(
    "(() => { const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.querySelector('[role=dialog]'); return { down: scrollHeight - clientHeight, sideways: scrollWidth - clientWidth }; })()",
  );

for (const { name: size, viewport } of sizes) {
  test.describe(`an admin on a ${size}`, () => {
    test.use({ viewport });

    test('goes from the login to statistics that a second, open page shows', async ({ page, context, request }) => {
      test.slow();
      const staff = await makeAdmin(request);
      const [tournament, first, second] = [unique('Court Cup'), unique('Lalitpur Lynx'), unique('Palpa Pumas')];
      const tournamentId = await makeTournament(request, staff, tournament);
      await makeTeam(request, staff, tournamentId, first);
      await makeTeam(request, staff, tournamentId, second);
      const journey = watch(page, (path, status) => status === 401 && path === '/api/admin/login');

      // The dashboard without a token leads to the login.
      await page.goto('/admin');
      await expect(page).toHaveURL('/adminlogin');
      await expectAccessible(page);
      await page.getByLabel('Email').fill(staff.email);
      await page.getByLabel('Password').fill('not the password');
      await page.getByRole('button', { name: 'Log in' }).click();
      await expect(page.getByRole('alert')).toHaveText('Invalid Credentials');
      await expectAccessible(page);
      await logIn(page, staff);
      expect(await page.evaluate<string>("localStorage.getItem('atoken')")).toMatch(/^ey/);

      await expect(page.getByRole('tab', { selected: true })).toHaveText('Tournaments');
      await page.getByRole('searchbox').fill(tournament);
      await expect(page.getByText('1 tournament', { exact: true })).toBeVisible();
      await expectAccessible(page);

      await page.getByRole('button', { name: `Add Match to ${tournament}` }).click();
      const assign = page.getByRole('dialog', { name: 'Assign Match' });
      await expect(assign.getByRole('button', { name: first })).toBeVisible();
      await assign.getByRole('button', { name: 'Add Match' }).click();
      await expect(assign.getByRole('alert')).toHaveText('Please select exactly two teams and a match date to assign a match.');
      await expectAccessible(page);
      await assign.getByRole('button', { name: first }).click();
      await assign.getByRole('button', { name: second }).click();
      await pickDay(page, 'Match date', '15');
      await assign.getByLabel('Match time (optional)').fill('16:30');
      await assign.getByRole('button', { name: 'Add Match' }).click();
      await expect(page.getByText('Match added succesfully')).toBeVisible();
      await expect(page.getByRole('dialog')).toHaveCount(0);

      // Somebody else looks at the match while it is being recorded.
      await expectAnswer(request, `/api/tournaments/${tournamentId}/matches`, ({ matches: listed }: { matches: { time: string }[] }) =>
        listed.map((match) => match.time),
      ).toEqual(['16:30']);
      const { matches } = (await (await request.get(`/api/tournaments/${tournamentId}/matches`)).json()) as { matches: { _id: string }[] };
      const matchId = matches[0]?._id ?? '';
      const other = await context.newPage();
      await other.goto(`/MatchDetails/${matchId}`);
      await expect(other.getByText(first).first()).toBeVisible();

      await page.getByRole('tab', { name: 'Matches' }).click();
      await page.getByRole('searchbox').fill(first);
      await expect(page.getByText('1 match', { exact: true })).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('button', { name: `Edit ${first}, ${second}` }).click();
      const editor = page.getByRole('dialog', { name: 'Update Match' });
      const lynx = editor.getByRole('region', { name: first });
      const pumas = editor.getByRole('region', { name: second });
      const fields = await lynx.getByRole('textbox').all();
      // However much is said of the changes, the buttons stay side by side.
      for (const field of fields) {
        await field.fill('1');
        const [close, send] = await Promise.all(
          ['Close', 'Update Match'].map(async (button) => editor.getByRole('button', { name: button, exact: true }).boundingBox()),
        );
        expect(send?.y).toBe(close?.y);
      }
      for (const field of fields) await field.clear();
      // Once around the dialog: what has the focus is under neither its title nor its buttons.
      await expect(page.getByText('Match added succesfully')).toHaveCount(0);
      expect(await coveredStops(page, 61)).toEqual([]);
      // The fields are scrolled, the dialog around them cannot be: title and buttons stay on a low screen, too.
      await page.setViewportSize({ ...viewport, height: 500 });
      expect(await dialogScrolls(page)).toEqual({ down: 0, sideways: 0 });
      await page.setViewportSize(viewport);
      await lynx.getByLabel('Add points, Anish Limbu').fill('12');
      await lynx.getByLabel('Add rebounds, Anish Limbu').fill('5');
      await expect(lynx.getByLabel('Anish Limbu played')).toBeChecked();
      await pumas.getByLabel('Add points, Bishal Tamang').fill('9');
      await pumas.getByLabel('Add assists, Bishal Tamang').fill('-1');
      await expect(editor.getByText('4 changes: #4 Points +12, #4 Rebounds +5, #5 Points +9, #5 Assists −1')).toBeVisible();
      await expect(editor.getByText('Below 0: #5 Assists −1')).toBeVisible();
      await expectAccessible(page);
      // On a phone Back is what closes things: it asks, as Escape does, and the page stays.
      await page.goBack();
      await expect(editor.getByRole('button', { name: 'Keep editing' })).toBeFocused();
      await expect(page).toHaveURL(/\/admin\?/);
      await expectAccessible(page);
      await page.keyboard.press('Enter');
      await expect(pumas.getByLabel('Add assists, Bishal Tamang')).toBeFocused();
      await editor.getByRole('button', { name: 'Update Match' }).click();
      await expect(page.getByText('Match updated successfully')).toBeVisible();

      await expect(other.locator('.bt__score').first()).toHaveText('12');
      await expect(other.locator('.bt__score').last()).toHaveText('9');
      await expect(other.getByText('Live', { exact: true })).toBeVisible();
      await other.close();

      await page.getByRole('button', { name: `History ${first}, ${second}` }).click();
      const history = page.getByRole('dialog', { name: 'Match History' });
      // Both teams have a player of that name.
      await expect(history.getByText('Bishal Tamang (number 5): Points +9, Assists −1')).toBeVisible();
      await expectAccessible(page);
      await history.getByRole('button', { name: /^Correct Points \+9, Assists −1/ }).click();
      await history.getByLabel(/Everybody can read the reason/).fill('Recorded for the wrong player');
      await expectAccessible(page);
      await history.getByRole('button', { name: 'Take back', exact: true }).click();
      await expect(page.getByText('Entry taken back')).toBeVisible();
      await expect(history.getByText('Taken back: Points −9, Assists +1')).toBeVisible();
      await history.getByRole('button', { name: 'Restore Points +9, Assists −1, Bishal Tamang (number 5)' }).click();
      await history.getByLabel(/^Why is .* restored\?/).fill('It was the right player');
      await expect(history.getByText('What it would change')).toBeVisible();
      await expectAccessible(page);
      await history.getByRole('button', { name: 'Restore', exact: true }).click();
      await expect(page.getByText('Entry restored')).toBeVisible();
      await expect(history.getByText('Restored: Points +9, Assists −1')).toBeVisible();
      await page.goBack();
      await expect(history).toHaveCount(0);

      await page.getByRole('button', { name: `Settings ${first}, ${second}` }).click();
      const settings = page.getByRole('dialog', { name: 'Match Settings' });
      await settings.getByLabel('MVP of the match').selectOption({ label: `Anish Limbu (${first})` });
      await settings.getByLabel('Match time (optional)').fill('17:15');
      await expectAccessible(page);
      await settings.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('Match saved')).toBeVisible();
      await expectAnswer(request, `/api/match/matches/${matchId}`, (stored: { time: string; bestPlayer: { recorded: boolean } }) => [
        stored.time,
        stored.bestPlayer.recorded,
      ]).toEqual(['17:15', true]);
      journey.expectNothingWrong();
    });

    test('cancels a match and declines a request after a question, which no double click answers', async ({ page, request }) => {
      test.slow();
      const staff = await makeAdmin(request);
      const tournamentId = await makeTournament(request, staff, unique('Rain Cup'));
      const [first, second] = [unique('Ilam Falcons'), unique('Mustang Mules')];
      const teams = [await makeTeam(request, staff, tournamentId, first), await makeTeam(request, staff, tournamentId, second)];
      await request.post('/api/tournaments/create-match-and-save-to-tournament', {
        headers: { Authorization: `Bearer ${staff.token}` },
        data: { teamAId: teams[0], teamBId: teams[1], tournamentId, matchTime: '13:00', matchDate: '2099-01-12' },
      });
      const asked = unique('Terai Night League');
      await request.post('/api/tournaments/requests', {
        multipart: {
          tournamentName: asked,
          contactPhone1: '9851033421',
          contactPhone2: '9851033422',
          organizerName: 'Club',
          location: 'Janakpur',
          prizePool: 'A trophy',
        },
      });
      // The dialog of a match that is cancelled may ask for it once more before it closes.
      const journey = watch(page, (path, status) => status === 404 && path.startsWith('/api/match/matches/'));
      await logIn(page, staff);
      await page.getByRole('tab', { name: 'Matches' }).click();
      await page.getByRole('searchbox').fill(first);
      await page.getByRole('button', { name: `Settings ${first}, ${second}` }).click();
      await page.getByRole('button', { name: 'Cancel match' }).dblclick();
      const cancelling = page.getByRole('group', { name: 'Cancel this match?' });
      await expect(cancelling).toBeVisible();
      await expectAccessible(page);
      await cancelling.getByRole('button', { name: 'Keep the match' }).click();
      await expect(page.getByRole('button', { name: 'Cancel match' })).toBeFocused();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('button', { name: 'Save' })).toBeVisible();
      await page.getByRole('button', { name: 'Cancel match' }).click();
      await cancelling.getByRole('button', { name: 'Cancel the match' }).click();
      await expect(page.getByText('Match cancelled')).toBeVisible();
      await expect(page.getByRole('button', { name: `Settings ${first}, ${second}` })).toHaveCount(0);

      await page.getByRole('tab', { name: 'Requests' }).click();
      await page.getByRole('searchbox').fill(asked);
      await page.getByRole('button', { name: `View ${asked}` }).click();
      await page.getByRole('button', { name: 'Decline' }).dblclick();
      const declining = page.getByRole('group', { name: 'Decline this request?' });
      await expect(declining).toBeVisible();
      await expectAccessible(page);
      await declining.getByRole('button', { name: 'Decline' }).click();
      await expect(page.getByText('Request declined')).toBeVisible();
      journey.expectNothingWrong();
    });

    test('creates and edits a tournament, corrects a team and a player, answers a request, and logs out', async ({ page, request }) => {
      test.slow();
      const staff = await makeAdmin(request);
      const open = await makeTournament(request, staff, unique('Open Cup'));
      const team = unique('Butwal Bolts');
      await makeTeam(request, staff, open, team);
      const asked = unique('Terai Night League');
      await request.post('/api/tournaments/requests', {
        multipart: {
          tournamentName: asked,
          contactPhone1: '9851033421',
          contactPhone2: '9851033422',
          organizerName: 'Club',
          location: 'Janakpur',
          prizePool: 'A trophy',
        },
      });
      const journey = watch(page);
      await logIn(page, staff);

      const name = unique('Winter Classic');
      await page.getByRole('button', { name: 'Create Tournament' }).click();
      const create = page.getByRole('dialog', { name: 'Create Tournament' });
      await create.getByRole('button', { name: 'Create Tournament' }).click();
      await expect(create.getByText('Organizer phone number is required')).toBeVisible();
      await expectAccessible(page);
      await create.getByLabel('Name', { exact: true }).fill(name);
      await pickDay(page, 'Start date', '20');
      await pickDay(page, 'End date', '25');
      await pickDay(page, 'Registering start date', '10');
      await create.getByLabel('Location').fill('Pokhara');
      await create.getByLabel('Organizer name').fill('Lakeside Club');
      await create.getByLabel('Organizer phone').fill('061-4567890');
      for (const [label, prize] of [
        ['First prize', '75000'],
        ['Second prize', '40000'],
        ['Third prize', '20000'],
        ['MVP', '10000'],
        ['Man of the Match Prize', '2500'],
      ] as const)
        await create.getByLabel(label, { exact: true }).fill(prize);
      await expect(create.getByText('NPR 1,45,000')).toBeVisible();
      await create.getByLabel('Poster image').setInputFiles({ name: 'poster.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') });
      await expect(create.getByRole('alert')).toHaveText('File must be an image (jpeg, jpg, png) and less than 25MB');
      await create.getByLabel('Poster image').setInputFiles(image('poster.png'));
      await create.getByLabel('Organizer image').setInputFiles(image('organizer.png'));
      await expectAccessible(page);
      await create.getByRole('button', { name: 'Create Tournament' }).click();
      await expect(page.getByText('Tournament created successfully')).toBeVisible();

      await page.getByRole('searchbox').fill(name);
      await page.getByRole('button', { name: `Edit ${name}` }).click();
      const edit = page.getByRole('dialog', { name: 'Edit Tournament' });
      await edit.getByLabel('Location').fill('Pokhara Covered Hall');
      const sent = page.waitForRequest((candidate) => candidate.method() === 'PUT');
      await edit.getByRole('button', { name: 'Update Tournament' }).click();
      const parts = [...((await sent).postData() ?? '').matchAll(/name="([^"]+)"/g)].map(([, part]) => part);
      expect(parts).toEqual(['location']);
      await expect(page.getByText('Tournament updated successfully')).toBeVisible();

      await page.getByRole('tab', { name: 'Users' }).click();
      await page.getByRole('searchbox').fill(team);
      await expect(page.getByText('9800000012, 9800000013')).toBeVisible();
      await expectAccessible(page);

      await page.getByRole('tab', { name: 'Teams' }).click();
      await page.getByRole('searchbox').fill(team);
      await page.getByRole('button', { name: `Roster of ${team}` }).click();
      await expect(page.getByRole('dialog', { name: 'Roster' }).getByText('Dipesh Gurung')).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: `Edit ${team}` }).click();
      await page.getByRole('dialog', { name: 'Edit Team' }).getByLabel('Origin / Location').fill('Butwal, Rupandehi');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Update Team' }).click();
      await expect(page.getByText('Team updated')).toBeVisible();
      await expect(page.getByText('Butwal, Rupandehi')).toBeVisible();

      await page.getByRole('tab', { name: 'Players' }).click();
      await page.getByRole('searchbox').fill(team);
      await expect(page.getByText('4 players', { exact: true })).toBeVisible();
      await page.getByRole('button', { name: 'Edit Chandra Rai' }).click();
      await page.getByRole('dialog', { name: 'Edit Player' }).getByLabel('Height in cm').fill('191');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Update Player' }).click();
      await expect(page.getByText('Player updated')).toBeVisible();
      await page.getByRole('button', { name: 'ID document of Chandra Rai' }).click();
      const paper = page.getByRole('dialog', { name: 'ID document' });
      await expect(paper.getByRole('img', { name: 'ID document of Chandra Rai' })).toHaveJSProperty('naturalWidth', 90);
      await expect(paper.getByText('This view has been recorded.')).toBeVisible();
      await expectAccessible(page);
      const saved = page.waitForEvent('download');
      await paper.getByRole('link', { name: 'Save' }).click();
      expect((await saved).suggestedFilename()).toMatch(/^id-document\.(png|jpg)$/);
      await paper.getByRole('button', { name: 'Close', exact: true }).click();
      await expect(page.getByRole('button', { name: 'ID document of Chandra Rai' })).toBeFocused();

      await page.getByRole('tab', { name: 'Requests' }).click();
      await page.getByRole('searchbox').fill(asked);
      await page.getByRole('button', { name: `View ${asked}` }).click();
      await page.getByLabel('Note (optional)').fill('Welcome');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Accept' }).click();
      await expect(page.getByText('Request accepted')).toBeVisible();
      await expect(page.getByRole('cell', { name: 'Accepted' })).toBeVisible();
      await expectAccessible(page);

      await page.getByRole('button', { name: 'Log out' }).click();
      await expect(page).toHaveURL('/adminlogin');
      expect((await request.get('/api/admin/check-token', { headers: { Authorization: `Bearer ${staff.token}` } })).status()).toBe(200);
      expect(await page.evaluate<string | null>("localStorage.getItem('atoken')")).toBeNull();
      journey.expectNothingWrong();
    });
  });
}

test('an admin assigns a match and records a point with the keyboard alone', async ({ page, request }) => {
  test.slow();
  const staff = await makeAdmin(request);
  const [first, second] = [unique('Kings'), unique('Rhinos')];
  const cup = unique('Keyboard Cup');
  const tournamentId = await makeTournament(request, staff, cup);
  for (const name of [first, second]) await makeTeam(request, staff, tournamentId, name);
  const journey = watch(page);
  await page.goto('/adminlogin');
  await expect(page.getByLabel('Email')).toBeVisible();
  await tabTo(page, 'Email');
  await page.keyboard.type(staff.email);
  await tabTo(page, 'Password');
  await page.keyboard.type(staff.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/admin');
  await expect(page.getByRole('button', { name: `Add Match to ${cup}` })).toBeVisible();
  await tabTo(page, `Add Match to ${cup}`);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Assign Match' })).toBeVisible();
  for (const name of [first, second]) {
    await tabTo(page, name);
    await page.keyboard.press('Enter');
  }
  await tabTo(page, 'Match date');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Match date' })).toBeVisible();
  await expect(page.locator('[data-dates-dropdown] button:focus')).toHaveAccessibleName(/^\d+ [A-Z][a-z]+ \d{4}$/);
  await page.keyboard.press('Enter');
  // The day that had the focus is gone: Tab goes on in the dialog, not in the page behind it.
  await expect(page.locator('[data-dates-dropdown]')).toHaveCount(0);
  await expect(page.getByLabel('Match date')).toBeFocused();
  await tabTo(page, 'Add Match');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Match added succesfully')).toBeVisible();
  await expect(page.getByRole('button', { name: `Add Match to ${cup}` })).toBeFocused();
  await page.keyboard.down('Shift');
  await tabTo(page, 'Tournaments');
  await page.keyboard.up('Shift');
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Matches');
  await tabTo(page, 'Filter by tournament, team or date');
  await page.keyboard.type(first);
  await expect(page.getByText('1 match', { exact: true })).toBeVisible();
  await tabTo(page, `Edit ${first}, ${second}`);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Update Match' })).toBeVisible();
  await tabTo(page, 'Add points, Chandra Rai');
  await page.keyboard.type('3');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Match updated successfully')).toBeVisible();
  await expect(page.getByRole('button', { name: `Edit ${first}, ${second}` })).toBeFocused();
  journey.expectNothingWrong();
});

test('points whose answer was lost are counted once, whatever is pressed and typed', async ({ page, request }) => {
  const staff = await makeAdmin(request);
  const tournamentId = await makeTournament(request, staff, unique('Lost Answer Cup'));
  const [first, second] = [unique('Kings'), unique('Rhinos')];
  const ids = [await makeTeam(request, staff, tournamentId, first), await makeTeam(request, staff, tournamentId, second)];
  const assigned = await request.post('/api/tournaments/create-match-and-save-to-tournament', {
    headers: { Authorization: `Bearer ${staff.token}` },
    data: { teamAId: ids[0], teamBId: ids[1], tournamentId, matchTime: '', matchDate: '2026-11-20' },
  });
  expect(assigned.status()).toBe(201);
  await logIn(page, staff);
  await page.getByRole('tab', { name: 'Matches' }).click();
  await page.getByRole('searchbox').fill(first);
  await page.getByRole('button', { name: `Edit ${first}, ${second}` }).click();
  const editor = page.getByRole('dialog', { name: 'Update Match' });
  const kings = editor.getByRole('region', { name: first });
  const field = kings.getByLabel('Add points, Chandra Rai');
  const total = kings
    .locator('.inc')
    .filter({ has: page.getByLabel('Add points, Chandra Rai') })
    .locator('b');
  await field.fill('5');
  // It reaches the server, which records it; what the server says reaches nobody.
  let lost = 0;
  await page.route('**/api/match/match/update', async (route) => {
    await route.fetch();
    lost += 1;
    await route.abort();
  });
  // Read to its end: one that is overtaken by the next is given up, and would never be.
  const reread = page.waitForEvent('requestfinished', (sent) => sent.url().endsWith('/api/match/matches'));
  await editor.getByRole('button', { name: 'Update Match' }).click();
  await expect(editor.getByRole('alert')).toContainText('Match not updated successfully');
  await expect(editor.getByRole('alert')).toContainText('It is not known whether this was recorded.');
  // The change came live, and the matches were read anew: the editor still adds what was sent to what it was sent on.
  await reread;
  await expect(total).toHaveText('5');
  await expect(field).toHaveJSProperty('readOnly', true);
  await expectAccessible(page);
  await editor.getByRole('button', { name: 'Update Match' }).click();
  await expect.poll(() => lost).toBe(2);
  await expect(editor.getByRole('alert')).toContainText('It is not known whether this was recorded.');
  await page.unroute('**/api/match/match/update');
  await editor.getByRole('button', { name: 'Update Match' }).click();
  await expect(page.getByText('Match updated successfully')).toBeVisible();
  await page.getByRole('button', { name: `Edit ${first}, ${second}` }).click();
  await expect(total).toHaveText('5');
});

test('a correction is recorded once it is known what it changes, and not on a result that has changed since', async ({ page, request }) => {
  const staff = await makeAdmin(request);
  const headers = { Authorization: `Bearer ${staff.token}` };
  const tournamentId = await makeTournament(request, staff, unique('Second Look Cup'));
  const [first, second] = [unique('Kings'), unique('Rhinos')];
  const [teamAId, teamBId] = [await makeTeam(request, staff, tournamentId, first), await makeTeam(request, staff, tournamentId, second)];
  const assigned = await request.post('/api/tournaments/create-match-and-save-to-tournament', {
    headers,
    data: { teamAId, teamBId, tournamentId, matchTime: '', matchDate: '2026-11-20' },
  });
  const { match } = (await assigned.json()) as { match: { _id: string } };
  const { team1Players } = (
    (await (await request.get('/api/match/matches')).json()) as { matchId: string; team1Players: { _id: string; name: string }[] }[]
  ).find(({ matchId }) => matchId === match._id) ?? { team1Players: [] };
  const playerId = team1Players.find(({ name }) => name === 'Anish Limbu')?._id;
  const record = async (entryId: string, points: number): Promise<void> => {
    const answer = await request.post(`/api/match/matches/${match._id}/stat-entries`, {
      headers,
      data: { entryId, playerId, points, assists: 0, rebounds: 0, notplayed: '' },
    });
    expect(answer.status()).toBe(201);
  };
  await record('first', 10);
  const journey = watch(page, (url, status) => url.endsWith('/reversal') && status === 409);
  // Nothing comes live to this page, and its first preview waits for us.
  await page.route('**/api/live*', () => {});
  const held = Promise.withResolvers<void>();
  await page.route('**/reversal/preview', async (route) => {
    await held.promise;
    await route.continue();
  });
  await logIn(page, staff);
  await page.getByRole('tab', { name: 'Matches' }).click();
  await page.getByRole('searchbox').fill(first);
  await page.getByRole('button', { name: `History ${first}, ${second}` }).click();
  const history = page.getByRole('dialog', { name: 'Match History' });
  await history.getByRole('button', { name: /^Correct Points \+10/ }).click();
  const reason = history.getByLabel(/Everybody can read the reason/);
  await reason.fill('Counted twice');
  const takeBack = history.getByRole('button', { name: 'Take back', exact: true });
  await expect(takeBack).toHaveAccessibleDescription('Not before its consequences are known');
  await takeBack.focus();
  await page.keyboard.press('Enter');
  await expect(history.getByText('Working out what it would change...')).toBeVisible();
  await expectAccessible(page);
  held.resolve();
  // The last entry: without it nobody has statistics.
  await expect(history.getByText('No statistics are left: the match is upcoming again.')).toBeVisible();
  await expect(history.getByText('10–0 → none')).toBeVisible();
  // The rows of the standings keep within the dialog, also where it is hardly wide enough for them.
  for (const width of [1000, 901, 900, 1280]) {
    await page.setViewportSize({ width, height: 720 });
    expect((await dialogScrolls(page)).sideways).toBe(0);
  }
  await expectAccessible(page);
  await record('second', 50);
  await takeBack.click();
  await expect(history.getByText('The match or the standings changed since the preview: look at it again')).toBeInViewport();
  await expect(history.getByText('The score changes from 60–0 to 50–0.')).toBeVisible();
  await expect(reason).toHaveValue('Counted twice');
  await expectAccessible(page);
  await takeBack.click();
  await expect(page.getByText('Entry taken back')).toBeVisible();
  await expect(history.getByText('Taken back: Points −10')).toHaveCount(1);
  journey.expectNothingWrong();
});

test.describe('on a touch screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('no field has letters so small that a phone zooms in on it', async ({ page, request }) => {
    await logIn(page, await makeAdmin(request));
    await page.getByRole('tab', { name: 'Matches' }).tap();
    await page.getByRole('button', { name: /^Edit/ }).first().tap();
    await expect(page.getByLabel(/^Add points/).first()).toBeVisible();
    const small = await page.evaluate<readonly string[]>(
      "[...document.querySelectorAll('input:not([type=checkbox]), select, textarea')].map((field) => getComputedStyle(field).fontSize).filter((size) => parseFloat(size) < 16)",
    );
    expect(small).toEqual([]);
  });
});
