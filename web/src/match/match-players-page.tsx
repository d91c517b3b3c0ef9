import { matchPlayersHead } from '@courtledger/contracts/kernel/page-head';
import type { MatchAnswer } from '@courtledger/contracts/match/match.answers';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link, useParams } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import { DocumentHead } from '../lib/document-head.tsx';
import { formatFullDate } from '../lib/format.rules.ts';
import { Crest } from '../ui/crest.tsx';
import { Ledger } from '../ui/ledger.tsx';
import { presentIn } from '../ui/load-state.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Board } from './board.tsx';
import { CorrectedMark } from './corrected-mark.tsx';
import { getMatch } from './match.data.ts';
import { MatchLoadState } from './match-load-state.tsx';

const TeamTable = ({ team }: { readonly team: MatchAnswer['team_1'] }): ReactElement => {
  const { name, logo } = team.team_details;
  return (
    <section>
      <div className="who" style={{ marginBottom: '20px' }}>
        <Crest id={team._id} name={name} logo={logo} size={56} />
        <h2 className="d h2">
          <ScriptText text={name} />
        </h2>
      </div>
      {team.players.length === 0 ? (
        <EmptyState text="No players available for this team." />
      ) : (
        <Ledger
          caption={`Players of ${name}`}
          columns={[
            { key: 'name', title: 'Player Name' },
            { key: 'number', title: 'Jersey Number', className: 'num' },
          ]}
        >
          {team.players.map((player) => (
            <tr key={player._id}>
              <th scope="row">
                <Link className="link" to={paths.player.to(player._id)}>
                  <ScriptText text={player.name} />
                </Link>
              </th>
              <td className="num">{player.jerseyNumber === '' ? '-' : <span className="jersey jersey--big">{player.jerseyNumber}</span>}</td>
            </tr>
          ))}
        </Ledger>
      )}
    </section>
  );
};

/** Who can play: the two rosters of a match. */
export const MatchPlayersPage = (): ReactElement => {
  const { id = '' } = useParams();
  const query = useQuery(getMatch(id));
  const match = presentIn(query);
  if (!match) return <MatchLoadState query={query} />;
  const names = `${match.team_1.team_details.name} and ${match.team_2.team_details.name}`;
  return (
    <>
      <DocumentHead {...matchPlayersHead(match)} />
      <Board
        back={{ title: 'Back to Events', to: paths.results.to() }}
        meta={<ScriptText text={match.tournament_id.name} />}
        heading={names}
        team1={match.team_1}
        team2={match.team_2}
      >
        <b>{match.time === '' ? 'Time TBD' : match.time}</b>
        <span>{formatFullDate(match.date)}</span>
      </Board>
      <div className="wrap">
        {/* A match that lost its result is upcoming again, and this is its page. */}
        <CorrectedMark match={match} />
        <div className="two sec">
          <TeamTable team={match.team_1} />
          <TeamTable team={match.team_2} />
        </div>
      </div>
    </>
  );
};
