import { IconArrowLeft } from '@tabler/icons-react';
import type { MatchTeam } from '@courtledger/contracts/match/match.answers';
import type { ReactElement, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Traced } from '../admin/why.tsx';
import court from '../assets/court.svg';
import { formatNumber } from '../lib/format.rules.ts';
import { Crest } from '../ui/crest.tsx';
import { LiveNumber } from '../ui/live-number.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import './board.css';

type BoardProps = {
  readonly back: { readonly title: string; readonly to: string };
  /** Tournament, day and hall in one line. */
  readonly meta: ReactNode;
  /** Read out as the page's heading. */
  readonly heading: string;
  readonly team1: MatchTeam;
  readonly team2: MatchTeam;
  /** Absent before anything was recorded. */
  readonly scores?: readonly [number, number] | undefined;
  readonly winner?: 1 | 2 | undefined;
  /** Opens the entries behind a team's score, for those who may see them. */
  readonly onWhy?: ((teamId: string) => void) | undefined;
  /** What stands in the centre circle. */
  readonly children: ReactNode;
};

type SideProps = {
  readonly team: MatchTeam;
  readonly side: 1 | 2;
  readonly score: number | undefined;
  readonly winner: 1 | 2 | undefined;
  readonly onWhy: ((teamId: string) => void) | undefined;
};

/** Names over 24 letters are set smaller (look, section 8). */
const longName = 24;

const BoardSide = ({ team, side, score, winner, onWhy }: SideProps): ReactElement => {
  const { name, logo } = team.team_details;
  const state = score === undefined ? 'bt--id' : winner === undefined ? 'bt--level' : winner === side ? 'bt--win' : 'bt--lost';
  const crest = <Crest id={team._id} name={name} logo={logo} />;
  const title = (
    <div className={Array.from(name).length > longName ? 'bt__n bt__n--long' : 'bt__n'}>
      {winner === side && <span className="badge badge--win">WINNER</span>}
      {winner !== undefined && winner !== side && <span className="pad only-m" />}
      <div title={name}>
        <ScriptText text={name} />
      </div>
    </div>
  );
  const total = score !== undefined && (
    <div className="bt__score">
      <Traced onWhy={onWhy} asked={team._id} label={`Why ${formatNumber(score)}? Score of ${name}`}>
        <LiveNumber value={score} />
      </Traced>
    </div>
  );
  return (
    <div className={`bt ${side === 2 ? 'bt--b' : ''} ${state}`}>
      {side === 1 ? (
        <>
          {crest}
          {title}
          {total}
        </>
      ) : (
        <>
          {total}
          {title}
          {crest}
        </>
      )}
    </div>
  );
};

/** The head of a match: the whole court, light on the winner's half, the score as the largest thing. */
export const Board = ({ back, meta, heading, team1, team2, scores, winner, onWhy, children }: BoardProps): ReactElement => (
  <section className={scores === undefined ? 'board board--next' : 'board'}>
    {winner !== undefined && <div className={winner === 1 ? 'board__lit' : 'board__lit board__lit--b'} />}
    <img className="board__court" src={court} alt="" />
    <div className="wrap board__in">
      <div className="board__meta">
        <Link className="crumb" to={back.to}>
          <IconArrowLeft className="i i-s" stroke={1.75} aria-hidden="true" />
          <span>{back.title}</span>
        </Link>
        <span>{meta}</span>
      </div>
      <h1 className="sr">{heading}</h1>
      <div className="board__row">
        <BoardSide team={team1} side={1} score={scores?.[0]} winner={winner} onWhy={onWhy} />
        <div className="board__c">{children}</div>
        <BoardSide team={team2} side={2} score={scores?.[1]} winner={winner} onWhy={onWhy} />
      </div>
    </div>
  </section>
);
