import { useQueries, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { DocumentHead } from '../lib/document-head.tsx';
import { listTournamentMatches, listTournaments } from '../tournament/tournament.data.ts';
import { EmptyState } from '../ui/states.tsx';
import { MatchCard, MatchCardSkeleton } from './match-card.tsx';

const cardsShown = 12;
/** The newest matches stand in the newest tournaments that have any: three of them are enough for twelve cards. */
const tournamentsAsked = 3;

/** 'Match Cards': the newest matches of all tournaments, without filters. */
export const MatchCardsPage = (): ReactElement => {
  const tournaments = useQuery(listTournaments());
  const asked = (tournaments.data?.allTournaments ?? []).filter((tournament) => tournament.matches.length > 0).slice(0, tournamentsAsked);
  const answers = useQueries({ queries: asked.map((tournament) => listTournamentMatches(tournament._id)) });
  const cards = asked
    .flatMap((tournament, index) => (answers[index]?.data?.matches ?? []).map((match) => ({ match, place: tournament.location })))
    .toSorted((a, b) => (`${a.match.date}${a.match.time}` < `${b.match.date}${b.match.time}` ? 1 : -1))
    .slice(0, cardsShown);
  const loading = tournaments.isPending || answers.some((answer) => answer.isPending);
  return (
    <div className="wrap">
      <DocumentHead title="Match Cards" description="The newest basketball matches in Nepal." />
      <div className="head">
        <h1 className="h1">Match Cards</h1>
      </div>
      {!loading && cards.length === 0 && <EmptyState text="No matches found." />}
      <div className="games">
        {loading && cards.length === 0 && (
          <>
            <MatchCardSkeleton />
            <MatchCardSkeleton />
          </>
        )}
        {cards.map(({ match, place }) => (
          <MatchCard key={match._id} match={match} place={place} />
        ))}
      </div>
    </div>
  );
};
