import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answerWith, renderSite } from '../testing/render-site.tsx';
import { mandatoryFields } from './request-tournament.rules.ts';

const labels = { tournamentName: 'Tournament name', contactPhone1: 'Contact phone 1', contactPhone2: 'Contact phone 2', email: 'Email (optional)', organizerName: 'Organizer name', location: 'Location', prizePool: 'Prize pool' } as const;
const whole = { tournamentName: 'Terai Night League', contactPhone1: '9851033421', contactPhone2: '9851033422', organizerName: 'Club', location: 'Janakpur', prizePool: 'NPR 1,50,000 and a trophy' } as const;

const fill = (fields: Readonly<Partial<Record<keyof typeof labels, string>>>): void => {
  for (const [field, value] of Object.entries(fields)) fireEvent.change(screen.getByLabelText(labels[field as keyof typeof labels]), { target: { value } });
};

const open = async (answer: { status?: number; body?: unknown } = { status: 201, body: {} }) => {
  const api = answerWith({ 'POST /tournaments/requests': answer });
  const { user } = renderSite('/register');
  await screen.findByRole('heading', { level: 1, name: 'Register Your Tournament' });
  const send = (): Promise<void> => user.click(screen.getByRole('button', { name: 'Register Tournament' }));
  return { ...api, user, send };
};

beforeEach(() => {
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:preview' }));
});

describe('the tournament request form', () => {
  it('has the eight fields of the specification, of which e-mail and poster are optional', async () => {
    await open();
    expect(Array.from(document.querySelectorAll('form input'), (input) => input.getAttribute('name'))).toEqual(['tournamentName', 'contactPhone1', 'contactPhone2', 'email', 'organizerName', 'location', 'prizePool', 'poster']);
    expect(screen.getByLabelText('Prize pool')).toHaveAttribute('type', 'text');
    expect(screen.getByLabelText('Poster (optional)')).toHaveAttribute('accept', 'image/*');
    expect(mandatoryFields.length + 2).toBe(8);
  });

  it("says 'Submitting...' for at least two seconds, then the success in green", async () => {
    const { send, sent } = await open();
    fill(whole);
    const before = performance.now();
    await send();
    expect(screen.getByRole('button', { name: 'Submitting...' })).toBeInTheDocument();
    const banner = await screen.findByText('Tournament registration submitted successfully!');
    expect(performance.now() - before).toBeGreaterThan(1950);
    expect(banner.closest('.banner')).toHaveClass('banner--ok');
    expect(sent.map((command) => [command.call, command.body])).toEqual([['POST /tournaments/requests', { ...whole, email: '' }]]);
    expect(screen.getByRole('button', { name: 'Register Tournament' })).toBeInTheDocument();
  });

  it('says what cannot be an address or a number under its field, before anything is sent', async () => {
    const { send, sent } = await open();
    fill({ ...whole, contactPhone2: '12', email: 'nope' });
    await send();
    expect(screen.getByLabelText('Contact phone 2')).toHaveAccessibleDescription(/^contactPhone2 must be 7 to 20 digits|^Contact phone 2 must be 7 to 20 digits/i);
    expect(screen.getByLabelText('Contact phone 2')).toHaveFocus();
    expect(screen.getByLabelText('Email (optional)')).toHaveAccessibleDescription(/^Email must be a valid e-mail address$/i);
    expect(sent).toEqual([]);
    expect(screen.queryByText('An error occurred. Please try again.')).not.toBeInTheDocument();
    fill({ contactPhone2: whole.contactPhone2, email: 'club@example.com' });
    await send();
    expect(await screen.findByText('Tournament registration submitted successfully!')).toBeInTheDocument();
    expect(sent.map(({ body }) => body)).toEqual([{ ...whole, email: 'club@example.com' }]);
  });

  it("says 'An error occurred. Please try again.' in red when it was not stored, and keeps what was written", async () => {
    const { send } = await open({ status: 500, body: {} });
    fill(whole);
    await send();
    const banner = await screen.findByText('An error occurred. Please try again.');
    expect(banner.closest('.banner')).toHaveClass('banner--bad');
    expect(screen.getByLabelText('Tournament name')).toHaveValue('Terai Night League');
  });
});
