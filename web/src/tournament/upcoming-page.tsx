import { pageHeads } from '@courtledger/contracts/kernel/page-head';
import { IconCalendarEvent, IconMapPin } from '@tabler/icons-react';
import type { TournamentListItem } from '@courtledger/contracts/tournament/tournament.answers';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type CSSProperties, type ReactElement } from 'react';
import { Link, NavigationType, useNavigationType } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import { DocumentHead } from '../lib/document-head.tsx';
import { formatAmount, formatBsDate, formatDate, formatPrize, prizeTotal } from '../lib/format.rules.ts';
import { Amount } from '../ui/amount.tsx';
import { LoadFailure, isNotLoaded } from '../ui/load-state.tsx';
import { Poster } from '../ui/picture.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { EmptyState, Spinner } from '../ui/states.tsx';
import { listTournaments } from './tournament.data.ts';
import { untilTomorrow } from './tournament.rules.ts';
import './upcoming-page.css';

/** The spinner stands at least this long (specification section 9). */
const spinnerMs = 600;

const Money = ({ title, text }: { readonly title: string; readonly text: string }): ReactElement => (
  <div>
    <dt>{title}</dt>
    <dd style={{ '--letters': text.length } as CSSProperties}>
      <Amount text={text} />
    </dd>
  </div>
);

const EventCard = ({ event, wide, eager }: { readonly event: TournamentListItem; readonly wide: boolean; readonly eager: boolean }): ReactElement => {
  const total = prizeTotal(event.prizePool);
  return (
    <article className={wide ? 'card event event--f' : 'card event'}>
      <Poster image={event.posterImage} name={event.eventName} eager={eager} className="poster--whole" />
      <div className="event__b">
        <div className="event__t">
          {event.featured && <span className="badge badge--gold">Featured</span>}
          <h2>
            <ScriptText text={event.eventName} />
          </h2>
          <div className="meta">
            <span title={formatBsDate(event.startDate)}>
              <IconCalendarEvent className="i" stroke={1.75} aria-hidden="true" />
              {formatDate(event.startDate)}
            </span>
            <span>
              <IconMapPin className="i" stroke={1.75} aria-hidden="true" />
              <span>
                <ScriptText text={event.location} />
              </span>
            </span>
          </div>
        </div>
      </div>
      <div className="event__f">
        <dl className="kv">
          <Money title="Prize pool" text={total === undefined ? 'NA' : `NPR ${formatAmount(total)}`} />
          <Money title="Entry Fee" text={formatPrize(event.prizePool.entryFee)} />
        </dl>
        <Link className="btn btn--s" to={paths.tournament.to(event._id)}>
          View Details <span className="sr">of {event.eventName}</span>
        </Link>
      </div>
    </article>
  );
};

/** 'Upcoming Events': what is not over yet, the featured ones across the whole width. */
export const UpcomingPage = (): ReactElement => {
  // What ends today goes from the list at midnight, and no change of the log tells of it.
  const tournaments = useQuery({ ...listTournaments(), refetchInterval: () => untilTomorrow(Date.now()) });
  // On the way back the browser looks for the place in the list at once: a spinner is too short to find it in.
  const returned = useNavigationType() === NavigationType.Pop;
  const [waited, setWaited] = useState(returned && tournaments.data !== undefined);
  useEffect(() => {
    const timer = setTimeout(() => {
      setWaited(true);
    }, spinnerMs);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  const events = (tournaments.data?.upcomingTournaments ?? []).toSorted((a, b) => Number(b.featured) - Number(a.featured));
  const loading = !waited || tournaments.isPending;
  const notLoaded = isNotLoaded(tournaments);
  return (
    <div className="wrap">
      <DocumentHead {...pageHeads.upcoming} />
      <div className="head">
        <h1 className="h1">Upcoming Events</h1>
        <Link className="btn btn--s" to={paths.requestTournament.to()}>
          Register Your Tournament
        </Link>
      </div>
      {loading && <Spinner />}
      {!loading && notLoaded && <LoadFailure what="The events" onRetry={tournaments.refetch} />}
      {!loading && !notLoaded && events.length === 0 && <EmptyState text="No events found." />}
      {!loading && events.length > 0 && (
        <div className="events">
          {events.map((event, index) => (
            <EventCard key={event._id} event={event} wide={event.featured} eager={index < 2} />
          ))}
        </div>
      )}
    </div>
  );
};
