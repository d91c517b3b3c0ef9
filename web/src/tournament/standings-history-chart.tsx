import { graphemesOf } from '@courtledger/contracts/kernel/graphemes';
import type { StandingsHistory } from '@courtledger/contracts/tournament/season.answers';
import { useLayoutEffect, useMemo, useRef, useState, type ReactElement, type RefObject } from 'react';
import { CartesianGrid, Line, LineChart, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { formatDayMonth, formatFullDate } from '../lib/format.rules.ts';
import { ScriptText } from '../ui/script-text.tsx';
import { fittedName, labelGap, labelRoom, linesOfRanks, ranksOf, type Measure } from './standings-history.rules.ts';

/** Room for one name under another, in pixels. */
const labelHeight = 15;

type EndLabelProps = {
  readonly last: number;
  readonly text: string;
  readonly below: number;
  readonly colour: string;
  /** The chart adds these, for every point of the line. */
  readonly index?: number | undefined;
  readonly x?: number | string | undefined;
  readonly y?: number | string | undefined;
};

/** The name of a team where its line ends. */
const EndLabel = ({ last, text, below, colour, index, x, y }: EndLabelProps): ReactElement | null =>
  index === last ? (
    <text className="rankchart__end" x={Number(x) + labelGap} y={Number(y) + 4 + below * labelHeight} fill={colour}>
      {text}
    </text>
  ) : null;

/** A letter on average, in pixels: where nothing can be measured. */
const letterWidth = 7.6;

/** Measures as the style sheet draws the names (`rankchart__end`). */
const measureLabels = (): Measure => {
  const context = typeof OffscreenCanvas === 'undefined' ? null : new OffscreenCanvas(1, 1).getContext('2d');
  if (context === null) return (text) => graphemesOf(text).length * letterWidth;
  context.font = `550 13px ${getComputedStyle(document.body).fontFamily}`;
  return (text) => context.measureText(text).width;
};

/** How wide an element is, in pixels, also after it changes; 0 before it was measured. */
const useWidth = (): { readonly element: RefObject<HTMLDivElement | null>; readonly width: number } => {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measured = element.current;
    if (!measured) return undefined;
    const measure = (): void => {
      setWidth(Math.round(measured.getBoundingClientRect().width));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => {
      observer.disconnect();
    };
  }, []);
  return { element, width };
};

type RankChartProps = { readonly days: StandingsHistory['days']; readonly selected: number };

/** The rank of every team after each match day: first at the top. The same numbers stand in the tables of the slider. */
export const RankChart = ({ days, selected }: RankChartProps): ReactElement => {
  // The slider only moves the mark: the chart measures and lays out again whatever is new.
  const teams = useMemo(() => linesOfRanks(days), [days]);
  // By the whole date: a league of more than a year has two days of the same name.
  const points = useMemo(() => days.map((day) => ({ day: day.date, ...Object.fromEntries(day.rows.map((row) => [row.teamId, row.rank])) })), [days]);
  const { element, width } = useWidth();
  const { room, labels } = useMemo(() => {
    const measure = measureLabels();
    const fits = labelRoom(
      teams.map(({ teamName }) => teamName),
      width,
      measure,
    );
    return { room: fits, labels: teams.map(({ teamName }) => fittedName(teamName, fits, measure)) };
  }, [teams, width]);
  const { most, lowest } = ranksOf(days);
  // Closer than this they hide the lines.
  const hasDots = (width - room - labelGap) / days.length > 10;
  return (
    <figure className="card rankchart">
      <p className="sr">{`Rank of ${String(teams.length)} teams over ${String(days.length)} match days; the slider below shows each table`}</p>
      <div className="rankchart__plot" ref={element} style={{ minHeight: lowest * 20 + 48 }} aria-hidden="true">
        <ResponsiveContainer width="100%" height="100%">
          <LineChart data={points} margin={{ top: 12, right: room + labelGap, bottom: 4, left: -24 }} accessibilityLayer={false}>
            <CartesianGrid stroke="#262e39" vertical={false} />
            <XAxis dataKey="day" tickFormatter={formatDayMonth} stroke="#b5beca" tick={{ fontSize: 13 }} tickLine={false} tickMargin={8} height={34} />
            <YAxis
              reversed
              domain={[1, lowest]}
              allowDecimals={false}
              ticks={Array.from({ length: most }, (_, index) => index + 1)}
              interval={0}
              stroke="#b5beca"
              tick={{ fontSize: 13 }}
              tickLine={false}
              axisLine={false}
            />
            <Tooltip
              contentStyle={{ background: '#181d25', border: '1px solid #394452', borderRadius: 8 }}
              labelFormatter={(day) => typeof day === 'string' && formatFullDate(day)}
              itemSorter={(item) => Number(item.value)}
              isAnimationActive={false}
            />
            <ReferenceLine x={points[selected]?.day ?? ''} stroke="#738092" />
            {teams.map(({ teamId, teamName, below, stroke, strokeDasharray }, index) => (
              <Line
                key={teamId}
                type="linear"
                dataKey={teamId}
                name={teamName}
                stroke={stroke}
                strokeWidth={2.5}
                strokeDasharray={strokeDasharray}
                dot={hasDots && { r: 3, strokeDasharray: '0' }}
                connectNulls
                isAnimationActive={false}
                label={<EndLabel last={points.length - 1} text={labels[index] ?? ''} below={below} colour={stroke} />}
              />
            ))}
          </LineChart>
        </ResponsiveContainer>
      </div>
      <figcaption className="rankchart__legend">
        {teams.map(({ teamId, teamName, stroke, strokeDasharray }) => (
          <span key={teamId}>
            <svg width="34" height="8" aria-hidden="true">
              <line x1="0" y1="4" x2="34" y2="4" stroke={stroke} strokeWidth="3" strokeDasharray={strokeDasharray} />
            </svg>
            <span>
              <ScriptText text={teamName} />
            </span>
          </span>
        ))}
      </figcaption>
    </figure>
  );
};
