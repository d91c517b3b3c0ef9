import { pageHeads } from '@courtledger/contracts/kernel/page-head';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { DocumentHead } from '../lib/document-head.tsx';
import { useNow } from '../lib/use-now.ts';
import { listTournamentMatches, listTournaments } from '../tournament/tournament.data.ts';
import { LoadFailure, isNotLoaded } from '../ui/load-state.tsx';
import { EmptyState } from '../ui/states.tsx';
import { newestMatches } from './match.rules.ts';
import { MatchCard, MatchCardSkeleton } from './match-card.tsx';

const cardsShown = 12;

/** 'Match Cards': the newest matches of all tournaments, without filters. */
export const MatchCardsPage = (): ReactElement => {
  const tournaments = useQuery(listTournaments());
  const now = useNow();
  // Every one that has matches: a league that began long ago may have played today, and no span of a tournament binds the days of its matches.
  // One small answer each, kept for the results page; the list of all matches with all their players weighs far more.
  const asked = (tournaments.data?.allTournaments ?? []).filter((tournament) => tournament.matches.length > 0);
  const answers = useQueries({ queries: asked.map((tournament) => listTournamentMatches(tournament._id)) });
  // Shown once all have answered: which are the newest is not known before.
  const loading = tournaments.isPending || answers.some((answer) => answer.isPending);
  const cards = loading
    ? []
    : newestMatches(
        answers.flatMap((answer) => answer.data?.matches ?? []),
        now,
        cardsShown,
      );
  const places = new Map(asked.flatMap((tournament) => tournament.matches.map((id) => [id, tournament.location])));
  const notLoaded = [tournaments, ...answers].filter((query) => isNotLoaded(query));
  const askAgain = (): void => {
    for (const query of notLoaded) void query.refetch();
  };
  return (
    <div className="wrap">
      <DocumentHead {...pageHeads.cards} />
      <div className="head">
        <h1 className="h1">Match Cards</h1>
      </div>
      {!loading && notLoaded.length > 0 && <LoadFailure what={cards.length === 0 ? 'The matches' : 'Some matches'} onRetry={askAgain} />}
      {!loading && notLoaded.length === 0 && cards.length === 0 && <EmptyState text="No matches found." />}
      <div className="games">
        {loading && (
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
