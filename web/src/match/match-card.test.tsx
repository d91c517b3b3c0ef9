import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { matchResult } from '../testing/match-builder.ts';
import { answerWith, renderSite } from '../testing/render-site.tsx';
import { tournament } from '../testing/tournament-builder.ts';

type Result = ReturnType<typeof matchResult>;
const named = (id: string, name: string, logo = ''): Result['team_1'] => ({ _id: id, team_details: { name, logo } });
const answer = (matches: readonly Result[]): void => {
  answerWith({
    '/tournaments': { body: { allTournaments: [tournament()], upcomingTournaments: [] } },
    '/tournaments/t1/matches': { body: { dates: matches.length === 0 ? [] : ['2026-11-21T00:00:00.000Z'], matches } },
  });
};
const open = (matches: readonly Result[]): ReturnType<typeof renderSite> => {
  answer(matches);
  return renderSite('/events?tournament=t1');
};

beforeEach(() => {
  localStorage.clear();
});

describe('what comes hard to a match card', () => {
  it('long names stand whole, in the text and as a title', async () => {
    const name = 'Sudurpaschim Province United Youth Basketball Sports Club and Training Centre of Dhangadhi';
    open([matchResult({ team_1: named('a', name) })]);
    const card = within(await screen.findByRole('article'));
    expect(card.getByTitle(name)).toHaveTextContent(name);
  });

  it('Devanagari is marked as Nepali, and its monogram is a whole first letter', async () => {
    open([matchResult({ team_1: named('a', 'क्षितिज बास्केटबल क्लब'), team_2: named('b', 'Kings काठमाडौँ') })]);
    const card = await screen.findByRole('article');
    expect(Array.from(card.querySelectorAll('[lang=ne]'), (part) => part.textContent)).toEqual(['क्षितिज बास्केटबल क्लब', 'काठमाडौँ']);
    expect(Array.from(card.querySelectorAll('.mono'), (mono) => mono.textContent)).toEqual(['क्षि', 'Kका']);
  });

  it('scores of three digits, and a missing logo as a monogram', async () => {
    open([matchResult({ score_1: 188, score_2: 106, team_2: named('p', 'Pokhara Panthers', '/media/crest.webp') })]);
    const card = await screen.findByRole('article');
    expect(Array.from(card.querySelectorAll('.score'), (score) => score.textContent)).toEqual(['188', '106']);
    expect(within(card).getByText(/Point Difference/)).toHaveTextContent('Point Difference 82');
    expect([card.querySelectorAll('.mono').length, card.querySelector('img.crest')?.getAttribute('src')]).toEqual([1, '/media/crest.webp']);
  });

  it('a score is said out loud when it is another one, and none where its last entry was taken back', async () => {
    const { client } = open([matchResult({ score_1: 3, score_2: 0 })]);
    const card = await screen.findByRole('article');
    const isSaid = async (match: Result, said: string): Promise<void> => {
      answer([match]);
      await act(async () => client.invalidateQueries());
      await waitFor(() => {
        expect(card.querySelector('[aria-live]')?.textContent).toBe(said);
      });
    };
    await isSaid(matchResult({ score_1: 5, score_2: 0 }), 'Kathmandu Kings 5, Pokhara Panthers 0');
    // Taken back, it is the one that was found, and another than the one heard last.
    await isSaid(matchResult({ score_1: 3, score_2: 0 }), 'Kathmandu Kings 3, Pokhara Panthers 0');
    await isSaid(matchResult({ score_1: 0, score_2: 0, hasStats: false }), '');
  });

  it('no matches at all say so', async () => {
    open([]);
    expect(await screen.findByText('No matches found for the selected date and tournament.')).toBeInTheDocument();
    expect(screen.queryByRole('group', { name: 'Match dates' })).not.toBeInTheDocument();
  });

  it('two hundred matches of one day all stand there', async () => {
    open(Array.from({ length: 200 }, (_, index) => matchResult({ _id: `m${String(index)}` })));
    expect(await screen.findAllByRole('article')).toHaveLength(200);
  });
});
