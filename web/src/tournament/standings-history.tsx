import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { formatDayMonth, formatFullDate, formatCount } from '../lib/format.rules.ts';
import { getStandingsHistory } from './season.data.ts';
import { RankChart } from './standings-history-chart.tsx';
import './standings-history.css';
import { StandingsTable } from './standings-table.tsx';

/** The table after any match day, by a slider, and the rank of every team over time. Nothing while there is but one day. */
export const StandingsHistory = ({ tournamentId, tournamentName }: { readonly tournamentId: string; readonly tournamentName: string }): ReactElement | null => {
  const history = useQuery(getStandingsHistory(tournamentId));
  const [chosen, setChosen] = useState<number>();
  const days = history.data?.days ?? [];
  if (days.length < 2) return null;
  const at = Math.min(chosen ?? days.length - 1, days.length - 1);
  const day = days[at];
  if (!day) return null;
  return (
    <section className="history-of" aria-label="Standings over time">
      <h2 className="h2">Over time</h2>
      <RankChart days={days} selected={at} />
      <div className="history-of__slide">
        <label htmlFor="match-day">Match day</label>
        <input
          id="match-day"
          type="range"
          min={0}
          max={days.length - 1}
          step={1}
          value={at}
          aria-valuetext={formatFullDate(day.date)}
          onChange={(event) => {
            setChosen(Number(event.target.value));
          }}
        />
        <output htmlFor="match-day">
          {formatDayMonth(day.date)}, {formatCount(day.matches, 'match', 'matches')}
        </output>
      </div>
      {at < days.length - 1 && (
        <>
          <h3 className="history-of__when">{`Standings after ${formatFullDate(day.date)}`}</h3>
          {/* Another day is another table: its numbers did not change just now. */}
          <StandingsTable key={day.date} rows={day.rows} tournamentName={`${tournamentName}, after ${formatFullDate(day.date)}`} />
        </>
      )}
    </section>
  );
};
