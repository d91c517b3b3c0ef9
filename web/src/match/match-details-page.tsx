import { kathmanduTime } from '@courtledger/contracts/kernel/days';
import { matchHead } from '@courtledger/contracts/kernel/page-head';
import type { MatchAnswer } from '@courtledger/contracts/match/match.answers';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link, useParams } from 'react-router-dom';
import { useWhy } from '../admin/why.tsx';
import { paths } from '../app/paths.ts';
import { DocumentHead } from '../lib/document-head.tsx';
import { dayOf, formatFullDate, formatStart } from '../lib/format.rules.ts';
import { useIsLive } from '../lib/live.ts';
import { StructuredData } from '../lib/structured-data.tsx';
import { useNow } from '../lib/use-now.ts';
import { presentIn } from '../ui/load-state.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { SpokenChange } from '../ui/spoken-change.tsx';
import { Board } from './board.tsx';
import { BoxScore } from './box-score.tsx';
import { Comparison } from './comparison.tsx';
import { CorrectedMark } from './corrected-mark.tsx';
import './match-details.css';
import { getMatch } from './match.data.ts';
import { MatchLoadState } from './match-load-state.tsx';
import { MatchMvp } from './match-mvp.tsx';
import { toResult, winnerOf } from './match.rules.ts';
import { TopPerformers } from './top-performers.tsx';

const Centre = ({ match, difference }: { readonly match: MatchAnswer; readonly difference: number }): ReactElement => {
  const live = useIsLive(match);
  return (
    <>
      {live ? (
        <span className="badge badge--line badge--tall">
          <span className="livedot" />
          Live
        </span>
      ) : (
        <span className="badge badge--line badge--tall">Match Completed</span>
      )}
      <b>{difference === 0 ? '0' : `+${String(difference)}`}</b>
      <span>Point Difference</span>
    </>
  );
};

const NotPlayedYet = ({ match }: { readonly match: MatchAnswer }): ReactElement => {
  const now = useNow();
  return (
    <>
      <b>{match.time === '' ? 'Time TBD' : match.time}</b>
      <span>{formatStart(match.date, match.time, now)}</span>
    </>
  );
};

const Details = ({ match }: { readonly match: MatchAnswer }): ReactElement => {
  const result = toResult(match);
  const [name1, name2] = [match.team_1.team_details.name, match.team_2.team_details.name];
  const winner = result.hasStats ? winnerOf(result.score_1, result.score_2) : undefined;
  const head = matchHead(match);
  const heading = head.title;
  const { why, panel } = useWhy();
  const day = `${formatFullDate(match.date)}${match.time === '' ? '' : `, ${match.time}`}`;
  return (
    <>
      <DocumentHead {...head} />
      <StructuredData
        facts={{
          '@type': 'SportsEvent',
          name: `${name1} and ${name2}`,
          // The vocabulary has no score: it stands in the description.
          description: heading,
          sport: 'Basketball',
          startDate: match.time === '' ? dayOf(match.date) : kathmanduTime(dayOf(match.date), match.time),
          location: { '@type': 'Place', name: match.tournament_id.location },
          superEvent: { '@type': 'SportsEvent', name: match.tournament_id.name },
          competitor: [name1, name2].map((name) => ({ '@type': 'SportsTeam', name })),
        }}
      />
      <Board
        back={{ title: 'Match Results', to: paths.results.to({ tournament: match.tournament_id._id, date: dayOf(match.date) }) }}
        meta={<ScriptText text={`${match.tournament_id.name} · ${day} · ${match.tournament_id.location}`} />}
        heading={heading}
        team1={match.team_1}
        team2={match.team_2}
        scores={result.hasStats ? [result.score_1, result.score_2] : undefined}
        winner={winner}
        onWhy={
          why &&
          ((team) => {
            why({ of: 'match-team', stat: 'points', match: match._id, team });
          })
        }
      >
        {result.hasStats ? <Centre match={match} difference={Math.abs(result.score_1 - result.score_2)} /> : <NotPlayedYet match={match} />}
      </Board>
      <SpokenChange text={heading} />
      <div className="wrap">
        <CorrectedMark match={match} />
        {result.hasStats ? (
          <>
            <MatchMvp match={match} why={why} />
            <TopPerformers match={match} why={why} />
            {panel}
            <div className="boxscore">
              <BoxScore match={match} why={why} />
              <Comparison match={match} why={why} />
            </div>
          </>
        ) : (
          <div className="card empty sec">
            <b>No statistics have been recorded for this match yet.</b>
            <Link className="btn btn--s btn--sm" to={paths.matchPlayers.to(match._id)}>
              View Players
            </Link>
          </div>
        )}
      </div>
    </>
  );
};

/** A played match: the score, who made it, and how the two teams compare. */
export const MatchDetailsPage = (): ReactElement => {
  const { matchId = '' } = useParams();
  const query = useQuery(getMatch(matchId));
  const match = presentIn(query);
  return match ? <Details key={match._id} match={match} /> : <MatchLoadState query={query} />;
};
