import { mandatoryRequestFields } from '@courtledger/contracts/request/request.api';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answerWith, renderSite } from '../testing/render-site.tsx';
import { mandatoryFields } from './request-tournament.rules.ts';

const values = [
  ['Tournament name', 'Terai Night League'],
  ['Contact phone 1', '9851033421'],
  ['Contact phone 2', '9851033422'],
  ['Organizer name', 'Janakpur Youth Sports Club'],
  ['Location', 'Janakpurdham'],
  ['Prize pool', 'NPR 1,50,000 and a trophy'],
] as const;
const fill = async (): Promise<void> => {
  await screen.findByLabelText('Tournament name');
  for (const [label, value] of values) fireEvent.change(screen.getByLabelText(label), { target: { value } });
};
const later = async (ms: number): Promise<void> => {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });
};

beforeEach(() => {
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
});
afterEach(() => {
  vi.useRealTimers();
});

it('knows the mandatory fields of the contract', () => {
  expect(mandatoryFields).toEqual(mandatoryRequestFields);
});

describe('the request form', () => {
  it('lists the missing mandatory fields in order and focuses the first', async () => {
    const { sent } = answerWith({});
    const { user } = renderSite('/register');
    expect(await screen.findByRole('heading', { level: 1, name: 'Register Your Tournament' })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Register Tournament' }));
    expect(screen.getByRole('alert')).toHaveTextContent('Please fill in all mandatory fields: tournamentName, contactPhone1, contactPhone2, organizerName, location, prizePool');
    await fill();
    fireEvent.change(screen.getByLabelText('Location'), { target: { value: ' ' } });
    await user.click(screen.getByRole('button', { name: 'Register Tournament' }));
    expect(screen.getByRole('alert')).toHaveTextContent(/^Please fill in all mandatory fields: location$/);
    expect(screen.getByLabelText('Location')).toHaveFocus();
    expect(screen.getByLabelText('Location')).toHaveAccessibleDescription('Location is required');
    expect(sent).toEqual([]);
  });

  it("says 'Submitting...' for two seconds, sends the request, and then the success", async () => {
    const { sent } = answerWith({ 'POST /tournaments/requests': { status: 201, body: { _id: 'r1' } } });
    renderSite('/register');
    await fill();
    vi.useFakeTimers();
    fireEvent.click(screen.getByRole('button', { name: 'Register Tournament' }));
    await later(1900);
    expect(screen.getByRole('button', { name: 'Submitting...' })).toHaveAttribute('aria-disabled', 'true');
    fireEvent.click(screen.getByRole('button', { name: 'Submitting...' }));
    await later(100);
    expect(screen.getByRole('status')).toHaveTextContent('Tournament registration submitted successfully!');
    expect(screen.getByRole('button', { name: 'Register Tournament' })).toBeInTheDocument();
    expect(screen.getByLabelText('Tournament name')).toHaveValue('');
    expect(sent.map(({ call, body }) => [call, body])).toEqual([
      ['POST /tournaments/requests', { tournamentName: 'Terai Night League', contactPhone1: '9851033421', contactPhone2: '9851033422', email: '', organizerName: 'Janakpur Youth Sports Club', location: 'Janakpurdham', prizePool: 'NPR 1,50,000 and a trophy' }],
    ]);
  });

  it('says that it failed, keeps what was written, and shows the fault of a field', async () => {
    answerWith({ 'POST /tournaments/requests': { status: 400, body: { message: 'x', errors: [{ path: 'contactPhone1', message: 'contactPhone1 must be 7 to 20 digits, spaces, + or -' }] } } });
    renderSite('/register');
    await fill();
    vi.useFakeTimers();
    fireEvent.click(screen.getByRole('button', { name: 'Register Tournament' }));
    await later(2000);
    expect(screen.getByRole('alert')).toHaveTextContent('An error occurred. Please try again.');
    expect(screen.getByLabelText('Tournament name')).toHaveValue('Terai Night League');
    expect(screen.getByLabelText('Contact phone 1')).toHaveAccessibleDescription('Contact phone 1 must be 7 to 20 digits, spaces, + or -');
  });

  it('refuses a poster that is no image', async () => {
    answerWith({});
    renderSite('/register');
    fireEvent.change(await screen.findByLabelText('Poster (optional)'), { target: { files: [new File(['x'], 'poster.pdf', { type: 'application/pdf' })] } });
    expect(await screen.findByText('File must be an image (jpeg, jpg, png) and less than 25MB')).toBeInTheDocument();
  });
});
