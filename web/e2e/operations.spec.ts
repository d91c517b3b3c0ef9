import { generateKeyPairSync, sign } from 'node:crypto';
import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { expectAccessible, expectAnswer, logIn, seededLeague, sizes, watch } from './site.ts';
import { makeAdmin, makeTeam, makeTournament, superAdmin } from './staff.ts';

/** A season file with another name for everything, by somebody with a key of their own. */
const signAgain = (file: Buffer, name: string): Buffer => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const [first = '{}'] = file.toString().split('\n');
  const line = JSON.stringify(JSON.parse(first, (key, value: unknown) => (key === 'name' || key === 'teamName' ? name : value)));
  const seal = {
    algorithm: 'Ed25519',
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    signature: sign(null, Buffer.from(line), privateKey).toString('base64'),
  };
  return Buffer.from(`${line}\n${JSON.stringify(seal)}`);
};

for (const { name: size, viewport } of sizes) {
  test.describe(`operators and auditors on a ${size}`, () => {
    test.use({ viewport });

    test('an admin asks why, sees what a correction would change, and moves an entry', async ({ page, request }) => {
      test.slow();
      const staff = await makeAdmin(request);
      const { matches } = await seededLeague(request);
      // The first day of the season: what is corrected now is corrected after it.
      const played = matches.find((match) => match.hasStats);
      if (!played) throw new Error('the season has no played match');
      const [first, second] = [played.team_1.team_details.name, played.team_2.team_details.name];
      const journey = watch(page);
      await logIn(page, '/adminlogin', { Email: staff.email, Password: staff.password });
      await page.getByRole('tab', { name: 'Matches' }).click();
      await page.getByRole('searchbox').fill(first);
      await page
        .getByRole('button', { name: `Edit ${first}, ${second}` })
        .first()
        .click();
      const editor = page.getByRole('dialog', { name: 'Update Match' });
      await editor
        .getByRole('button', { name: /^Why \d+\? Entries of .*, points/ })
        .first()
        .click();
      const trace = editor.getByRole('region', { name: 'Entries behind a number' });
      await expect(trace.getByText('The sum of the entries and their reversals.')).toBeVisible();
      await expect(trace.locator('tbody tr').first()).toBeVisible();
      await expect(trace.getByRole('heading')).toBeFocused();
      await expectAccessible(page);
      await trace.getByRole('button', { name: 'Close the entries' }).click();
      await page.keyboard.press('Escape');

      await page
        .getByRole('button', { name: `History ${first}, ${second}` })
        .first()
        .click();
      const history = page.getByRole('dialog', { name: 'Match History' });
      await expect(history.locator('tbody tr').first()).toBeVisible();
      const before = await history.locator('tbody tr').count();
      await history
        .getByRole('button', { name: /^Correct Points \+/ })
        .first()
        .click();
      await expect(history.getByText('What it would change')).toBeVisible();
      const rows = history.getByRole('table', { name: /^Rows of the standings of .* that would change/ });
      await expect(rows.getByRole('row', { name: first })).toBeVisible();
      await expect(rows.getByRole('row', { name: second })).toBeVisible();
      await expectAccessible(page);
      await history.getByLabel('What should happen to it?').selectOption({ index: 2 });
      await expect(history.getByText(/ → \d+ points/).first()).toBeVisible();
      await expectAccessible(page);
      await history.getByLabel(/Everybody can read the reason/).fill(`Recorded for the wrong player (${size})`);
      await history.getByRole('button', { name: 'Move', exact: true }).click();
      const toast = page.locator('.toast').filter({ hasText: 'Entry moved' });
      await expect(toast).toBeVisible();
      // Nothing lies over it, neither the dialog nor its overlay, and it lies over no way out.
      await toast.getByRole('button', { name: 'Dismiss' }).click({ trial: true });
      await history.getByRole('button', { name: 'Close dialog' }).click({ trial: true });
      await expect(history.getByText(`Recorded for the wrong player (${size})`)).toBeVisible();
      // One line for the reversal and the new entry.
      await expect(history.locator('tbody tr')).toHaveCount(before + 1);
      await page.keyboard.press('Escape');

      await page.getByRole('tab', { name: 'Audit' }).click();
      await page.getByLabel('What').selectOption('StatEntryMoved');
      await expect(page.getByText(`Recorded for the wrong player (${size})`)).toBeVisible();
      await expectAccessible(page);

      // Everybody sees that the result was corrected after its day.
      await page.goto(`/MatchDetails/${played._id}`);
      await page
        .getByText(/^Corrected /)
        .first()
        .click();
      await expect(page.getByText(`Recorded for the wrong player (${size})`)).toBeVisible();
      await expectAccessible(page);
      journey.expectNothingWrong();
    });

    test('the super admin rebuilds beside the live model, verifies the log and backs up', async ({ page }) => {
      test.slow();
      const journey = watch(page);
      await logIn(page, '/superadmin8080808080', { Id: superAdmin.id, Password: superAdmin.password });
      await page.getByRole('tab', { name: 'Operations' }).click();
      await expect(page.getByRole('region', { name: 'Log' }).first()).toContainText('Takes writes');
      await page.getByRole('button', { name: 'Rebuild' }).click();
      await expect(page.getByText('Rebuild: Done: the new read model is live')).toBeVisible();
      await expect(page.getByText(/equal in every row/)).toBeVisible();
      await page.getByRole('button', { name: 'Verify log' }).click();
      await expect(page.getByText('The chain is whole')).toBeVisible();
      await page.getByRole('button', { name: 'Back up now' }).click();
      await expect(page.getByText('Done and verified')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Switch back' })).toBeVisible();
      await expectAccessible(page);
      await expect(page.getByRole('region', { name: 'Last backup' })).toContainText('Everything is in it.');
      await page.getByRole('tab', { name: 'Audit' }).click();
      await expect(page.locator('.audit tbody tr').first()).toBeVisible();
      await expectAccessible(page);
      journey.expectNothingWrong();
    });

    test('the super admin erases a person with the keyboard alone, after reading what goes and what stays', async ({ page, request }) => {
      test.slow();
      const staff = await makeAdmin(request);
      const tournamentId = await makeTournament(request, staff, `Erasure Cup (${size})`);
      const team = `Erasure Eagles (${size})`;
      const teamId = await makeTeam(request, staff, tournamentId, team);
      const roster = (await (await request.get(`/api/team/${teamId}`)).json()) as {
        readonly players: readonly { readonly _id: string; readonly name: string }[];
      };
      const playerId = roster.players.find((player) => player.name === 'Chandra Rai')?._id ?? '';
      const journey = watch(page);
      await logIn(page, '/superadmin8080808080', { Id: superAdmin.id, Password: superAdmin.password });
      await page.getByRole('tab', { name: 'Operations' }).click();
      const section = page.getByRole('region', { name: 'Erase a person' });
      await section.getByLabel('Name, team, whole phone number or id').focus();
      await page.keyboard.type(team);
      await page.keyboard.press('Enter');
      await section.getByRole('button', { name: `Erase Chandra Rai, ${team}` }).focus();
      await expectAccessible(page);
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Erase a person' });
      await expect(dialog.getByText('the ID document')).toBeVisible();
      await expect(dialog.getByText(/entries in 0 matches: scores and standings do not change/)).toBeVisible();
      await dialog.getByLabel(/^Why\?/).focus();
      await page.keyboard.type(`Asked for it (${size})`);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await expect(dialog.getByLabel(/cannot be undone/)).toBeChecked();
      await expectAccessible(page);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await expect(dialog.getByRole('button', { name: 'Erase for good' })).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(section.getByText(/^Erased\. Details, photo and documents are gone/)).toBeVisible();
      await expect(dialog).toBeHidden();
      await expectAccessible(page);
      // What everybody reads of the player from then on.
      await expectAnswer(request, `/api/player/getPlayerById/${playerId}`, (player: { readonly name: string; readonly image: string }) => [
        player.name,
        player.image,
      ]).toEqual(['Former player', '']);
      await page.getByRole('tab', { name: 'Audit' }).click();
      await page.getByLabel('What').selectOption('PersonErased');
      await expect(page.getByText(`Asked for it (${size})`)).toBeVisible();
      journey.expectNothingWrong();
    });

    test('an admin sees what was refused of a match, and asks of the standings and of a player why a number is what it is', async ({ page, request }) => {
      test.slow();
      const staff = await makeAdmin(request);
      const { league, played } = await seededLeague(request);
      const refused = await request.put(`/api/match/matches/${played._id}`, { headers: { Authorization: `Bearer ${staff.token}` }, data: { time: 'noon' } });
      expect(refused.status()).toBe(400);
      const journey = watch(page);
      await logIn(page, '/adminlogin', { Email: staff.email, Password: staff.password });
      await page.getByRole('tab', { name: 'Audit' }).click();
      await page.getByLabel('What').selectOption('Refused');
      const line = page.getByRole('row', { name: /Refused: move a match to another day or time/ }).first();
      await expect(line).toContainText('Journey');
      await line.getByText('More', { exact: true }).click();
      await line.getByRole('button', { name: 'Only this match' }).click();
      await expect(page.getByText(/^Only one match: .+ v .+/)).toBeVisible();
      await expect(page.getByRole('link', { name: 'CSV' })).toHaveAttribute('href', `/api/audit.csv?type=Refused&match=${played._id}`);
      await page.getByLabel('What').selectOption('');
      await expect(page.getByText(/^Assigned the match /)).toBeVisible();
      await expectAccessible(page);

      await page.goto(`/standings/${league._id}`);
      await page
        .getByRole('button', { name: /^Why \d+\? .*, points$/ })
        .first()
        .click();
      const panel = page.getByRole('region', { name: 'Entries behind a number' });
      await expect(panel.locator('tbody tr').first()).toBeVisible();
      await expect(panel.getByRole('heading')).toBeFocused();
      await expectAccessible(page);
      // Those of all matches are folded.
      await panel.getByText(/^All \d+ entries, by match$/).click();
      await expect(panel.getByRole('table', { name: /^Entries behind / })).toBeVisible();
      await expectAccessible(page);
      // A part opens its own entries, and leads back.
      await panel.getByRole('button', { name: /^v / }).first().click();
      await expect(panel.getByRole('heading', { name: /^Why \d+\? Score of / })).toBeFocused();
      await expect(panel.getByRole('row', { name: /^Sum of the entries/ })).toBeVisible();
      await expectAccessible(page);
      await panel.getByRole('button', { name: 'Back' }).click();
      await expect(panel.getByRole('heading', { name: /^Why \d+\? Standings points of / })).toBeFocused();
      await panel.getByRole('button', { name: 'Close the entries' }).click();
      const match = (await (await request.get(`/api/match/matches/${played._id}`)).json()) as {
        readonly player_stats: readonly { readonly player_id: string; readonly notplayed: string }[];
      };
      await page.goto(`/player/${match.player_stats.find(({ notplayed }) => notplayed === 'played')?.player_id ?? ''}`);
      await page.getByRole('button', { name: /average points$/ }).click();
      await expect(panel.getByText(/ points in \d+ match(es)? played, to one decimal\./)).toBeVisible();
      await expectAccessible(page);
      journey.expectNothingWrong();
    });

    test('a page stays while a part of it cannot be fetched, and shows it once the server is back', async ({ page, request }) => {
      const staff = await makeAdmin(request);
      const { league } = await seededLeague(request);
      await logIn(page, '/adminlogin', { Email: staff.email, Password: staff.password });
      await expect(page).toHaveURL('/admin');
      await page.goto(`/standings/${league._id}`);
      const why = page.getByRole('button', { name: /^Why \d+\? .*, points$/ }).first();
      await expect(why).toBeVisible();
      await page.route('**/*', async (route) => route.abort('connectionrefused'));
      await why.click();
      const panel = page.getByRole('region', { name: 'Entries behind a number' });
      await expect(panel.getByRole('alert')).toContainText('The server does not answer');
      await expect(panel.getByRole('heading')).toBeFocused();
      await expect(why).toBeVisible();
      await panel.getByRole('button', { name: 'Close the entries' }).click();
      await expect(panel).toHaveCount(0);
      await expect(why).toBeFocused();
      await why.click();
      await expect(panel.getByRole('alert')).toBeVisible();
      await page.unroute('**/*');
      await panel.getByRole('button', { name: 'Try again' }).click();
      await expect(panel.getByRole('heading', { name: /^Why \d+\? Standings points of / })).toBeFocused();
      // With its style sheets, which did not come either.
      await expect(panel.locator('.trace__h')).toHaveCSS('display', 'flex');
      await expectAccessible(page);
      await page.route('**/*', async (route) => route.abort('connectionrefused'));
      await page.getByRole('link', { name: 'Verify a season file' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('The server does not answer');
      await page.unroute('**/*');
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Verify a season file');
      await expect(page.locator('.verify__drop')).toHaveCSS('display', 'grid');
    });

    test('anybody follows the standings through the season and verifies its file', async ({ page, request }) => {
      const { league } = await seededLeague(request);
      const journey = watch(page);
      await page.goto(`/standings/${league._id}`);
      const slider = page.getByLabel('Match day');
      await expect(slider).toBeVisible();
      await slider.press('Home');
      await expect(page.getByText(/^Standings after /).first()).toBeVisible();
      await expectAccessible(page);
      // The address is of that day: whoever opens it is led to its table.
      await expect(page).toHaveURL(/\?day=\d{4}-\d\d-\d\d$/);
      const ofThatDay = page.url();
      await page.goto('about:blank');
      await page.goto(ofThatDay);
      await expect(page.getByRole('heading', { name: 'Over time' })).toBeInViewport();
      await expect(page.getByText(/^Standings after /).first()).toBeVisible();
      const file = await (await request.get(`/api/tournaments/${league._id}/season-file`)).body();
      await page.goto('/verify');
      const chooser = page.getByLabel(/Drop a season file here/);
      await chooser.setInputFiles({ name: 'season.jsonl', mimeType: 'application/octet-stream', buffer: file });
      await expect(page.getByText('Genuine: signed by this server, and every score adds up from its entries.')).toBeVisible();
      await expect(page.getByText(/^Up to position/)).toHaveCSS('margin-bottom', '18px');
      await expectAccessible(page);
      await chooser.setInputFiles({
        name: 'season.jsonl',
        mimeType: 'application/octet-stream',
        buffer: Buffer.from(file.toString().replace('"points":', '"points":1')),
      });
      await expect(page.getByText('Forged: the signature does not fit the content.')).toBeVisible();
      await chooser.setInputFiles({ name: 'season.jsonl', mimeType: 'application/octet-stream', buffer: signAgain(file, 'W'.repeat(4000)) });
      await expect(page.getByText('Whole and adding up, but signed with the key of another server.')).toBeVisible();
      await expectAccessible(page);
      journey.expectNothingWrong();
    });
  });
}
