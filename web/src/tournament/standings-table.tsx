import { IconChevronDown } from '@tabler/icons-react';
import type { StandingRow } from '@courtledger/contracts/tournament/tournament.answers';
import { useState, type ReactElement, type ReactNode } from 'react';
import { Traced } from '../admin/why.tsx';
import { formatDifference, formatNumber, formatStanding } from '../lib/format.rules.ts';
import { Crest } from '../ui/crest.tsx';
import { Ledger } from '../ui/ledger.tsx';
import { LiveNumber } from '../ui/live-number.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import './standings-table.css';

const columns = [
  { key: 'rank', title: 'Rank' },
  { key: 'team', title: 'Team Name' },
  { key: 'played', title: 'Played', className: 'num' },
  { key: 'wins', title: 'Wins', className: 'num only-d' },
  { key: 'losses', title: 'Losses', className: 'num only-d' },
  { key: 'points', title: 'Points', className: 'num' },
  { key: 'for', title: 'FOR', className: 'num only-d' },
  { key: 'against', title: 'AGST', className: 'num only-d' },
  { key: 'difference', title: 'PD', className: 'num' },
  { key: 'more', title: <span className="sr">More</span>, className: 'only-m' },
] as const;

/** Medals go by rank: two thirds are both bronze. */
const highlighted = 3;

export type TracedStat = 'rank' | 'played' | 'wins' | 'losses' | 'points' | 'pointsFor' | 'pointsAgainst' | 'difference';
/** Opens the entries behind a number of a team's row. */
type OnWhy = (question: { readonly stat: TracedStat; readonly team: string }) => void;
const statNames: Readonly<Record<TracedStat, string>> = {
  rank: 'rank',
  played: 'matches played',
  wins: 'wins',
  losses: 'losses',
  points: 'points',
  pointsFor: 'points for',
  pointsAgainst: 'points against',
  difference: 'point difference',
};

const Row = ({ row, onWhy }: { readonly row: StandingRow; readonly onWhy: OnWhy | undefined }): ReactElement => {
  const [open, setOpen] = useState(false);
  const traced = (stat: TracedStat, shown: ReactNode): ReactElement => (
    <Traced onWhy={onWhy} asked={{ stat, team: row.teamId }} label={`Why ${formatStanding(stat, row[stat])}? ${row.teamName}, ${statNames[stat]}`}>
      {shown}
    </Traced>
  );
  const sign = row.difference > 0 ? 'pos' : row.difference < 0 ? 'neg' : '';
  return (
    <>
      <tr className={row.rank === 1 ? 'r1' : ''}>
        <td>
          <span className={row.rank <= highlighted ? `rank rank--${String(row.rank)}` : 'rank'}>{traced('rank', row.rank)}</span>
        </td>
        <th scope="row">
          <span className="who">
            <Crest id={row.teamId} name={row.teamName} logo={row.logo} />
            <span title={row.teamName}>
              <ScriptText text={row.teamName} />
              {row.tieBreak !== undefined && (
                <span className="why only-d">
                  <ScriptText text={row.tieBreak} />
                </span>
              )}
            </span>
          </span>
        </th>
        <td className="num">{traced('played', row.played)}</td>
        <td className="num only-d">{traced('wins', row.wins)}</td>
        <td className="num only-d">{traced('losses', row.losses)}</td>
        <td className="num">{traced('points', <LiveNumber className="pts" value={row.points} />)}</td>
        <td className="num mute only-d">{traced('pointsFor', <LiveNumber value={row.pointsFor} />)}</td>
        <td className="num mute only-d">{traced('pointsAgainst', <LiveNumber value={row.pointsAgainst} />)}</td>
        <td className={`num ${sign}`.trim()}>{traced('difference', formatDifference(row.difference))}</td>
        <td className="only-m">
          <button
            type="button"
            className="iconbtn"
            aria-expanded={open}
            aria-label={`Wins, losses, FOR and AGST of ${row.teamName}`}
            onClick={() => {
              setOpen(!open);
            }}
          >
            <IconChevronDown className="i" stroke={1.75} aria-hidden="true" />
          </button>
        </td>
      </tr>
      {open && (
        <tr className="only-m">
          <td colSpan={6} className="more mute">
            <b className="more__name">
              <ScriptText text={row.teamName} />
            </b>
            <span className="more__line">
              <span>
                Wins <b>{traced('wins', row.wins)}</b>
              </span>
              <span>
                Losses <b>{traced('losses', row.losses)}</b>
              </span>
              <span>
                FOR <b>{traced('pointsFor', formatNumber(row.pointsFor))}</b>
              </span>
              <span>
                AGST <b>{traced('pointsAgainst', formatNumber(row.pointsAgainst))}</b>
              </span>
            </span>
            {row.tieBreak !== undefined && (
              <span className="why">
                <ScriptText text={row.tieBreak} />
              </span>
            )}
          </td>
        </tr>
      )}
    </>
  );
};

type StandingsTableProps = {
  readonly rows: readonly StandingRow[];
  readonly tournamentName: string;
  /** For admins; without it numbers are plain. */
  readonly onWhy?: OnWhy | undefined;
};

/** Nine columns on a desktop; on a phone the essential five, the rest one tap away. */
export const StandingsTable = ({ rows, tournamentName, onWhy }: StandingsTableProps): ReactElement => (
  <Ledger className="stand" caption={`Standings of ${tournamentName}`} columns={columns}>
    {rows.map((row) => (
      <Row key={row.teamId} row={row} onWhy={onWhy} />
    ))}
  </Ledger>
);
