import type { LogEvent } from '@courtledger/contracts/operations/operations.answers';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState, type ReactElement } from 'react';
import { formatInstant } from '../lib/format.rules.ts';
import { Banner } from '../ui/banner.tsx';
import { Ledger } from '../ui/ledger.tsx';
import { EmptyState, Spinner } from '../ui/states.tsx';
import { getLogEvent, listLogEvents } from './audit.data.ts';
import { factTypes, typeInWords } from './audit-types.rules.ts';
import './operations.css';
import { actorInWords } from './operations.rules.ts';

const columns = [
  { key: 'position', title: 'Position', className: 'num' },
  { key: 'when', title: 'When' },
  { key: 'what', title: 'Event' },
  { key: 'who', title: 'Who' },
] as const;

/** One event with its data and metadata, as the log has it: without sealed details. */
const Opened = ({ position }: { readonly position: string }): ReactElement => {
  const event = useQuery(getLogEvent(position));
  if (event.isPending) return <Spinner />;
  if (event.isError) return <Banner kind="bad" text={event.error.message || 'Internal Server Error'} />;
  const { stream, revision, version, data, metadata } = event.data;
  return (
    <>
      <p className="mute">{`${stream}, revision ${String(revision)}, version ${String(version)}`}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be within reach of the keyboard */}
      <pre className="event" tabIndex={0} aria-label={`Event ${position}`}>
        {JSON.stringify({ data, metadata }, null, 2)}
      </pre>
    </>
  );
};

const Line = ({ event, opened, onOpen }: { readonly event: LogEvent; readonly opened: boolean; readonly onOpen: () => void }): ReactElement => (
  <tr>
    <td data-l="Position" className="num">
      {event.position}
    </td>
    <td data-l="When">
      <time dateTime={event.time}>{formatInstant(event.time)}</time>
    </td>
    <th scope="row">
      <button type="button" className="whybtn" aria-expanded={opened} onClick={onOpen}>
        {typeInWords(event.type)}
      </button>
      {opened && <Opened position={event.position} />}
    </th>
    <td data-l="Who">{actorInWords(event)}</td>
  </tr>
);

/** Reads the log as a person: the newest events, narrowed by type, actor and match, as they come; one opens on a click. */
export const EventsSection = (): ReactElement => {
  const [type, setType] = useState('');
  const [actor, setActor] = useState('');
  const [match, setMatch] = useState('');
  const [pages, setPages] = useState<readonly string[]>([]);
  const [opened, setOpened] = useState<string>();
  const filter = useDeferredValue({ type, actor: actor.trim(), match: match.trim() });
  const before = pages.at(-1);
  const page = useQuery(listLogEvents({ ...filter, ...(before !== undefined && { before }) }));
  const next = page.data?.next;
  const change = (set: (value: string) => void) => (event: { readonly target: { readonly value: string } }): void => {
    set(event.target.value);
    setPages([]);
  };
  return (
    <section className="ops__sec" aria-label="Events">
      <h2>Events</h2>
      <p>What the log holds, newest first, as it comes. Personal details are sealed and stay so here.</p>
      <search className="filters" aria-label="Filter the events">
        <label className="field">
          <span>Event type</span>
          <select className="input" value={type} onChange={change(setType)}>
            <option value="">Everything</option>
            {factTypes.map((one) => (
              <option key={one} value={one}>
                {typeInWords(one)}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>Recorded by</span>
          <input className="input" type="search" autoComplete="off" placeholder="Name or id" value={actor} onChange={change(setActor)} />
        </label>
        <label className="field">
          <span>Match</span>
          <input className="input" type="search" autoComplete="off" placeholder="Id of a match" value={match} onChange={change(setMatch)} />
        </label>
      </search>
      {page.isPending && <Spinner />}
      {page.isError && <Banner kind="bad" text={page.error.message || 'Internal Server Error'} />}
      {page.data?.events.length === 0 && <EmptyState text="No such event on this page" />}
      {page.data && page.data.events.length > 0 && (
        <Ledger caption="Events, newest first" className="cards-m history" columns={columns}>
          {page.data.events.toReversed().map((event) => (
            <Line
              key={event.position}
              event={event}
              opened={opened === event.position}
              onOpen={() => {
                setOpened(opened === event.position ? undefined : event.position);
              }}
            />
          ))}
        </Ledger>
      )}
      <div className="row-acts pager">
        {pages.length > 0 && (
          <button
            type="button"
            className="btn btn--s btn--sm"
            onClick={() => {
              setPages(pages.slice(0, -1));
            }}
          >
            Newer events
          </button>
        )}
        {typeof next === 'string' && (
          <button
            type="button"
            className="btn btn--s btn--sm"
            onClick={() => {
              setPages([...pages, next]);
            }}
          >
            Older events
          </button>
        )}
      </div>
    </section>
  );
};
