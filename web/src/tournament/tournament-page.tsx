import { tournamentHead } from '@courtledger/contracts/kernel/page-head';
import { IconArrowLeft } from '@tabler/icons-react';
import { downloadName } from '@courtledger/contracts/tournament/download-names';
import type { TournamentPopulated } from '@courtledger/contracts/tournament/tournament.answers';
import { useQuery } from '@tanstack/react-query';
import type { CSSProperties, ReactElement } from 'react';
import { Link, useParams } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import court from '../assets/court.svg';
import { DocumentHead } from '../lib/document-head.tsx';
import { dayOf } from '../lib/format.rules.ts';
import { StructuredData } from '../lib/structured-data.tsx';
import { MatchCard } from '../match/match-card.tsx';
import { latestMatches, toResult } from '../match/match.rules.ts';
import { Crest } from '../ui/crest.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Poster } from '../ui/picture.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import '../ui/stage.css';
import { Purse } from './purse.tsx';
import { seasonFileAddress } from './season.data.ts';
import { getTournament } from './tournament.data.ts';
import { isLeague, longestWord } from './tournament.rules.ts';
import './tournament-page.css';
import { WhenAndWhere } from './when-and-where.tsx';

/** As many as fit beside each other twice. */
const latestShown = 4;

const Head = ({ tournament }: { readonly tournament: TournamentPopulated }): ReactElement => (
  <section className="stage">
    <img className="stage__court" src={court} alt="" />
    <div className="wrap tour">
      <Poster image={tournament.posterImage} name={tournament.name} eager />
      <div>
        <div className="tour__name">
          <Link className="crumb only-d" to={paths.upcoming.to()}>
            <IconArrowLeft className="i i-s" stroke={1.75} aria-hidden="true" />
            Upcoming Events
          </Link>
          <h1 style={{ '--word': longestWord(tournament.name) } as CSSProperties}>
            <ScriptText text={tournament.name} />
          </h1>
          <p className="tour__by">
            Organized by{' '}
            <b>
              <ScriptText text={tournament.organizer.name} />
            </b>
          </p>
        </div>
        <div className="tour__x">
          <WhenAndWhere startDate={tournament.startDate} location={tournament.location} />
          <div className="tour__act">
            <Link className="btn btn--p" to={paths.registerTeam.to(tournament._id)}>
              Register Your Team
            </Link>
            {isLeague(tournament.league) && (
              <Link className="btn btn--s" to={paths.standings.to(tournament._id)}>
                View Standings
              </Link>
            )}
          </div>
        </div>
      </div>
      <Purse prizePool={tournament.prizePool} />
    </div>
  </section>
);

const Teams = ({ tournament }: { readonly tournament: TournamentPopulated }): ReactElement => (
  <section className="sec" aria-labelledby="teams">
    <div className="sec__head">
      <h2 className="d h2" id="teams">
        Teams
      </h2>
      <span className="mute">{tournament.teams.length} entered</span>
    </div>
    <ul className="teams">
      {tournament.teams.map((team) => (
        <li key={team._id} className="card">
          <Crest id={team._id} name={team.team_details.name} logo={team.team_details.logo} />
          <span>
            <ScriptText text={team.team_details.name} />
            {team.coach.name !== '' && (
              <small>
                Coach <ScriptText text={team.coach.name} />
              </small>
            )}
          </span>
        </li>
      ))}
    </ul>
  </section>
);

const LatestMatches = ({ tournament }: { readonly tournament: TournamentPopulated }): ReactElement => {
  const latest = latestMatches(tournament.matches.map(toResult), latestShown);
  return (
    <section className="sec" aria-labelledby="latest">
      <div className="sec__head">
        <h2 className="d h2" id="latest">
          Latest matches
        </h2>
        <span className="sec__links">
          {/* Of a league it stands beside the standings as well; of a cup, here alone. */}
          {tournament.matches.some(({ player_stats }) => player_stats.length > 0) && (
            <>
              <a className="link" href={seasonFileAddress(tournament._id)} download={downloadName(tournament.name, 'season.jsonl')}>
                Season file
              </a>
              <Link className="link" to={paths.verify.to()}>
                Verify a season file
              </Link>
            </>
          )}
          <Link className="link" to={paths.results.to({ tournament: tournament._id })}>
            All results
          </Link>
        </span>
      </div>
      <div className="games">
        {latest.map((match) => (
          <MatchCard key={match._id} match={match} place={tournament.location} level={3} />
        ))}
      </div>
    </section>
  );
};

/** One tournament: what it is, what it pays, who plays, what happened last. */
export const TournamentPage = (): ReactElement => {
  const { id = '' } = useParams();
  const query = useQuery(getTournament(id));
  const tournament = query.data;
  if (!tournament) {
    return (
      <LoadState query={query} noun="tournament" absent={{ title: 'No tournament', text: 'No tournament data available' }}>
        <Link className="btn btn--s btn--sm" to={paths.upcoming.to()}>
          Upcoming Events
        </Link>
      </LoadState>
    );
  }
  return (
    <>
      <DocumentHead {...tournamentHead(tournament)} />
      <StructuredData
        facts={{
          '@type': 'SportsEvent',
          name: tournament.name,
          sport: 'Basketball',
          startDate: dayOf(tournament.startDate),
          endDate: dayOf(tournament.endDate),
          location: { '@type': 'Place', name: tournament.location },
          organizer: { '@type': 'Organization', name: tournament.organizer.name },
        }}
      />
      <Head tournament={tournament} />
      <div className="wrap">
        {tournament.teams.length > 0 && <Teams tournament={tournament} />}
        {tournament.matches.length > 0 && <LatestMatches tournament={tournament} />}
      </div>
    </>
  );
};
