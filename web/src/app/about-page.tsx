import { pageHeads } from '@courtledger/contracts/kernel/page-head';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import court from '../assets/court.svg';
import mark from '../assets/logo-mark.svg';
import { DocumentHead } from '../lib/document-head.tsx';
import '../ui/stage.css';
import './about-page.css';
import { paths } from './paths.ts';

/** The mission, in two paragraphs (specification section 1). */
export const AboutPage = (): ReactElement => (
  <>
    <DocumentHead {...pageHeads.about} />
    <section className="stage">
      <img className="stage__court" src={court} alt="" />
      <div className="wrap about__head">
        <img src={mark} alt="CourtLedger" width="88" height="88" />
        <h1 className="h1">One record of the game in Nepal</h1>
      </div>
    </section>
    <div className="wrap sec">
      <div className="two about__text">
        <p>
          CourtLedger is a central platform for tracking player performance and tournament updates in Nepal. Results, standings and player statistics of every
          tournament stand in one place, open to everyone.
        </p>
        <p className="mute">
          We start with basketball and aim to cover all sports. Teams, organizers and fans who want to help us get there are welcome: register a team, enter a
          tournament, or send us your event.
        </p>
      </div>
      <div className="about__acts">
        <Link className="btn btn--p" to={paths.upcoming.to()}>
          Register Your Team
        </Link>
        <Link className="btn btn--s" to={paths.requestTournament.to()}>
          Register Your Tournament
        </Link>
      </div>
    </div>
  </>
);
