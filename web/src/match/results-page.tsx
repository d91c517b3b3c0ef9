import { resultsHead } from '@courtledger/contracts/kernel/page-head';
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import type { TournamentListItem } from '@courtledger/contracts/tournament/tournament.answers';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import { DocumentHead } from '../lib/document-head.tsx';
import { dayOf, formatBsDate, formatFullDate } from '../lib/format.rules.ts';
import { listTournamentMatches, listTournaments } from '../tournament/tournament.data.ts';
import { LoadFailure, isNotLoaded } from '../ui/load-state.tsx';
import { EmptyState } from '../ui/states.tsx';
import { useFocusLeft } from '../ui/use-focus-left.ts';
import { DateWindow } from './date-window.tsx';
import { dateToOpen } from './date-window.rules.ts';
import { MatchCard, MatchCardSkeleton } from './match-card.tsx';
import './results-page.css';
import { monthGroups } from './results.rules.ts';
import { useDateWindow } from './use-date-window.ts';
import { useKeptView, useResultsView } from './use-results-view.ts';

type TournamentSelectProps = {
  /** Said while there is none to select. */
  readonly none: string;
  readonly tournaments: readonly TournamentListItem[];
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
};

/** All tournaments, grouped by the month they start in, newest first. */
const TournamentSelect = ({ none, tournaments, selected, onSelect }: TournamentSelectProps): ReactElement => (
  <div className="field">
    <label htmlFor="tournament">Tournament</label>
    <select
      id="tournament"
      className="input"
      value={selected ?? ''}
      disabled={tournaments.length === 0}
      onChange={(event) => {
        onSelect(event.target.value);
      }}
    >
      {tournaments.length === 0 && <option value="">{none}</option>}
      {monthGroups(tournaments).map((group) => (
        <optgroup key={group.title} label={group.title}>
          {group.tournaments.map((tournament) => (
            <option key={tournament._id} value={tournament._id}>
              {tournament.name}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  </div>
);

type OtherDateProps = { readonly tournamentId: string; readonly dates: readonly string[]; readonly selected: string };

/** Beside a lonely card: the next date as a link, or the one before. */
const OtherDate = ({ tournamentId, dates, selected }: OtherDateProps): ReactElement | null => {
  // It goes where that date has more than one card.
  const place = useFocusLeft<HTMLAnchorElement>();
  const at = dates.indexOf(selected);
  const next = dates[at + 1];
  const other = next ?? dates[at - 1];
  if (other === undefined) return null;
  const Arrow = next === undefined ? IconArrowLeft : IconArrowRight;
  return (
    <Link ref={place} className="otherdate" to={paths.results.to({ tournament: tournamentId, date: other })}>
      <span className="mute">{next === undefined ? 'Matches before' : 'Next matches'}</span>
      <b>{formatFullDate(other)}</b>
      <span lang="ne-Latn" className="mute">
        {formatBsDate(other)}
      </span>
      <Arrow className="i ember" stroke={1.75} aria-hidden="true" />
    </Link>
  );
};

const Skeletons = (): ReactElement => (
  <div className="games">
    <MatchCardSkeleton />
    <MatchCardSkeleton />
  </div>
);

/** 'Match Results': a tournament, a date, and the cards of that day. The view stands in the address, so a link opens the same. */
export const ResultsPage = (): ReactElement => {
  const tournaments = useQuery(listTournaments());
  const all = tournaments.data?.allTournaments ?? [];
  const view = useResultsView(tournaments.data?.allTournaments);
  const tournament = all.find((candidate) => candidate._id === view.tournamentId);
  const matches = useQuery({ ...listTournamentMatches(view.tournamentId ?? ''), enabled: view.tournamentId !== undefined });
  const dates = (matches.data?.dates ?? []).map((date) => dayOf(date));
  const date = dateToOpen(dates, view.askedDate);
  useKeptView(tournament?._id, matches.isSuccess ? { date } : undefined);
  const dateWindow = useDateWindow(view.tournamentId, dates, date);
  const shown = (matches.data?.matches ?? []).filter((match) => dayOf(match.date) === date);
  const loading = tournaments.isPending || (view.tournamentId !== undefined && matches.isPending);
  const notLoaded = [tournaments, matches].find((query) => isNotLoaded(query));
  return (
    <div className="wrap">
      <DocumentHead {...resultsHead(tournament?.name, date)} />
      <div className="head">
        <h1 className="h1">Match Results</h1>
      </div>
      <div className="bar" data-chosen={[tournament?.name, date && formatFullDate(date)].filter(Boolean).join(', ')}>
        <TournamentSelect
          none={tournaments.isPending ? 'Loading...' : notLoaded ? 'Could not be loaded' : 'No tournament data available'}
          tournaments={all}
          selected={view.tournamentId}
          onSelect={view.selectTournament}
        />
        {dates.length > 0 && <DateWindow dates={dates} selected={date} start={dateWindow.start} onSelect={view.selectDate} onMove={dateWindow.move} />}
      </div>
      {loading && <Skeletons />}
      {!loading && notLoaded && <LoadFailure what="The matches" onRetry={notLoaded.refetch} />}
      {!loading && !notLoaded && shown.length === 0 && <EmptyState text="No matches found for the selected date and tournament." />}
      {!loading && shown.length > 0 && (
        <div className="games">
          {shown.map((match) => (
            <MatchCard key={match._id} match={match} place={tournament?.location ?? ''} />
          ))}
          {shown.length === 1 && tournament && date !== undefined && <OtherDate tournamentId={tournament._id} dates={dates} selected={date} />}
        </div>
      )}
    </div>
  );
};
