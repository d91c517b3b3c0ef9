import { useQueries, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { DocumentHead } from '../lib/document-head.tsx';
import { listTournamentMatches, listTournaments } from '../tournament/tournament.data.ts';
import { LoadFailure, isNotLoaded } from '../ui/load-state.tsx';
import { EmptyState } from '../ui/states.tsx';
import { latestMatches } from './match.rules.ts';
import { MatchCard, MatchCardSkeleton } from './match-card.tsx';

const cardsShown = 12;
/** The newest matches stand in the newest tournaments that have any: three of them are enough for twelve cards. */
const tournamentsAsked = 3;

/** 'Match Cards': the newest matches of all tournaments, without filters. */
export const MatchCardsPage = (): ReactElement => {
  const tournaments = useQuery(listTournaments());
  const asked = (tournaments.data?.allTournaments ?? []).filter((tournament) => tournament.matches.length > 0).slice(0, tournamentsAsked);
  const answers = useQueries({ queries: asked.map((tournament) => listTournamentMatches(tournament._id)) });
  const cards = latestMatches(
    answers.flatMap((answer) => answer.data?.matches ?? []),
    cardsShown,
  );
  const places = new Map(asked.flatMap((tournament) => tournament.matches.map((id) => [id, tournament.location])));
  const loading = tournaments.isPending || answers.some((answer) => answer.isPending);
  const notLoaded = [tournaments, ...answers].filter((query) => isNotLoaded(query));
  const askAgain = (): void => {
    for (const query of notLoaded) void query.refetch();
  };
  return (
    <div className="wrap">
      <DocumentHead title="Match Cards" description="The newest basketball matches in Nepal." />
      <div className="head">
        <h1 className="h1">Match Cards</h1>
      </div>
      {!loading && notLoaded.length > 0 && <LoadFailure what={cards.length === 0 ? 'The matches' : 'Some matches'} onRetry={askAgain} />}
      {!loading && notLoaded.length === 0 && cards.length === 0 && <EmptyState text="No matches found." />}
      <div className="games">
        {loading && cards.length === 0 && (
          <>
            <MatchCardSkeleton />
            <MatchCardSkeleton />
          </>
        )}
        {cards.map((card) => (
          <MatchCard key={card._id} match={card} place={places.get(card._id) ?? ''} />
        ))}
      </div>
    </div>
  );
};
