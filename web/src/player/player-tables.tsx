import type { PlayerAnswer } from '@courtledger/contracts/player/player.answers';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { Traced, type Why } from '../admin/why.tsx';
import { paths } from '../app/paths.ts';
import { formatAverage, formatFullDate, formatNumber, formatScore, formatShortDate } from '../lib/format.rules.ts';
import { useNow } from '../lib/use-now.ts';
import { Ledger } from '../ui/ledger.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { EmptyState } from '../ui/states.tsx';
import { countMatches, hasNumbers, type GameRow, type TournamentRow } from './player.rules.ts';

const outcomes = { won: { letter: 'W', className: 'pos' }, lost: { letter: 'L', className: 'neg' } } as const;

/** A tie counts as a loss for both (specification section 9). */
const Outcome = ({ score, played }: { readonly score: readonly [number, number] | undefined; readonly played: boolean }): ReactElement | null => {
  if (!score) return null;
  const outcome = score[0] > score[1] ? outcomes.won : outcomes.lost;
  return (
    <span className={played ? outcome.className : ''}>
      {outcome.letter} {formatScore(score[0], score[1])}
    </span>
  );
};

/** Every match of a player, newest first; those not played say DNP, beside the numbers where there are any: they count in the averages. */
export const GameLog = ({
  player,
  log,
  why,
}: {
  readonly player: PlayerAnswer;
  readonly log: readonly GameRow[];
  /** Opens the entries behind a number, for admins. */
  readonly why?: Why | undefined;
}): ReactElement => {
  const now = useNow();
  const { played, notPlayed } = countMatches(player.match_history);
  const traced = (game: GameRow, stat: 'points' | 'assists' | 'rebounds'): ReactElement => (
    <Traced
      onWhy={why}
      asked={{ of: 'match-player', stat, match: game.matchId, player: player._id }}
      label={`Why ${formatNumber(game[stat])}? ${stat} against ${game.opponent.name}`}
    >
      {formatNumber(game[stat])}
    </Traced>
  );
  return (
    <section className="sec" aria-labelledby="history">
      <div className="sec__head">
        <h2 className="d h2" id="history">
          Match history
        </h2>
        <span className="mute">
          <Traced
            onWhy={why}
            asked={{ of: 'player-total', stat: 'played', player: player._id }}
            label={`Why ${formatNumber(played)}? ${player.name}, matches played`}
          >
            {played}
          </Traced>
          {' played'}
          {notPlayed > 0 && `, ${String(notPlayed)} Not Played`}
        </span>
      </div>
      {log.length === 0 ? (
        <EmptyState text="No matches yet." />
      ) : (
        <Ledger
          className="glog"
          caption={`Match history of ${player.name}`}
          columns={[
            { key: 'date', title: 'Date' },
            { key: 'opponent', title: 'Opponent' },
            { key: 'result', title: 'Result', className: 'only-d' },
            { key: 'points', title: 'Points', className: 'num' },
            { key: 'assists', title: 'Assists', className: 'num' },
            { key: 'rebounds', title: 'Rebounds', className: 'num' },
          ]}
        >
          {log.map((game) => (
            <tr key={game.matchId} className={game.played ? '' : 'dnp'}>
              <td className="mute nowrap" title={formatFullDate(game.date)}>
                {formatShortDate(game.date, now)}
              </td>
              <th scope="row">
                <Link className="link" to={paths.matchDetails.to(game.matchId)}>
                  <ScriptText text={game.opponent.name} />
                </Link>
                {!game.played && hasNumbers(game) && <small> DNP</small>}
              </th>
              <td className="only-d nowrap">
                <Outcome score={game.score} played={game.played} />
              </td>
              {game.played || hasNumbers(game) ? (
                <>
                  <td className="num">
                    <b>{traced(game, 'points')}</b>
                  </td>
                  <td className="num">{traced(game, 'assists')}</td>
                  <td className="num">{traced(game, 'rebounds')}</td>
                </>
              ) : (
                <td className="num" colSpan={3}>
                  DNP
                </td>
              )}
            </tr>
          ))}
        </Ledger>
      )}
    </section>
  );
};

/** Averages of each tournament. */
export const TournamentAverages = ({
  player,
  rows,
  why,
}: {
  readonly player: PlayerAnswer;
  readonly rows: readonly TournamentRow[];
  /** Opens the entries behind a number, for admins. */
  readonly why?: Why | undefined;
}): ReactElement => {
  const traced = (row: TournamentRow, stat: 'points' | 'assists' | 'rebounds'): ReactElement => (
    <Traced
      onWhy={why}
      asked={{ of: 'player-average', stat, player: player._id, tournament: row.id }}
      label={`Why ${formatAverage(row[stat])}? Average ${stat}, ${row.name}`}
    >
      {formatAverage(row[stat])}
    </Traced>
  );
  return (
    <section className="sec" aria-labelledby="by-tournament">
      <div className="sec__head">
        <h2 className="d h2" id="by-tournament">
          By tournament
        </h2>
      </div>
      <Ledger
        caption={`Averages of ${player.name} by tournament`}
        columns={[
          { key: 'tournament', title: 'Tournament' },
          { key: 'played', title: 'Played', className: 'num' },
          { key: 'points', title: 'Points', className: 'num' },
          { key: 'assists', title: 'Assists', className: 'num' },
          { key: 'rebounds', title: 'Rebounds', className: 'num' },
        ]}
      >
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row">
              <Link className="link" to={paths.tournament.to(row.id)}>
                <ScriptText text={row.name} />
              </Link>
            </th>
            <td className="num">
              <Traced
                onWhy={why}
                asked={{ of: 'player-total', stat: 'played', player: player._id, tournament: row.id }}
                label={`Why ${formatNumber(row.played)}? Matches played, ${row.name}`}
              >
                {row.played}
              </Traced>
            </td>
            <td className="num">
              <b>{traced(row, 'points')}</b>
            </td>
            <td className="num">{traced(row, 'assists')}</td>
            <td className="num">{traced(row, 'rebounds')}</td>
          </tr>
        ))}
      </Ledger>
    </section>
  );
};
