import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, it } from 'vitest';
import { answerWith } from '../testing/render-site.tsx';
import { correctionPreview, historyEntry, listedMatch } from '../testing/staff-builder.ts';
import { CorrectionForm } from './correction-form.tsx';

const match = listedMatch();
const entry = historyEntry({ player_id: '1' });
const of = (what: string): string => `POST /match/matches/${match.matchId}/stat-entries/e1/${what}`;
const asked = { reversal: `${of('reversal')}/preview`, move: `${of('move')}/preview` };

type Answer = Parameters<typeof answerWith>[0][string];
/** Answers that a test may change under way. */
const answer = (first: Answer): { -readonly [K in keyof Answer]: Answer[K] } => ({ ...first });

const open = (answers: Parameters<typeof answerWith>[0]) => {
  const { sent } = answerWith(answers);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <CorrectionForm match={match} row={entry} to="" onDone={() => {}} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return {
    user: userEvent.setup(),
    bodies: (what: string) => sent.filter(({ call }) => call === of(what)).map(({ body }) => body),
    previews: () => sent.filter(({ call }) => call.endsWith('/preview')).length,
  };
};
const reason = () => screen.getByLabelText(/Everybody can read the reason/);
const button = (name: string) => screen.getByRole('button', { name });
const shown = async (): Promise<HTMLElement> => screen.findByText(/^What it would change in/);

beforeEach(() => {
  localStorage.clear();
});

it('sends nothing before it is known what it would change, and says so', async () => {
  const known = Promise.withResolvers<void>();
  const { user, bodies } = open({ [asked.reversal]: { body: correctionPreview(), after: known.promise }, [of('reversal')]: { status: 201, body: {} } });
  await user.type(reason(), 'Counted twice');
  expect(screen.getByText('Working out what it would change...')).toBeInTheDocument();
  expect(button('Take back')).toHaveAttribute('aria-disabled', 'true');
  expect(button('Take back')).toHaveAccessibleDescription('Not before its consequences are known');
  await user.click(button('Take back'));
  expect(button('Take back')).toHaveFocus();
  expect(bodies('reversal')).toEqual([]);
  known.resolve();
  await shown();
  expect(button('Take back')).toHaveAttribute('aria-disabled', 'false');
  expect(button('Take back')).toHaveAccessibleDescription('');
  fireEvent.click(button('Take back'));
  await waitFor(() => expect(bodies('reversal')).toMatchObject([{ reason: 'Counted twice' }]));
});

it('sends nothing while the preview fails, and lets it be asked for again', async () => {
  const preview = answer({ status: 409, body: { message: 'This match was cancelled' } });
  const { user, bodies } = open({ [asked.reversal]: preview, [of('reversal')]: { status: 201, body: {} } });
  expect(await screen.findByText('This match was cancelled')).toBeInTheDocument();
  await user.type(reason(), 'Counted twice');
  expect(button('Take back')).toHaveAccessibleDescription('Nothing can be sent: its consequences are not known');
  await user.click(button('Take back'));
  Object.assign(preview, { status: 502, body: {} });
  await user.click(button('Try again'));
  expect(reason()).toHaveFocus();
  expect(await screen.findByText('Something went wrong')).toBeInTheDocument();
  await user.click(button('Take back'));
  expect(bodies('reversal')).toEqual([]);
  Object.assign(preview, { status: 200, body: correctionPreview() });
  await user.click(button('Try again'));
  await shown();
  expect(reason()).toHaveValue('Counted twice');
  await user.click(button('Take back'));
  await waitFor(() => expect(bodies('reversal')).toMatchObject([{ reason: 'Counted twice' }]));
});

it('waits for the preview of the player who was chosen', async () => {
  const known = Promise.withResolvers<void>();
  const { user, bodies } = open({
    [asked.reversal]: { body: correctionPreview() },
    [asked.move]: { body: correctionPreview(), after: known.promise },
    [of('move')]: { status: 201, body: {} },
  });
  await shown();
  await user.type(reason(), 'Number 9');
  await user.selectOptions(screen.getByLabelText('What should happen to it?'), '2');
  await user.click(button('Move'));
  expect(bodies('move')).toEqual([]);
  known.resolve();
  await shown();
  fireEvent.click(button('Move'));
  await waitFor(() => expect(bodies('move')).toMatchObject([{ playerId: '2', reason: 'Number 9' }]));
});

