import { expect, type Page } from '@playwright/test';
import { pdf, picture } from './pictures.ts';

/** A file as a person chooses it. */
export const chosen = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer });
export const document = () => chosen('citizenship.pdf', 'application/pdf', pdf());

type Player = { readonly name: string; readonly phone: string; readonly number: string };

/** Fills in a player of the wizard's third step, files and all, and does not send it. */
export const fillPlayer = async (page: Page, { name, phone, number }: Player): Promise<void> => {
  await page.getByLabel('Player name').fill(name);
  await page.getByLabel('Contact number').fill(phone);
  await page.getByLabel('Age').fill('21');
  await page.getByLabel('Jersey number', { exact: true }).fill(number);
  await page.getByLabel('Height in cm').fill('186');
  await page.getByLabel('Weight in kg').fill('78');
  await page.getByLabel('Player photo').setInputFiles(chosen('player.png', 'image/png', picture(240, 300)));
  await page.getByLabel('ID document').setInputFiles(document());
  for (const file of ['player.png', 'citizenship.pdf']) await expect(page.getByText(file)).toBeVisible();
};
