import { IconHistory, IconPlayerPause, IconPlayerPlay, IconTrophy, IconUser, IconUsers } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import ball from '../assets/ball.svg';
import './partner-section.css';

const kept = [
  { title: 'Player statistics', Icon: IconUser },
  { title: 'Team performance analytics', Icon: IconUsers },
  { title: 'Historical match data', Icon: IconHistory },
  { title: 'Tournament leaderboards', Icon: IconTrophy },
] as const;

const team = [
  { number: '23', x: 150, y: 250 },
  { number: '11', x: 222, y: 150 },
  { number: '4', x: 462, y: 300 },
  { number: '15', x: 300, y: 246 },
] as const;

/** The partner's film: a pass, a shot along the dotted arc, the rim glows, the ledger counts it. Six seconds, and it can be paused. */
const Film = (): ReactElement => {
  const figure = useRef<HTMLElement>(null);
  const [paused, setPaused] = useState(false);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const element = figure.current;
    if (!element || typeof IntersectionObserver !== 'function') return undefined;
    const observer = new IntersectionObserver((entries) => {
      setSeen(entries.some((entry) => entry.isIntersecting));
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, []);
  const Icon = paused ? IconPlayerPlay : IconPlayerPause;
  return (
    <figure aria-label="Animation: a shot is made and the ledger counts it" className={`card film ${seen && !paused ? '' : 'film--still'}`.trim()} ref={figure}>
      <svg viewBox="0 0 640 400" fill="none" aria-hidden="true">
        <path d="M60 400v-84a216 216 0 0 1 520 0v84M227 400V214h186v186M245 214a75 75 0 0 1 150 0" stroke="#F4F1EA" strokeOpacity=".2" strokeWidth="1.5" />
        <circle className="film__rim" cx="320" cy="352" r="12" stroke="#FF7A1F" strokeWidth="3" />
        <path d="M284 372h72" stroke="#F4F1EA" strokeWidth="3" />
        <path d="M520 196C470 40 356 30 321 340" stroke="#FF9F5A" strokeWidth="2.5" strokeDasharray="2 9" strokeLinecap="round" />
        <g className="film__dot" textAnchor="middle">
          <circle cx="520" cy="196" r="17" fill="#4D2785" stroke="#F4C34F" strokeWidth="2" />
          <text x="520" y="203" fontSize="20" fill="#F4C34F">
            7
          </text>
          {team.map((player) => (
            <g key={player.number}>
              <circle cx={player.x} cy={player.y} r="14" fill="#222A35" stroke="#738092" />
              <text x={player.x} y={player.y + 6} fontSize="16" fill="#B5BECA">
                {player.number}
              </text>
            </g>
          ))}
        </g>
        <image className="film__ball" href={ball} x="-17" y="-17" width="34" height="34" />
        <g transform="translate(28 28)">
          <rect width="212" height="84" rx="10" fill="#0A0C10" fillOpacity=".86" stroke="#394452" />
          <text x="16" y="28" fontSize="13" fill="#B5BECA">
            Entry 168
          </text>
          <text className="film__figure" x="16" y="64" fill="#F4F1EA">
            #7 +3
          </text>
          <text className="film__figure film__before" x="196" y="64" textAnchor="end" fill="#B5BECA">
            84–79
          </text>
          <text className="film__figure film__after" x="196" y="64" textAnchor="end" fill="#FF9F5A">
            87–79
          </text>
        </g>
      </svg>
      <button
        type="button"
        className="iconbtn film__pause"
        aria-label={paused ? 'Play the animation' : 'Pause the animation'}
        onClick={() => {
          setPaused(!paused);
        }}
      >
        <Icon className="i" stroke={1.75} aria-hidden="true" />
      </button>
    </figure>
  );
};

/** What the statistics partner keeps, and the film of it. */
export const PartnerSection = (): ReactElement => (
  <section className="wrap partner" aria-labelledby="partner">
    <div>
      <h2 className="d" id="partner">
        Every basket, on the record
      </h2>
      <p className="mute">Our statistics partner keeps the books at courtside: each entry names its scorer, each correction its reason.</p>
      <ul>
        {kept.map(({ title, Icon }) => (
          <li key={title}>
            <Icon className="i" stroke={1.75} aria-hidden="true" />
            {title}
          </li>
        ))}
      </ul>
    </div>
    <Film />
  </section>
);