it('sends the preview that it was decided on; refused as outdated, it shows the one of now, keeps the reason, and sends it with one press more', async () => {
  const outdated = 'The match or the standings changed since the preview: look at it again';
  const known = Promise.withResolvers<void>();
  const preview = answer({ body: correctionPreview() });
  const command = answer({ status: 409, body: { message: outdated } });
  const { user, bodies, previews } = open({ [asked.reversal]: preview, [of('reversal')]: command });
  await user.type(reason(), 'Counted twice');
  await screen.findByText('The score changes from 12–0 to 10–0.');
  Object.assign(preview, { body: correctionPreview({ previewed: '8-second', consequences: ['The score changes from 62–0 to 60–0.'] }), after: known.promise });
  await user.click(button('Take back'));
  expect(await screen.findByText(outdated)).toBeInTheDocument();
  // It is to be looked at, also where the button is far below. What was refused is not sent again.
  const again = await screen.findByText('Working out what it would change...');
  await waitFor(() => expect(again.parentElement).toHaveFocus());
  fireEvent.click(button('Take back'));
  expect(bodies('reversal')).toEqual([{ reason: 'Counted twice', previewed: '7-first' }]);
  Object.assign(command, { status: 201, body: {} });
  known.resolve();
  expect(await screen.findByText('The score changes from 62–0 to 60–0.')).toBeInTheDocument();
  expect(reason()).toHaveValue('Counted twice');
  // The second click of a double click comes too soon for anybody to have read it.
  fireEvent.click(button('Take back'), { detail: 2 });
  expect(bodies('reversal')).toHaveLength(1);
  fireEvent.click(button('Take back'), { detail: 1 });
  await waitFor(() => expect(bodies('reversal').slice(1)).toEqual([{ reason: 'Counted twice', previewed: '8-second' }]));
  expect(previews()).toBe(2);
});

it('asks no preview without a session, which would end the dashboard and what was typed', async () => {
  const command = answer({ status: 401, body: { message: 'Please log in' } });
  const { user, bodies, previews } = open({
    [asked.reversal]: { body: correctionPreview() },
    [asked.move]: { body: correctionPreview() },
    [of('reversal')]: command,
  });
  await user.type(reason(), 'Counted twice');
  await shown();
  await user.click(button('Take back'));
  expect(await screen.findByText('Please log in')).toBeInTheDocument();
  expect(previews()).toBe(1);
  fireEvent.click(button('Take back'));
  await waitFor(() => expect(bodies('reversal')).toHaveLength(2));
  await screen.findByText('Please log in');
  expect(previews()).toBe(1);
  await user.selectOptions(screen.getByLabelText('What should happen to it?'), '2');
  await shown();
  expect([previews(), screen.queryByText('Please log in')]).toEqual([2, null]);
});

it('says once why it is refused, also after the preview is', async () => {
  const preview = answer({ body: correctionPreview() });
  const { user } = open({ [asked.reversal]: preview, [of('reversal')]: { status: 409, body: { message: 'This entry is reversed already' } } });
  await user.type(reason(), 'Counted twice');
  await shown();
  Object.assign(preview, { status: 409, body: { message: 'This entry is reversed already' } });
  await user.click(button('Take back'));
  await screen.findByRole('button', { name: 'Try again' });
  expect(screen.getAllByText('This entry is reversed already')).toHaveLength(1);
  // Somebody restored it: what was refused before is told no more.
  Object.assign(preview, { status: 200, body: correctionPreview() });
  await user.click(button('Try again'));
  await shown();
  expect(screen.queryByText('This entry is reversed already')).not.toBeInTheDocument();
  expect(button('Leave it as it is')).toBeInTheDocument();
});
