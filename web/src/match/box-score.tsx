import { IconHistory } from '@tabler/icons-react';
import type { Correction, MatchAnswer, MatchTeam, StatRow } from '@courtledger/contracts/match/match.answers';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import { formatNumber } from '../lib/format.rules.ts';
import { useIsPrinting } from '../lib/use-is-printing.ts';
import { Traced, type Why } from '../admin/why.tsx';
import { Instant } from '../ui/instant.tsx';
import { Ledger } from '../ui/ledger.tsx';
import { LiveNumber } from '../ui/live-number.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { correctedInWords, isCorrectedAfterDay } from './corrected.rules.ts';
import { listMatchCorrections } from './match.data.ts';
import { badgesOf, hasNumbers, inBoxScoreOrder, isPlayed, performances, rowsOf, totalsOf, type Statistic } from './match.rules.ts';

const columns = [
  { key: 'name', title: 'Name' },
  { key: 'points', title: 'Points', className: 'num' },
  { key: 'assists', title: 'Assists', className: 'num' },
  { key: 'rebounds', title: 'Rebounds', className: 'num' },
] as const;

type RowProps = {
  readonly row: StatRow;
  readonly badges: readonly string[];
  /** Named where both teams stand in one table. */
  readonly teamName?: string | undefined;
};
/** Opens the entries behind a number of a line. */
type OnWhy = (stat: Statistic) => void;

const NameCell = ({ row, badges, teamName }: RowProps): ReactElement => (
  <span className="pname">
    <span className="jersey">{row.jerseyNumber === '' ? '-' : row.jerseyNumber}</span>
    <span className="pname__t">
      <Link className="link" to={paths.player.to(row.player_id)}>
        <ScriptText text={row.name} />
      </Link>
      {teamName !== undefined && (
        <small>
          <ScriptText text={teamName} />
        </small>
      )}
      {badges.map((badge) => (
        <span key={badge} className="badge badge--gold">
          {badge}
        </span>
      ))}
      {!isPlayed(row) && hasNumbers(row) && <span className="badge badge--line">DNP</span>}
    </span>
  </span>
);

const Row = ({ row, badges, teamName, onWhy }: RowProps & { readonly onWhy: OnWhy | undefined }): ReactElement => {
  const traced = (stat: Statistic): ReactElement => (
    <Traced onWhy={onWhy} asked={stat} label={`Why ${formatNumber(row[stat])}? ${row.name}, ${stat}`}>
      <LiveNumber value={row[stat]} />
    </Traced>
  );
  return (
    <tr className={isPlayed(row) ? '' : 'dnp'}>
      <th scope="row">
        <NameCell row={row} badges={badges} teamName={teamName} />
      </th>
      {isPlayed(row) || hasNumbers(row) ? (
        <>
          <td className="num">
            <b>{traced('points')}</b>
          </td>
          <td className="num">{traced('assists')}</td>
          <td className="num">{traced('rebounds')}</td>
        </>
      ) : (
        <td className="num" colSpan={3}>
          DNP
        </td>
      )}
    </tr>
  );
};

/** What was corrected, when and why. */
const CorrectionList = ({ corrections }: { readonly corrections: readonly Correction[] }): ReactElement => (
  <ul className="fixes" id="corrections">
    {corrections.map((correction) => (
      <li key={`${correction.at}${correction.what}`}>
        <Instant at={correction.at} />
        <ScriptText text={`${correction.what}. ${correction.reason}`} />
      </li>
    ))}
  </ul>
);

type TeamLedgerProps = {
  readonly match: MatchAnswer;
  /** One with a totals row that equals the header's score; both without. */
  readonly team: MatchTeam | undefined;
  /** Opens the entries behind a number, for those who may see them. */
  readonly why: Why | undefined;
};

const TeamLedger = ({ match, team, why }: TeamLedgerProps): ReactElement => {
  const badges = badgesOf(match);
  const rows = inBoxScoreOrder(team ? rowsOf(match, team._id) : match.player_stats);
  const totals = totalsOf(rows);
  /** The sum of both teams is nobody's number. */
  const tracedTotal = (stat: Statistic, name: string): ReactElement => (
    <Traced
      onWhy={team && why}
      asked={{ of: 'match-team', stat, match: match._id, team: team?._id }}
      label={`Why ${formatNumber(totals[stat])}? ${stat === 'points' ? 'Score' : name} of ${team?.team_details.name ?? ''}`}
    >
      <span>{formatNumber(totals[stat])}</span>
    </Traced>
  );
  const nameOf = (teamId: string): string => (teamId === match.team_1._id ? match.team_1 : match.team_2).team_details.name;
  return (
    <Ledger
      caption={`Player Statistics, ${team?.team_details.name ?? 'All Players'}`}
      columns={columns}
      foot={
        <tr>
          <th scope="row">Total</th>
          {performances.map(({ statistic, name }) => (
            <td key={statistic} className="num">
              {tracedTotal(statistic, name)}
            </td>
          ))}
        </tr>
      }
    >
      {rows.map((row) => (
        <Row
          key={row.player_id}
          row={row}
          badges={badges.get(row.player_id) ?? []}
          teamName={team ? undefined : nameOf(row.team_id)}
          onWhy={
            why &&
            ((stat) => {
              why({ of: 'match-player', stat, match: match._id, player: row.player_id });
            })
          }
        />
      ))}
    </Ledger>
  );
};

/** 'Player Statistics': both teams, or one. Opens on the first team: its lines fit one screen. On paper stand the two, one below the other. */
export const BoxScore = ({
  match,
  why,
}: {
  readonly match: MatchAnswer;
  /** Opens the entries behind a number, for those who may see them. */
  readonly why?: Why | undefined;
}): ReactElement => {
  const [tab, setTab] = useState<'all' | 'team1' | 'team2'>('team1');
  const [opened, setOpened] = useState(false);
  const isPrinting = useIsPrinting();
  const { data = [] } = useQuery(listMatchCorrections(match._id));
  // What came after the day of the match stands at the head of the page, with everything before it.
  const corrections = isCorrectedAfterDay(data) ? [] : data;
  const team = tab === 'team1' ? match.team_1 : tab === 'team2' ? match.team_2 : undefined;
  return (
    <section className="sec" aria-labelledby="player-statistics">
      <div className="sec__head">
        <h2 className="d h2" id="player-statistics">
          Player Statistics
        </h2>
        {corrections.length > 0 && (
          <button
            type="button"
            className="badge badge--line badge--tall"
            aria-expanded={opened}
            onClick={() => {
              setOpened(!opened);
            }}
          >
            <IconHistory className="i i-s" stroke={1.75} aria-hidden="true" />
            {correctedInWords(corrections.length)}
          </button>
        )}
      </div>
      {opened && corrections.length > 0 && <CorrectionList corrections={corrections} />}
      <Tabs
        label="Player Statistics"
        tabs={[
          { id: 'all', title: 'All Players' },
          { id: 'team1', title: <ScriptText text={match.team_1.team_details.name} /> },
          { id: 'team2', title: <ScriptText text={match.team_2.team_details.name} /> },
        ]}
        selected={tab}
        onSelect={setTab}
      >
        {isPrinting ? (
          [match.team_1, match.team_2].map((one) => (
            <section key={one._id} className="boxscore__team">
              <h3>
                <ScriptText text={one.team_details.name} />
              </h3>
              <TeamLedger match={match} team={one} why={why} />
            </section>
          ))
        ) : (
          <TeamLedger match={match} team={team} why={why} />
        )}
      </Tabs>
    </section>
  );
};
