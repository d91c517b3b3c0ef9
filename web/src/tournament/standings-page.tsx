import { standingsHead } from '@courtledger/contracts/kernel/page-head';
import { downloadName } from '@courtledger/contracts/tournament/download-names';
import { IconArrowLeft, IconDownload, IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link, useParams } from 'react-router-dom';
import { useWhy } from '../admin/why.tsx';
import { paths } from '../app/paths.ts';
import { DocumentHead } from '../lib/document-head.tsx';
import { formatCount } from '../lib/format.rules.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { LoadFailure, isNotLoaded } from '../ui/load-state.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { EmptyState, Spinner } from '../ui/states.tsx';
import { seasonFileAddress } from './season.data.ts';
import './standings-page.css';
import { StandingsTable } from './standings-table.tsx';
import { getStandings, listTournaments, standingsCsvAddress } from './tournament.data.ts';

// The chart is as large as the rest of the page: it comes after the table.
const StandingsHistory = lazyPart(
  async () => (await import('./standings-history.tsx')).StandingsHistory,
  ({ error, refetch }) => error && <LoadFailure what="The standings over time" onRetry={refetch} />,
);

/** What the order of the table follows (specification section 9; the ties as the server breaks them). */
const RulesNote = (): ReactElement => (
  <div className="card note">
    <IconInfoCircle className="i" stroke={1.75} aria-hidden="true" />
    <div>
      <p>
        <b>Rules.</b> A win gives 2 points and a loss 1 point; a tie counts as a loss for both. Teams are ordered by points, then by point difference (PD = FOR
        − AGST).
      </p>
      <p>Teams still level are compared by wins, then by the games among themselves. Only matches with recorded player statistics count.</p>
      <p>
        The season file holds every entry behind this table, signed.{' '}
        <Link className="link" to={paths.verify.to()}>
          Verify a season file
        </Link>
      </p>
    </div>
  </div>
);

/** The table of a tournament, with the reasons of its order. */
export const StandingsPage = (): ReactElement => {
  const { id = '' } = useParams();
  const query = useQuery(getStandings(id));
  const { data: standings, isPending } = query;
  const notLoaded = isNotLoaded(query);
  const { data: tournaments } = useQuery(listTournaments());
  const name = tournaments?.allTournaments.find((tournament) => tournament._id === id)?.name;
  const rows = standings?.rows ?? [];
  const { why, panel } = useWhy();
  // Two teams a match.
  const counted = rows.reduce((sum, row) => sum + row.played, 0) / 2;
  return (
    <div className="wrap">
      <DocumentHead {...standingsHead(name)} />
      <div className="head">
        <div>
          <Link className="crumb standings__back" to={paths.tournament.to(id)}>
            <IconArrowLeft className="i i-s" stroke={1.75} aria-hidden="true" />
            <span>{name === undefined ? 'Tournament' : <ScriptText text={name} />}</span>
          </Link>
          <h1 className="h1">Standings</h1>
        </div>
        {rows.length > 0 && (
          <div className="standings__side">
            <span className="badge badge--line standings__state">
              {standings?.provisional ? 'Provisional' : `${counted === 1 ? '' : 'All '}${formatCount(counted, 'match', 'matches')} counted`}
            </span>
            <span className="standings__files">
              <a className="btn btn--q btn--sm" href={standingsCsvAddress(id)} download={name === undefined || downloadName(name, 'standings.csv')}>
                <IconDownload className="i i-s" stroke={1.75} aria-hidden="true" />
                CSV
              </a>
              <a className="btn btn--q btn--sm" href={seasonFileAddress(id)} download={name === undefined || downloadName(name, 'season.jsonl')}>
                <IconDownload className="i i-s" stroke={1.75} aria-hidden="true" />
                Season file
              </a>
            </span>
          </div>
        )}
      </div>
      {isPending && <Spinner />}
      {notLoaded && <LoadFailure what="The standings" onRetry={query.refetch} />}
      {!isPending && !notLoaded && rows.length === 0 && <EmptyState text="No standings data available for this tournament." />}
      {rows.length > 0 && (
        <>
          {panel}
          <StandingsTable
            rows={rows}
            tournamentName={name ?? 'this tournament'}
            onWhy={
              why &&
              (({ stat, team }) => {
                why({ of: 'standings', stat, tournament: id, team });
              })
            }
          />
          <RulesNote />
          <StandingsHistory tournamentId={id} tournamentName={name ?? 'this tournament'} />
        </>
      )}
    </div>
  );
};
