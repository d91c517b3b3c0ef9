import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { tabTo } from './keyboard.ts';
import { expectAccessible, expectAnswer, sizes, watch } from './site.ts';
import { makeAdmin, makeTeam, makeTournament, superAdmin } from './staff.ts';

for (const { name: size, viewport } of sizes) {
  test.describe(`the super admin on a ${size}`, () => {
    test.use({ viewport });

    test('creates and edits an admin, who can then log in', async ({ page, request }) => {
      test.slow();
      const username = `pema.sherpa-${crypto.randomUUID().slice(0, 6)}`;
      const email = `${username}@example.com`;
      const journey = watch(
        page,
        (path, status) => (status === 401 && path === '/api/superadmin/login') || (status === 409 && path === '/api/superadmin/create-admin'),
      );

      await page.goto('/superadminakakakakak');
      await expect(page).toHaveURL('/superadmin8080808080');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Super admin login');
      await page.getByLabel('Id').fill(superAdmin.id);
      await page.getByLabel('Password').fill('not the password');
      await page.getByRole('button', { name: 'Log in' }).click();
      await expect(page.getByRole('alert')).toHaveText('Invalid Credentials');
      await expectAccessible(page);
      await page.getByLabel('Password').fill(superAdmin.password);
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL('/superadminakakakakak');
      expect(await page.evaluate<string>("localStorage.getItem('stoken')")).toMatch(/^ey/);
      await expect(page.getByRole('tab', { selected: true })).toHaveText('Admin History');
      await expectAccessible(page);

      await page.getByRole('button', { name: 'Create Admin' }).click();
      const form = page.getByRole('dialog', { name: 'Create Admin' });
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await expect(form.getByText('Username is required')).toBeVisible();
      await expect(form.getByLabel('Username')).toBeFocused();
      await form.getByLabel('Username').fill(username);
      await form.getByLabel('Phone number').fill('9803311204');
      await form.getByLabel('Email').fill('pema@');
      await form.getByLabel('Password').fill('mountain-court-19');
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await expect(form.getByText('email must be a valid e-mail address')).toBeVisible();
      await expectAccessible(page);
      await form.getByLabel('Email').fill(email);
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await expect(page.getByText('Admin Created Successfully')).toBeVisible();

      // The same address again is refused, and the form stays.
      await page.getByRole('button', { name: 'Create Admin' }).click();
      for (const [label, value] of [
        ['Username', 'another'],
        ['Phone number', '9803311205'],
        ['Email', email],
        ['Password', 'mountain-court-20'],
      ] as const)
        await form.getByLabel(label).fill(value);
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await expect(form.getByRole('alert')).toBeVisible();
      await form.getByRole('button', { name: 'Close', exact: true }).click();
      await form.getByRole('button', { name: 'Discard', exact: true }).click();

      await page.getByRole('searchbox', { name: 'Search admins' }).fill(username);
      await expect(page.getByText('1 admin', { exact: true })).toBeVisible();
      await page.getByRole('button', { name: `Edit Admin ${username}` }).click();
      const edit = page.getByRole('dialog', { name: 'Edit Admin' });
      await expect(edit.getByLabel('Email')).toHaveValue(email);
      await edit.getByLabel('Phone number').fill('+977 980 3311 204');
      await expectAccessible(page);
      await edit.getByRole('button', { name: 'Update' }).click();
      await expect(page.getByText('Admin Updated Successfully')).toBeVisible();
      await expect(page.getByText('+977 980 3311 204').first()).toBeVisible();
      // The password was left empty: the old one still opens the door.
      expect((await request.post('/api/admin/login', { data: { email, password: 'mountain-court-19' } })).status()).toBe(200);

      await page.getByRole('tab', { name: 'Tournament' }).click();
      await page.getByRole('searchbox').fill('Himalayan Hoops');
      await expect(page.getByRole('link', { name: 'View Himalayan Hoops League 2083' })).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('tab', { name: 'Users' }).click();
      await page.getByRole('searchbox').fill('Kathmandu Kings');
      await expect(page.getByText('1 user', { exact: true })).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Roster of Kathmandu Kings' }).click();
      await expect(page.getByRole('dialog', { name: 'Roster' }).getByRole('row')).not.toHaveCount(0);
      await expectAccessible(page);
      await page.keyboard.press('Escape');

      await page.getByRole('button', { name: 'Log out' }).click();
      await expect(page).toHaveURL('/superadmin8080808080');
      expect(await page.evaluate<string | null>("localStorage.getItem('stoken')")).toBeNull();
      journey.expectNothingWrong();
    });

    test('edits a tournament and a team, which everybody sees', async ({ page, request }) => {
      test.slow();
      const mark = crypto.randomUUID().slice(0, 6);
      const staff = await makeAdmin(request);
      const tournamentId = await makeTournament(request, staff, `Edited Cup ${mark}`);
      const teamId = await makeTeam(request, staff, tournamentId, `Edited Eagles ${mark}`);
      const journey = watch(page);
      await page.goto('/superadmin8080808080');
      await page.getByLabel('Id').fill(superAdmin.id);
      await page.getByLabel('Password').fill(superAdmin.password);
      await page.keyboard.press('Enter');

      await page.getByRole('tab', { name: 'Tournament' }).click();
      await page.getByRole('searchbox').fill(mark);
      await expect(page.getByText('1 tournament', { exact: true })).toBeVisible();
      await expect(page.getByText('01-5970456')).toBeVisible();
      await page.getByRole('button', { name: `Edit Edited Cup ${mark}` }).click();
      const tournament = page.getByRole('dialog', { name: 'Edit Tournament' });
      await tournament.getByLabel('Organizer phone number').fill('061-520520');
      await tournament.getByLabel('Location').fill('Pokhara Rangasala');
      await expectAccessible(page);
      await tournament.getByRole('button', { name: 'Update Tournament' }).click();
      await expect(page.getByText('Tournament updated successfully')).toBeVisible();
      await expect(tournament).toBeHidden();
      await expect(page.getByText('061-520520')).toBeVisible();
      await expectAnswer(request, `/api/tournaments/${tournamentId}`).toMatchObject({ name: `Edited Cup ${mark}`, location: 'Pokhara Rangasala' });

      await page.getByRole('tab', { name: 'Users' }).click();
      await page.getByRole('searchbox').fill(mark);
      await expect(page.getByText('1 user', { exact: true })).toBeVisible();
      await expect(page.getByText('9800000011')).toBeVisible();
      await expect(page.getByRole('cell', { name: `Edited Cup ${mark}` })).toBeVisible();
      await page.getByRole('button', { name: `Edit Edited Eagles ${mark}` }).click();
      const team = page.getByRole('dialog', { name: 'Edit Team' });
      await team.getByLabel('Primary number').first().fill('9847777777');
      await team.getByLabel('Coach name').fill('Sita Sharma');
      await expectAccessible(page);
      await team.getByRole('button', { name: 'Update Team' }).click();
      await expect(page.getByText('Team updated')).toBeVisible();
      await expect(team).toBeHidden();
      await expect(page.getByText('9847777777')).toBeVisible();
      await expectAnswer(request, `/api/team/${teamId}`).toMatchObject({ team_details: { name: `Edited Eagles ${mark}` }, coach: { name: 'Sita Sharma' } });

      // The audit says whose correction it was.
      await page.getByRole('button', { name: `Audit of Edited Eagles ${mark}` }).click();
      await expect(page.getByRole('row').filter({ hasText: superAdmin.id }).first()).toBeVisible();
      journey.expectNothingWrong();
    });
  });
}

test('the super admin creates an admin with the keyboard alone', async ({ page }) => {
  const username = `rita.rai-${crypto.randomUUID().slice(0, 6)}`;
  const journey = watch(page);
  await page.goto('/superadmin8080808080');
  await expect(page.getByLabel('Id')).toBeVisible();
  await tabTo(page, 'Id');
  await page.keyboard.type(superAdmin.id);
  await tabTo(page, 'Password');
  await page.keyboard.type(superAdmin.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Create Admin' })).toBeVisible();
  await tabTo(page, 'Create Admin');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Create Admin' })).toBeVisible();
  for (const [label, value] of [
    ['Username', username],
    ['Phone number', '9803311206'],
    ['Email', `${username}@example.com`],
    ['Password', 'mountain-court-21'],
  ] as const) {
    await tabTo(page, label);
    await page.keyboard.type(value);
  }
  await page.keyboard.press('Enter');
  await expect(page.getByText('Admin Created Successfully')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create Admin' })).toBeFocused();
  await expect(page.getByText(`${username}@example.com`)).toBeVisible();
  journey.expectNothingWrong();
});
