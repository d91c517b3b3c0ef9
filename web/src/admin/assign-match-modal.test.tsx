import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { pickDay } from '../testing/pick-day.ts';
import { answerWith, renderSite } from '../testing/render-site.tsx';
import { adminTournament, enteredTeam } from '../testing/staff-builder.ts';
import { canAssign, pickTeam } from './assign-match.rules.ts';

const wanted = 'Please select exactly two teams and a match date to assign a match.';
const open = async (answer: { status?: number; body?: unknown } = { status: 201, body: {} }) => {
  localStorage.setItem('atoken', 'a.b.c');
  const api = answerWith({
    '/admin/check-token': { body: { _id: 'a1', username: 'pema', email: 'pema@example.com' } },
    '/tournaments/admin-tournaments': { body: [adminTournament()] },
    '/tournaments/t1': {
      body: { ...adminTournament(), teams: [enteredTeam('k', 'Kings'), enteredTeam('p', 'Panthers'), enteredTeam('r', 'Rhinos')], matches: [] },
    },
    'POST /tournaments/create-match-and-save-to-tournament': answer,
  });
  const { user } = renderSite('/admin');
  await user.click(await screen.findByRole('button', { name: 'Add Match to Valley Winter Classic 2083' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Assign Match' }));
  await modal.findByRole('button', { name: 'Kings' });
  const picked = (): readonly (string | null)[] => modal.queryAllByRole('button', { pressed: true }).map((button) => button.children[1]?.textContent ?? null);
  const pick = (name: string): Promise<void> => user.click(modal.getByRole('button', { name }));
  const pickDate = (day: number): Promise<void> => pickDay(user, modal, 'Match date', day);
  return { ...api, user, modal, picked, pick, pickDate };
};

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
});

describe('picking teams', () => {
  it('toggles a team, and a third pick replaces the selection with only the new team', async () => {
    const { pick, picked } = await open();
    await pick('Kings');
    expect(picked()).toEqual(['Kings']);
    await pick('Kings');
    expect(picked()).toEqual([]);
    await pick('Kings');
    await pick('Panthers');
    expect(picked()).toEqual(['Kings', 'Panthers']);
    await pick('Rhinos');
    expect(picked()).toEqual(['Rhinos']);
  });

  it('is a rule of its own', () => {
    expect(pickTeam([], 'a')).toEqual(['a']);
    expect(pickTeam(['a', 'b'], 'b')).toEqual(['a']);
    expect(pickTeam(['a', 'b'], 'c')).toEqual(['c']);
    expect([canAssign(['a', 'b'], '2026-11-21'), canAssign(['a', 'b'], ''), canAssign(['a'], '2026-11-21'), canAssign([], null)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('assigning a match', () => {
  it('needs two teams and a date, and says so', async () => {
    const { user, modal, pick, sent } = await open();
    await user.click(modal.getByRole('button', { name: 'Add Match' }));
    expect(modal.getByRole('alert')).toHaveTextContent(wanted);
    await pick('Kings');
    await pick('Panthers');
    await user.click(modal.getByRole('button', { name: 'Add Match' }));
    expect(modal.getByRole('alert')).toHaveTextContent(wanted);
    expect(sent).toEqual([]);
  });

  it("says 'Match added succesfully' on 201, with or without a time", async () => {
    const { user, modal, pick, pickDate, sent } = await open();
    await pick('Kings');
    await pick('Panthers');
    await pickDate(15);
    await user.click(modal.getByRole('button', { name: 'Add Match' }));
    expect(await screen.findByText('Match added succesfully')).toBeInTheDocument();
    expect(sent[0]?.body).toEqual({
      teamAId: 'k',
      teamBId: 'p',
      tournamentId: 't1',
      matchTime: '',
      matchDate: expect.stringMatching(/^\d{4}-\d{2}-15$/) as unknown,
    });
  });

  it("says 'Something went wrong' on failure, and sends the time that was given", async () => {
    const { user, modal, pick, pickDate, sent } = await open({ status: 500, body: {} });
    await pick('Kings');
    await pick('Rhinos');
    await pickDate(15);
    fireEvent.change(modal.getByLabelText('Match time (optional)'), { target: { value: '16:30' } });
    await user.click(modal.getByRole('button', { name: 'Add Match' }));
    expect(await modal.findByRole('alert')).toHaveTextContent('Something went wrong');
    expect(sent[0]?.body).toMatchObject({ matchTime: '16:30' });
  });

  it('shows what was sent and nothing else after a lost answer; the focus waits on the button that asks again', async () => {
    const answer: { status?: number; body?: unknown } = {
      status: 503,
      body: { message: 'It is not known whether this was recorded. It may be sent again with the same Idempotency-Key.' },
    };
    const { user, modal, pick, pickDate, picked, sent } = await open(answer);
    await pick('Kings');
    await pick('Rhinos');
    await pickDate(15);
    await user.type(modal.getByLabelText('Match time (optional)'), '16:30{Enter}');
    expect(await modal.findByRole('alert')).toHaveTextContent(
      /^Something went wrongIt is not known whether this was recorded\. Add Match asks again for exactly this, and nothing is counted twice\.$/,
    );
    expect(modal.getByRole('button', { name: 'Add Match' })).toHaveFocus();
    expect(
      [modal.getByLabelText('Match time (optional)'), modal.getByRole('button', { name: 'Match date' }), modal.getByRole('button', { name: 'Panthers' })].map(
        (field) => field.matches(':disabled'),
      ),
    ).toEqual([true, true, true]);
    await pick('Panthers');
    expect(picked()).toEqual(['Kings', 'Rhinos']);
    await user.click(modal.getByRole('button', { name: 'Close' }));
    expect(modal.getByText('Discard what you typed?')).toBeInTheDocument();
    await user.click(modal.getByRole('button', { name: 'Keep editing' }));
    Object.assign(answer, { status: 400, body: { message: 'matchTime must be a time' } });
    await user.click(modal.getByRole('button', { name: 'Add Match' }));
    expect(await modal.findByText('Match time must be a time')).toBeInTheDocument();
    expect(modal.getByLabelText('Match time (optional)')).toBeEnabled();
    expect(new Set(sent.map(({ headers, body }) => `${String(headers.get('Idempotency-Key'))} ${JSON.stringify(body)}`)).size).toBe(1);
  });

  it('leads to the field that the server refuses, and says no more of it once it is changed', async () => {
    const { user, modal, pick, pickDate } = await open({
      status: 400,
      body: { message: 'matchTime must be a time', errors: [{ path: 'matchTime', message: 'matchTime must be a time' }] },
    });
    await pick('Kings');
    await pick('Rhinos');
    await pickDate(15);
    const time = modal.getByLabelText('Match time (optional)');
    await user.type(time, '25:00');
    await user.click(modal.getByRole('button', { name: 'Add Match' }));
    await waitFor(() => {
      expect(time).toHaveFocus();
    });
    expect(time).toHaveAccessibleDescription('Match time must be a time');
    await user.keyboard('{Backspace}');
    expect(time).toBeValid();
    expect(modal.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('cuts no time that is written with PM: it is refused at the field', async () => {
    const message = 'matchTime must be a time such as 14:30, or empty';
    const { user, modal, pick, pickDate, sent } = await open({ status: 400, body: { message, errors: [{ path: 'matchTime', message }] } });
    await pick('Kings');
    await pick('Rhinos');
    await pickDate(15);
    const time = modal.getByLabelText('Match time (optional)');
    await user.type(time, '4:30 PM{Enter}');
    expect(await modal.findByRole('alert')).toBeInTheDocument();
    expect(sent.map(({ body }) => body)).toEqual([expect.objectContaining({ matchTime: '4:30 PM' })]);
    expect(time).toHaveValue('4:30 PM');
    expect(time).toHaveAccessibleDescription('Match time must be a time such as 14:30, or empty');
  });

  it('says no more what is missing once something is picked', async () => {
    const { user, modal, pick } = await open();
    await user.click(modal.getByRole('button', { name: 'Add Match' }));
    await pick('Kings');
    expect(modal.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('gives the focus back to the field from which a refused match was sent', async () => {
    const { user, modal, pick, pickDate } = await open({ status: 400, body: {} });
    await pick('Kings');
    await pick('Rhinos');
    await pickDate(15);
    await user.type(modal.getByLabelText('Match time (optional)'), '16:30{Enter}');
    await modal.findByRole('alert');
    await waitFor(() => expect(modal.getByLabelText('Match time (optional)')).toHaveFocus());
  });
});
