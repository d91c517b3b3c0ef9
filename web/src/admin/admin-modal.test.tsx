import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { answerWith, renderSite } from '../testing/render-site.tsx';
import { adminTournament } from '../testing/staff-builder.ts';

const styleOf = (part: string, name: string): string | undefined => document.querySelector<HTMLElement>(`.mantine-Modal-${part}`)?.style.getPropertyValue(name);

it('opens a dialog as it is drawn: before a dark sheet, its corners round, never further down than a low screen has room for', async () => {
  localStorage.clear();
  localStorage.setItem('atoken', 'a.b.c');
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
  answerWith({
    '/admin/check-token': { body: { _id: 'a1', username: 'pema', email: 'pema@example.com' } },
    '/tournaments/admin-tournaments': { body: [adminTournament()] },
  });
  const { user } = renderSite('/admin');
  await user.click(await screen.findByRole('button', { name: 'Create Tournament' }));
  await screen.findByRole('dialog');
  expect(styleOf('overlay', '--overlay-bg')).toBe('rgba(5, 7, 10, 0.85)');
  expect(styleOf('root', '--modal-radius')).toBe('var(--mantine-radius-lg)');
  expect(styleOf('root', '--modal-y-offset')).toBe('min(40px, 5dvh)');
});
