import { expect, type Page } from '@playwright/test';
import { test } from './journey.ts';
import { tabTo } from './keyboard.ts';
import { picture } from './pictures.ts';
import { expectAccessible, expectAnswer, sizes, watch } from './site.ts';
import { makeAdmin, makeTournament } from './staff.ts';
import { chosen, document, fillPlayer } from './wizard.ts';

const logo = () => chosen('crest.png', 'image/png', picture(200, 200));
/** A photo as a phone takes it: over 2 MB. */
const photo = () => chosen('photo.png', 'image/png', picture(1300, 1300, true));

type Entered = { readonly teams: readonly { readonly team_details: { readonly name: string }; readonly players: readonly unknown[] }[] };

for (const { name: size, viewport } of sizes) {
  test.describe(`a team manager on a ${size}`, () => {
    test.use({ viewport });

    test('registers a team from the upcoming events to its entry', async ({ page, request }) => {
      test.slow();
      const tournament = `Journey Cup ${crypto.randomUUID().slice(0, 8)}`;
      const team = `Dharan Dukes ${crypto.randomUUID().slice(0, 4)}`;
      const tournamentId = await makeTournament(request, await makeAdmin(request), tournament);
      const journey = watch(page);

      await page.goto('/upcoming');
      await page.getByRole('link', { name: `View Details of ${tournament}` }).click();
      await page.getByRole('main').getByRole('link', { name: 'Register Your Team' }).first().click();
      await expect(page).toHaveURL(`/registerteam/${tournamentId}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Register New Team');
      await expect(page.getByText('Important: Once you proceed to another step, you cannot edit your added details.')).toBeVisible();
      await expect(page.getByRole('link', { name: 'Close', exact: true })).toHaveAttribute('href', '/');
      await expectAccessible(page);

      await page.getByRole('button', { name: 'Save & Continue' }).click();
      for (const text of [
        'Team name must be at least 3 characters long',
        'Origin/Location is required',
        'Valid contact number is required',
        'Team logo is required',
      ])
        await expect(page.getByText(text)).toBeVisible();
      await expect(page.getByLabel('Team name')).toBeFocused();
      await expectAccessible(page);

      await page.getByLabel('Team name').fill(team);
      await page.getByLabel('Origin / Location').fill('Dharan, Sunsari');
      await page.getByLabel('Primary number').pressSequentially('98x41-०२३776५९');
      await expect(page.getByLabel('Primary number')).toHaveValue('9841023776');
      await page.getByLabel('Team logo').setInputFiles(logo());
      await expect(page.getByText('crest.png')).toBeVisible();
      // What was written survives a reload, its file too.
      await page.reload();
      await expect(page.getByLabel('Team name')).toHaveValue(team);
      await expect(page.getByText('crest.png')).toBeVisible();
      await page.getByRole('button', { name: 'Save & Continue' }).click();
      // On a phone the button is far below it.
      await expect(page.getByText('Team details saved successfully!')).toBeInViewport({ ratio: 1 });
      await expect(page.getByRole('heading', { level: 2, name: 'Coach Details' })).toBeVisible();
      // On a phone only a mark shows it: it is heard there as well.
      await expect(page.getByRole('complementary', { name: 'Progress' }).getByRole('list')).toMatchAriaSnapshot('- listitem: Team Details Saved');

      await page.getByLabel('Coach name').fill('Sharma');
      await page.getByLabel('Primary phone number').fill('9841000001');
      await page.getByLabel('Secondary phone number').fill('9841000002');
      await page.getByLabel('Coach photo').setInputFiles(photo());
      await expect(page.getByText('photo.jpg')).toBeVisible();
      await page.getByRole('button', { name: 'Save & Continue' }).click();
      await expect(page.getByText('Coach name must be at least 6 characters long')).toBeVisible();
      await expectAccessible(page);
      await page.getByLabel('Coach name').fill('Sita Sharma');
      await page.getByRole('button', { name: 'Save & Continue' }).click();
      await expect(page.getByText('Coach details saved successfully!')).toBeInViewport({ ratio: 1 });
      await expect(page.getByRole('heading', { level: 2, name: 'Player Details' })).toBeVisible();

      await page.getByRole('button', { name: 'Back to Coach Details' }).click();
      await expect(page.getByLabel('Coach name')).toHaveAttribute('readonly');
      await page.getByRole('button', { name: 'Continue' }).click();

      await expect(page.getByRole('button', { name: 'Need 4 more player(s)' })).toBeDisabled();
      await page.getByRole('button', { name: 'Add Player to Team' }).click();
      await expect(page.getByRole('alert')).toHaveText('Player name is required');
      await expect(page.getByLabel('Player name')).toBeFocused();
      await expectAccessible(page);
      const players = ['7', '23', '11', '4'].map((number, index) => ({ name: `Player Number ${number}`, phone: `984200000${String(index)}`, number }));
      for (const [index, player] of players.entries()) {
        await fillPlayer(page, player);
        await page.getByRole('button', { name: 'Add Player to Team' }).click();
        await expect(page.getByText('Player added successfully!').last()).toBeVisible();
        await expect(page.getByRole('heading', { name: `${String(index + 1)} player${index === 0 ? '' : 's'} added` })).toBeVisible();
        // The next one is typed at once: the toast must not lie over the field.
        await expect(page.getByLabel('Player name')).toBeFocused();
        expect(
          await page.evaluate<boolean>(
            '(() => { const { left, top } = document.activeElement.getBoundingClientRect(); return document.elementFromPoint(left + 12, top + 4) === document.activeElement; })()',
          ),
        ).toBe(true);
      }
      await expectAccessible(page);
      // The list of what was added survives as well.
      await page.reload();
      await expect(page.getByRole('heading', { name: '4 players added' })).toBeVisible();
      // A player that was typed and not added does not go without a word, and no double click says that it may.
      const fifth = `The Fifth ${'Player'.repeat(15)}`;
      await page.getByLabel('Player name').fill(fifth);
      await page.getByRole('button', { name: 'Complete Registration' }).dblclick();
      const question = page.getByRole('group', { name: `'${fifth}' has not been added.` });
      await expect(question.getByRole('button', { name: 'Go back to it' })).toBeInViewport({ ratio: 1 });
      await expectAccessible(page);
      await question.getByRole('button', { name: 'Go back to it' }).click();
      await expect(page.getByLabel('Player name')).toBeFocused();
      await page.getByLabel('Player name').fill('');
      await page.getByRole('button', { name: 'Complete Registration' }).click();
      await expect(page).toHaveURL('/upcoming');
      await expect(page.getByText('Team added successfully!')).toBeVisible();
      await expectAnswer(request, `/api/tournaments/${tournamentId}`, ({ teams }: Entered) =>
        teams.map((entry) => [entry.team_details.name, entry.players.length]),
      ).toEqual([[team, 4]]);
      expect(await page.evaluate<string[]>('Object.keys(localStorage).filter((key) => key.startsWith("team-registration"))')).toEqual([]);
      journey.expectNothingWrong();
    });

    test('asks for a tournament', async ({ page }) => {
      const journey = watch(page);
      await page.goto('/register');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Register Your Tournament');
      await page.getByLabel('Tournament name').fill('Terai Night League');
      await page.getByRole('button', { name: 'Register Tournament' }).click();
      await expect(page.getByRole('alert')).toHaveText('Please fill in all mandatory fields: contactPhone1, contactPhone2, organizerName, location, prizePool');
      await expect(page.getByLabel('Contact phone 1')).toBeFocused();
      await expectAccessible(page);
      await page.getByLabel('Contact phone 1').fill('9851033421');
      await page.getByLabel('Contact phone 2').fill('+977 980-1234567');
      await page.getByLabel('Organizer name').fill('Janakpur Youth Sports Club');
      await page.getByLabel('Location').fill('Janakpurdham');
      await page.getByLabel('Prize pool').fill('NPR 1,50,000 and a trophy');
      await page.getByLabel('Poster (optional)').setInputFiles(chosen('poster.png', 'image/png', picture(300, 375)));
      const before = Date.now();
      await page.getByRole('button', { name: 'Register Tournament' }).click();
      await expect(page.getByRole('button', { name: 'Submitting...' })).toBeVisible();
      await expect(page.getByText('Tournament registration submitted successfully!')).toBeVisible();
      expect(Date.now() - before).toBeGreaterThanOrEqual(2000);
      await expectAccessible(page);
      journey.expectNothingWrong();
    });
  });
}

test('the name of a poster can be read beside its button on a narrow phone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto('/register');
  await page.getByLabel('Poster (optional)').setInputFiles(chosen('WhatsApp Image 2026-11-27 at 10.22.31.png', 'image/png', picture(300, 375)));
  await expect(page.getByRole('button', { name: 'Remove' })).toBeVisible();
  expect((await page.locator('.drop > span:last-of-type').boundingBox())?.width).toBeGreaterThanOrEqual(140);
});

test('two tabs write one registration', async ({ page, context, request }) => {
  test.slow();
  const tournamentId = await makeTournament(request, await makeAdmin(request), `Two Tabs Cup ${crypto.randomUUID().slice(0, 8)}`);
  const team = `Ilam Falcons ${crypto.randomUUID().slice(0, 4)}`;
  const other = await context.newPage();
  const journeys = [watch(page), watch(other)];
  for (const tab of [page, other]) {
    await tab.goto(`/registerteam/${tournamentId}`);
    await expect(tab.getByLabel('Team name')).toBeVisible();
  }
  await page.getByLabel('Team name').fill(team);
  await page.getByLabel('Origin / Location').fill('Ilam');
  await page.getByLabel('Team logo').setInputFiles(logo());
  // The other tab has what was written, its file too, and goes on writing.
  await expect(other.getByLabel('Origin / Location')).toHaveValue('Ilam');
  await expect(other.getByText('crest.png')).toBeVisible();
  await other.getByLabel('Primary number').fill('9841023776');
  await expect(page.getByLabel('Primary number')).toHaveValue('9841023776');
  // Both at once: one team.
  await Promise.all([page, other].map((tab) => tab.getByRole('button', { name: 'Save & Continue' }).click()));
  for (const tab of [page, other]) await expect(tab.getByRole('heading', { level: 2, name: 'Coach Details' })).toBeVisible();
  await expectAnswer(
    request,
    '/api/team/teams',
    (teams: readonly { readonly team_details: { readonly name: string } }[]) => teams.filter((entry) => entry.team_details.name === team).length,
  ).toBe(1);

  await other.getByLabel('Coach name').fill('Sita Sharma');
  await other.getByLabel('Primary phone number').fill('9841000001');
  await other.getByLabel('Secondary phone number').fill('9841000002');
  await other.getByLabel('Coach photo').setInputFiles(chosen('coach.png', 'image/png', picture(200, 200)));
  await expect(other.getByText('coach.png')).toBeVisible();
  await other.getByRole('button', { name: 'Save & Continue' }).click();
  // This tab stood at step 2; a player that is added there is in both lists.
  await expect(page.getByRole('heading', { level: 2, name: 'Player Details' })).toBeVisible();
  await fillPlayer(page, { name: 'Anish Limbu', phone: '9807114420', number: '11' });
  await expect(other.getByLabel('Player name')).toHaveValue('Anish Limbu');
  await page.getByRole('button', { name: 'Add Player to Team' }).click();
  for (const tab of [page, other]) {
    await expect(tab.getByRole('heading', { name: '1 player added' })).toBeVisible();
    await expect(tab.getByLabel('Player name')).toHaveValue('');
    await expect(tab.getByText('player.png')).toHaveCount(0);
  }
  await page.reload();
  await expect(page.getByRole('heading', { name: '1 player added' })).toBeVisible();
  for (const journey of journeys) journey.expectNothingWrong();
});

test('a registration whose answers are lost goes on, and nothing of it is recorded twice', async ({ page, request }) => {
  test.slow();
  const staff = await makeAdmin(request);
  const tournamentId = await makeTournament(request, staff, `Lost Answer Cup ${crypto.randomUUID().slice(0, 8)}`);
  const team = `Ilam Falcons ${crypto.randomUUID().slice(0, 4)}`;
  /** It reaches the server, which records it; what the server says reaches nobody. */
  const loseAnswer = async (call: string, button: string): Promise<void> => {
    await page.route(`**/api/team/${call}`, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: button }).click();
    await expect(page.getByRole('main').getByRole('alert')).toContainText('It is not known whether');
    await expectAccessible(page);
    await page.unroute(`**/api/team/${call}`);
  };
  const forgetFiles = async (): Promise<void> => {
    await page.goto('/about');
    await page.evaluate('new Promise((done) => { indexedDB.deleteDatabase("team-registrations").onsuccess = done; })');
    await page.goto(`/registerteam/${tournamentId}`);
  };

  await page.goto(`/registerteam/${tournamentId}`);
  await page.getByLabel('Team name').fill(team);
  await page.getByLabel('Origin / Location').fill('Ilam');
  await page.getByLabel('Primary number').fill('9841023776');
  await page.getByLabel('Team logo').setInputFiles(logo());
  await expect(page.getByText('crest.png')).toBeVisible();
  await loseAnswer('create-team-step-1', 'Save & Continue');
  // The same again, its file too, though the page was left.
  await page.reload();
  await expect(page.getByText('crest.png')).toBeVisible();
  await expect(page.getByLabel('Team name')).toHaveJSProperty('readOnly', true);
  await page.getByRole('button', { name: 'Save & Continue' }).click();

  await page.getByLabel('Coach name').fill('Sita Sharma');
  await page.getByLabel('Primary phone number').fill('9841000001');
  await page.getByLabel('Secondary phone number').fill('9841000002');
  await page.getByLabel('Coach photo').setInputFiles(chosen('coach.png', 'image/png', picture(200, 200)));
  await expect(page.getByText('coach.png')).toBeVisible();
  await loseAnswer('add-coach-details', 'Save & Continue');
  // The photo is gone, and another one is chosen: the coach is the one who was sent first.
  await forgetFiles();
  await page.getByLabel('Coach photo').setInputFiles(chosen('another.png', 'image/png', picture(210, 210)));
  await expect(page.getByText('another.png')).toBeVisible();
  await page.getByRole('button', { name: 'Save & Continue' }).click();
  await expect(page.getByText('The coach was saved already: saved steps cannot be edited.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 2, name: 'Player Details' })).toBeVisible();

  await fillPlayer(page, { name: 'Anish Limbu', phone: '9807114420', number: '11' });
  await loseAnswer('add-single-player-to-team', 'Add Player to Team');
  await forgetFiles();
  await page.getByLabel('Player photo').setInputFiles(chosen('another.png', 'image/png', picture(210, 210)));
  await page.getByLabel('ID document').setInputFiles(document());
  for (const file of ['another.png', 'citizenship.pdf']) await expect(page.getByText(file)).toBeVisible();
  await page.getByRole('button', { name: 'Add Player to Team' }).click();
  await expect(page.getByRole('heading', { name: '1 player added' })).toBeVisible();
  await expect(page.getByRole('list').filter({ hasText: 'Anish Limbu' })).toContainText('9807 114 420');

  type Listed = { readonly team_details: { readonly name: string }; readonly coach: { readonly name?: string }; readonly players: readonly string[] };
  const teams = (await (await request.get('/api/team/teams', { headers: { Authorization: `Bearer ${staff.token}` } })).json()) as readonly Listed[];
  expect(teams.filter((entry) => entry.team_details.name === team).map(({ coach, players }) => [coach.name, players.length])).toEqual([['Sita Sharma', 1]]);
});

const keptFiles = `new Promise((resolve) => {
  const opening = indexedDB.open('team-registrations');
  opening.onsuccess = () => {
    const counting = opening.result.transaction('files').objectStore('files').count();
    counting.onsuccess = () => resolve(counting.result);
  };
})`;

test('a registration that was left unfinished leaves nothing on the machine after its day, whichever page is opened then', async ({ page, request }) => {
  const tournamentId = await makeTournament(request, await makeAdmin(request), `Left Cup ${crypto.randomUUID().slice(0, 8)}`);
  await page.goto(`/registerteam/${tournamentId}`);
  await page.getByLabel('Team name').fill('Dharan Dukes');
  await page.getByLabel('Team logo').setInputFiles(logo());
  await expect(page.getByText('crest.png')).toBeVisible();
  expect(await page.evaluate<number>(keptFiles)).toBe(1);
  await page.evaluate(
    `{ const key = 'team-registration-${tournamentId}'; localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key)), since: Date.now() - 86_400_000 })); }`,
  );
  await page.goto('/about');
  await expect.poll(() => page.evaluate<number>('localStorage.length')).toBe(0);
  expect(await page.evaluate<number>(keptFiles)).toBe(0);
});

test('a text that calls itself a picture is found out when it is chosen', async ({ page, request }) => {
  const tournamentId = await makeTournament(request, await makeAdmin(request), `Picture Cup ${crypto.randomUUID().slice(0, 8)}`);
  const journey = watch(page);
  await page.goto(`/registerteam/${tournamentId}`);
  await page.getByLabel('Team logo').setInputFiles(chosen('x.png', 'image/png', Buffer.from('no picture')));
  await expect(page.getByText('Choose a JPEG or PNG picture')).toBeVisible();
  await expect(page.getByText('x.png')).toHaveCount(0);
  await page.getByLabel('Team logo').setInputFiles(logo());
  await expect(page.getByText('crest.png')).toBeVisible();
  await expect(page.getByText('Choose a JPEG or PNG picture')).toHaveCount(0);
  await expectAccessible(page);
  journey.expectNothingWrong();
});

test('registration does not begin where it is not open', async ({ page, request }) => {
  const staff = await makeAdmin(request);
  const tournamentId = await makeTournament(request, staff, `Closed Cup ${crypto.randomUUID().slice(0, 8)}`);
  const closed = await request.put(`/api/tournaments/${tournamentId}`, {
    headers: { Authorization: `Bearer ${staff.token}` },
    multipart: { registerable: 'Registration closed' },
  });
  expect(closed.status()).toBe(200);
  const journey = watch(page);
  await page.goto(`/registerteam/${tournamentId}`);
  await expect(page.getByRole('link', { name: 'Registration closed' })).toHaveAttribute('href', '/events');
  await expect(page.getByLabel('Team name')).toHaveCount(0);
  await expectAccessible(page);
  journey.expectNothingWrong();
});

/** Chooses a file without a pointer: Space on the field, as on a button. */
const chooseByKey = async (page: Page, label: string, file: ReturnType<typeof chosen>): Promise<void> => {
  await tabTo(page, label);
  const chooser = page.waitForEvent('filechooser');
  await page.keyboard.press('Space');
  await (await chooser).setFiles(file);
  await expect(page.getByText(file.name)).toBeVisible();
};
const typeInto = async (page: Page, texts: readonly (readonly [label: string, text: string])[]): Promise<void> => {
  for (const [label, text] of texts) {
    await tabTo(page, label);
    await page.keyboard.type(text);
  }
};

test('a manager registers a team with the keyboard alone', async ({ page, request }) => {
  test.slow();
  const tournamentId = await makeTournament(request, await makeAdmin(request), `Keyboard Cup ${crypto.randomUUID().slice(0, 8)}`);
  const team = `Ilam Falcons ${crypto.randomUUID().slice(0, 4)}`;
  // Choosers are caught from here on: a listener that comes and goes with each of them can be later than the key.
  page.on('filechooser', () => undefined);
  const journey = watch(page);
  await page.goto(`/registerteam/${tournamentId}`);
  await expect(page.getByLabel('Team name')).toBeVisible();
  await typeInto(page, [
    ['Team name', team],
    ['Origin / Location', 'Ilam'],
    ['Primary number', '9841023776'],
  ]);
  await chooseByKey(page, 'Team logo', logo());
  await tabTo(page, 'Save & Continue');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'Coach Details' })).toBeFocused();

  await typeInto(page, [
    ['Coach name', 'Sita Sharma'],
    ['Primary phone number', '9841000001'],
    ['Secondary phone number', '9841000002'],
  ]);
  await chooseByKey(page, 'Coach photo', chosen('coach.png', 'image/png', picture(240, 300)));
  await tabTo(page, 'Save & Continue');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'Player Details' })).toBeFocused();

  for (const [index, number] of ['7', '23', '11', '4'].entries()) {
    await typeInto(page, [
      ['Player name', `Player Number ${number}`],
      ['Contact number', `984200000${String(index)}`],
      ['Age', '21'],
      ['Jersey number', number],
      ['Height in cm', '186'],
      ['Weight in kg', '78'],
    ]);
    await chooseByKey(page, 'Player photo', chosen('player.png', 'image/png', picture(240, 300)));
    await chooseByKey(page, 'ID document', document());
    await tabTo(page, 'Add Player to Team');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: `${String(index + 1)} player${index === 0 ? '' : 's'} added` })).toBeVisible();
    // The next player begins where this one began.
    await expect(page.getByLabel('Player name')).toBeFocused();
    await page.keyboard.press('Shift+Tab');
  }
  await tabTo(page, 'Complete Registration');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/upcoming');
  await expectAnswer(request, `/api/tournaments/${tournamentId}`, ({ teams }: Entered) =>
    teams.map((entry) => [entry.team_details.name, entry.players.length]),
  ).toEqual([[team, 4]]);
  journey.expectNothingWrong();
});
