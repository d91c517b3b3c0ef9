import type { StandingsHistory } from '@courtledger/contracts/tournament/season.answers';
import type { ReactElement } from 'react';
import { CartesianGrid, Line, LineChart, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { formatDayMonth } from '../lib/format.rules.ts';

/** Apart for every common colour blindness, and against the court; the lines differ in their dashes too. */
const colours = ['#ff7a1f', '#9db9da', '#4fcb8e', '#f4c34f', '#ff8a80', '#c9d1db', '#de9a66', '#b48cf2'] as const;
const dashes = ['0', '8 4', '2 4', '12 4 2 4'] as const;

type RankChartProps = { readonly days: StandingsHistory['days']; readonly selected: number };

/** The rank of every team after each match day: first at the top. The same numbers stand in the tables of the slider. */
export const RankChart = ({ days, selected }: RankChartProps): ReactElement => {
  const teams = days.at(-1)?.rows.map(({ teamId, teamName }) => ({ teamId, teamName })) ?? [];
  const points = days.map((day) => ({ day: formatDayMonth(day.date), ...Object.fromEntries(day.rows.map((row) => [row.teamId, row.rank])) }));
  const most = Math.max(...days.flatMap((day) => day.rows.map((row) => row.rank)), 2);
  return (
    <figure className="card rankchart">
      <p className="sr">{`Rank of ${String(teams.length)} teams over ${String(days.length)} match days; the slider below shows each table`}</p>
      <div className="rankchart__plot" aria-hidden="true">
        <ResponsiveContainer width="100%" height="100%">
          <LineChart data={points} margin={{ top: 12, right: 16, bottom: 4, left: -24 }} accessibilityLayer={false}>
            <CartesianGrid stroke="#262e39" vertical={false} />
            <XAxis dataKey="day" stroke="#b5beca" tick={{ fontSize: 13 }} tickLine={false} />
            <YAxis reversed domain={[1, most]} allowDecimals={false} tickCount={most} stroke="#b5beca" tick={{ fontSize: 13 }} tickLine={false} axisLine={false} />
            <Tooltip contentStyle={{ background: '#181d25', border: '1px solid #394452', borderRadius: 8 }} itemSorter={(item) => Number(item.value)} isAnimationActive={false} />
            <ReferenceLine x={points[selected]?.day ?? ''} stroke="#738092" />
            {teams.map((team, index) => (
              <Line key={team.teamId} type="linear" dataKey={team.teamId} name={team.teamName} stroke={colours[index % colours.length] ?? '#f4f1ea'} strokeWidth={2.5} strokeDasharray={dashes[Math.floor(index / colours.length) % dashes.length] ?? '0'} dot={{ r: 3 }} connectNulls isAnimationActive={false} />
            ))}
          </LineChart>
        </ResponsiveContainer>
      </div>
      <figcaption className="rankchart__legend">
        {teams.map((team, index) => (
          <span key={team.teamId}>
            <svg width="22" height="8" aria-hidden="true">
              <line x1="0" y1="4" x2="22" y2="4" stroke={colours[index % colours.length] ?? '#f4f1ea'} strokeWidth="3" strokeDasharray={dashes[Math.floor(index / colours.length) % dashes.length] ?? '0'} />
            </svg>
            {team.teamName}
          </span>
        ))}
      </figcaption>
    </figure>
  );
};
