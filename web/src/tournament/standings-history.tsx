import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { useSearchParams } from 'react-router-dom';
import { dayOf, formatCount, formatFullDate, formatShortDate } from '../lib/format.rules.ts';
import { isBackInPlace } from '../lib/kept-place.ts';
import { useNow } from '../lib/use-now.ts';
import { getStandingsHistory } from './season.data.ts';
import { RankChart } from './standings-history-chart.tsx';
import './standings-history.css';
import { StandingsTable } from './standings-table.tsx';

/** Browsers refuse to change the address with every step of a slider that is drawn along. */
const restsAfter = 300;

/** Which match day is chosen (`2026-11-03`), as the address has it (`?day=`), so that whoever opens the link sees the same; undefined: the latest. */
const useChosenDay = (): readonly [day: string | undefined, choose: (day: string | undefined) => void] => {
  const [params, setParams] = useSearchParams();
  const inAddress = params.get('day') ?? undefined;
  const [chosen, setChosen] = useState(inAddress);
  useEffect(() => {
    if (chosen === inAddress) return undefined;
    const rest = setTimeout(() => {
      setParams(chosen === undefined ? {} : { day: chosen }, { replace: true });
    }, restsAfter);
    return () => {
      clearTimeout(rest);
    };
  }, [chosen, inAddress, setParams]);
  return [chosen, setChosen];
};

/** The table after any match day, by a slider, and the rank of every team over time. Nothing while there is but one day. */
export const StandingsHistory = ({ tournamentId, tournamentName }: { readonly tournamentId: string; readonly tournamentName: string }): ReactElement | null => {
  const history = useQuery(getStandingsHistory(tournamentId));
  const [chosen, choose] = useChosenDay();
  const now = useNow();
  const days = history.data?.days ?? [];
  const section = useRef<HTMLElement>(null);
  // A link to a match day leads to its table; what is chosen here stands here already, and whoever loads the page again has a place of their own.
  const isLinked = useRef(chosen !== undefined);
  const isThere = days.length > 1;
  const found = days.findIndex(({ date }) => dayOf(date) === chosen);
  const isFound = found >= 0;
  useEffect(() => {
    if (!isThere) return;
    if (isLinked.current && isFound && !isBackInPlace()) section.current?.scrollIntoView();
    isLinked.current = false;
  }, [isThere, isFound]);
  if (!isThere) return null;
  const at = isFound ? found : days.length - 1;
  const day = days[at];
  if (!day) return null;
  return (
    <section className="history-of" ref={section} aria-label="Standings over time">
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
            const to = days[Number(event.target.value)];
            choose(to === undefined || to === days.at(-1) ? undefined : dayOf(to.date));
          }}
        />
        <output htmlFor="match-day">
          {formatShortDate(day.date, now)}, {formatCount(day.matches, 'match', 'matches')}
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
