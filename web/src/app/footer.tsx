import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import mark from '../assets/logo-mark.svg';
import { useNow } from '../lib/use-now.ts';
import { paths } from './paths.ts';

const quickLinks = [
  { title: 'Home', to: paths.landing.to() },
  { title: 'Register Your Team', to: paths.upcoming.to() },
  { title: 'Tournaments', to: paths.results.to() },
  { title: 'About Us', to: paths.about.to() },
] as const;

/** The one that it is in Nepal; a page may stay open until the next. */
const Year = (): ReactElement => <>{kathmanduDay(useNow()).slice(0, 4)}</>;

/** The page's end, with the current year. */
export const Footer = (): ReactElement => (
  <footer className="foot">
    <div className="weave" />
    <div className="wrap">
      <div className="foot__in">
        <div>
          <Link className="logo" to={paths.landing.to()}>
            <img src={mark} alt="" width="30" height="30" />
            CourtLedger
          </Link>
          <p>Basketball tournaments, news and community engagement, in one ledger for Nepal. Bring your team: registering takes three steps.</p>
        </div>
        <nav aria-labelledby="quick-links">
          <h2 id="quick-links">Quick links</h2>
          <ul>
            {quickLinks.map((link) => (
              <li key={link.title}>
                <Link to={link.to}>{link.title}</Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <small>
        © <Year /> CourtLedger. All rights reserved.
      </small>
    </div>
  </footer>
);
