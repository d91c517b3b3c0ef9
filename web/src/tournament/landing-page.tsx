import { pageHeads, tournamentHead } from '@courtledger/contracts/kernel/page-head';
import { IconArrowRight } from '@tabler/icons-react';
import type { TournamentListItem } from '@courtledger/contracts/tournament/tournament.answers';
import { useQuery } from '@tanstack/react-query';
import type { CSSProperties, ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import ball from '../assets/ball.svg';
import court from '../assets/court.svg';
import { DocumentHead } from '../lib/document-head.tsx';
import { formatCount, formatRegistrationStart } from '../lib/format.rules.ts';
import { useNow } from '../lib/use-now.ts';
import { LoadFailure, isNotLoaded } from '../ui/load-state.tsx';
import { Poster } from '../ui/picture.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { Bone, EmptyState } from '../ui/states.tsx';
import './landing-page.css';
import { PartnerSection } from './partner-section.tsx';
import { Purse } from './purse.tsx';
import { isRegisterable, longestWord, titleSize } from './tournament.rules.ts';
import { listTournaments } from './tournament.data.ts';
import { WhenAndWhere } from './when-and-where.tsx';

const RegisterAction = ({ tournament }: { readonly tournament: TournamentListItem }): ReactElement =>
  isRegisterable(tournament.registerable) ? (
    <Link className="btn btn--p btn--lg" to={paths.registerTeam.to(tournament._id)}>
      Register <IconArrowRight className="i" stroke={1.75} aria-hidden="true" />
    </Link>
  ) : (
    <Link className="btn btn--s btn--lg" to={paths.results.to()}>
      <span>
        <ScriptText text={tournament.registerable} />
      </span>
    </Link>
  );

const Featured = ({ tournament, now }: { readonly tournament: TournamentListItem; readonly now: number }): ReactElement => (
  <>
    <div className="hero__title">
      <div className="weave weave--s" />
      <h1 className={`hero__name ${titleSize(tournament.name)}`} style={{ '--word': longestWord(tournament.name) } as CSSProperties}>
        <ScriptText text={tournament.name} />
      </h1>
      <p className="hero__by">
        Organized by{' '}
        <b>
          <ScriptText text={tournament.organizer.name} />
        </b>
      </p>
      <WhenAndWhere startDate={tournament.startDate} location={tournament.location} />
      <div className="hero__cta">
        <RegisterAction tournament={tournament} />
      </div>
    </div>
    <div className="hero__side">
      <div className="card hero__entry">
        <Poster image={tournament.posterImage} name={tournament.name} eager />
        <div>
          <b>{formatCount(tournament.teams.length, 'team')} entered</b>
          <span className="mute">{formatRegistrationStart(tournament.registeringStartDate, now)}</span>
          <Link className="link" to={paths.tournament.to(tournament._id)}>
            Tournament details
          </Link>
        </div>
      </div>
      <Purse prizePool={tournament.prizePool} />
    </div>
  </>
);

const Loading = (): ReactElement => (
  <>
    <div className="hero__title" aria-busy="true">
      <div className="weave weave--s" />
      <h1 className="hero__name hero__name--wait">Loading...</h1>
      <div className="hero__bones">
        <Bone width={420} height={22} />
        <Bone width={340} height={20} />
        <Bone width={170} height={60} />
      </div>
    </div>
    <div className="hero__side" aria-hidden="true">
      <div className="card hero__entry">
        <Bone width={96} height={120} />
        <Bone width={150} height={20} />
      </div>
      <div className="card purse hero__bones">
        <Bone width={240} height={68} />
        {['a', 'b', 'c', 'd', 'e'].map((key) => (
          <Bone key={key} width="100%" height={30} />
        ))}
      </div>
    </div>
  </>
);

/** The first page: the featured tournament on the court, then what the statistics partner keeps. */
export const LandingPage = (): ReactElement => {
  const tournaments = useQuery(listTournaments());
  const now = useNow();
  const featured = tournaments.data?.allTournaments[0];
  return (
    <>
      <DocumentHead {...(featured ? tournamentHead(featured) : pageHeads.landing)} />
      <section className="hero">
        <img className="hero__court" src={court} alt="" />
        <div className="wrap hero__in">
          {featured && <Featured tournament={featured} now={now} />}
          {!featured && tournaments.isPending && <Loading />}
          {!featured && !tournaments.isPending && (
            <div>
              <h1 className="sr">Basketball tournaments in Nepal</h1>
              {isNotLoaded(tournaments) ? (
                <LoadFailure what="The tournaments" onRetry={tournaments.refetch} />
              ) : (
                <EmptyState text="No tournament data available" />
              )}
            </div>
          )}
        </div>
      </section>
      <div className="dribble" aria-hidden="true">
        <img src={ball} alt="" width="128" height="128" />
      </div>
      <PartnerSection />
    </>
  );
};
