import { expect, type Page } from '@playwright/test';
import { test } from './journey.ts';
import { picture } from './pictures.ts';
import { logIn, pickDay, watch } from './site.ts';
import { makeAdmin, makeTeam, makeTournament } from './staff.ts';
import { fillPlayer } from './wizard.ts';

const image = () => ({ name: 'picture.png', mimeType: 'image/png', buffer: picture(240, 300) });
const fill = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
};

test('the main job: a manager registers a team and enters it, an admin assigns its match and records it, a fan reads the standings that follow', async ({
  page,
  context,
  request,
}) => {
  test.slow();
  const part = crypto.randomUUID().slice(0, 6);
  const [tournament, team, rivals] = [`Main Cup ${part}`, `Ilam Ibexes ${part}`, `Palpa Pumas ${part}`];
  const staff = await makeAdmin(request);
  const tournamentId = await makeTournament(request, staff, tournament);
  await makeTeam(request, staff, tournamentId, rivals);
  const manager = watch(page);

  await page.goto(`/registerteam/${tournamentId}`);
  await fill(page, { 'Team name': team, 'Origin / Location': 'Ilam', 'Primary number': '9841023776' });
  await page.getByLabel('Team logo').setInputFiles(image());
  await page.getByRole('button', { name: 'Save & Continue' }).click();
  await fill(page, { 'Coach name': 'Sita Sharma', 'Primary phone number': '9841000001', 'Secondary phone number': '9841000002' });
  await page.getByLabel('Coach photo').setInputFiles(image());
  await page.getByRole('button', { name: 'Save & Continue' }).click();
  for (const [index, name] of ['Asim Rai', 'Binod Limbu', 'Dawa Sherpa', 'Gopal Thapa'].entries()) {
    await fillPlayer(page, { name, phone: `984200000${String(index)}`, number: String(index + 4) });
    await page.getByRole('button', { name: 'Add Player to Team' }).click();
    await expect(page.getByRole('heading', { name: `${String(index + 1)} player${index === 0 ? '' : 's'} added` })).toBeVisible();
  }
  await page.getByRole('button', { name: 'Complete Registration' }).click();
  await expect(page.getByText('Team added successfully!')).toBeVisible();
  manager.expectNothingWrong();

  // The fan is there before anything is played: the table follows by itself.
  const fan = await context.newPage();
  const reading = watch(fan);
  await fan.goto(`/standings/${tournamentId}`);
  await expect(fan.getByText(tournament).first()).toBeVisible();

  const court = await context.newPage();
  const recording = watch(court);
  await logIn(court, '/adminlogin', { Email: staff.email, Password: staff.password });
  await court.getByRole('searchbox').fill(tournament);
  await court.getByRole('button', { name: `Add Match to ${tournament}` }).click();
  const assign = court.getByRole('dialog', { name: 'Assign Match' });
  for (const name of [team, rivals]) await assign.getByRole('button', { name }).click();
  await pickDay(court, 'Match date', '15');
  await assign.getByRole('button', { name: 'Add Match' }).click();
  await expect(court.getByText('Match added succesfully')).toBeVisible();
  await court.getByRole('tab', { name: 'Matches' }).click();
  await court.getByRole('searchbox').fill(team);
  await court.getByRole('button', { name: `Edit ${team}, ${rivals}` }).click();
  const editor = court.getByRole('dialog', { name: 'Update Match' });
  await editor.getByRole('region', { name: team }).getByLabel('Add points, Dawa Sherpa').fill('12');
  await editor.getByRole('region', { name: rivals }).getByLabel('Add points, Bishal Tamang').fill('9');
  await editor.getByRole('button', { name: 'Update Match' }).click();
  await expect(court.getByText('Match updated successfully')).toBeVisible();
  recording.expectNothingWrong();

  const rowOf = (name: string) => fan.getByRole('row').filter({ hasText: name }).getByRole('cell');
  await expect(rowOf(team)).toHaveText(['1', '1', '1', '0', '2', '12', '9', '+3']);
  await expect(rowOf(rivals)).toHaveText(['2', '1', '0', '1', '1', '9', '12', '−3']);
  reading.expectNothingWrong();
});
