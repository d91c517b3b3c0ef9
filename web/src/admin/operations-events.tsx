import type { LogEvent } from '@courtledger/contracts/operations/operations.answers';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Banner } from '../ui/banner.tsx';
import { Instant } from '../ui/instant.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { getLogEvent, listLogEvents } from './audit.data.ts';
import { factTypes, typeInWords } from './audit-types.rules.ts';
import './operations.css';
import { actorInWords } from './operations.rules.ts';
import { FilterField, PagedLog, TypeFilter, useLogView } from './paged-log.tsx';
import { QueryState } from './query-state.tsx';
import './why.css';

const columns = [
  { key: 'position', title: 'Position', className: 'num' },
  { key: 'when', title: 'When' },
  { key: 'type', title: 'Event' },
  { key: 'what', title: 'What' },
  { key: 'who', title: 'Who' },
] as const;

/** One event with its data and metadata, as the log has it: without sealed details. */
const Opened = ({ position }: { readonly position: string }): ReactElement => {
  const event = useQuery(getLogEvent(position));
  if (!event.isSuccess) return <QueryState query={event} />;
  const { stream, revision, version, data, metadata, damage } = event.data;
  return (
    <>
      {damage !== null && <Banner kind="bad" text={`${damage}.`} />}
      <p className="mute">{`${stream}, revision ${String(revision)}, version ${String(version)}`}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be within reach of the keyboard */}
      <pre className="event" tabIndex={0} aria-label={`Event ${position}`}>
        {JSON.stringify({ data, metadata }, null, 2)}
      </pre>
    </>
  );
};

/** What is opened stands below its line, as wide as the table. */
const Line = ({ event, opened, onOpen }: { readonly event: LogEvent; readonly opened: boolean; readonly onOpen: () => void }): ReactElement => (
  <>
    <tr>
      <td data-l="Position" className="num">
        {event.position}
      </td>
      <td data-l="When" className="nowrap-w">
        <Instant at={event.time} />
      </td>
      <th scope="row">
        <button type="button" className="whybtn" aria-expanded={opened} onClick={onOpen}>
          {typeInWords(event.type)}
        </button>
      </th>
      <td data-l="What">
        <ScriptText text={event.what} />
      </td>
      <td data-l="Who">{actorInWords(event)}</td>
    </tr>
    {opened && (
      <tr className="under">
        <td colSpan={columns.length}>
          <Opened position={event.position} />
        </td>
      </tr>
    )}
  </>
);

/** Reads the log as a person: the newest events, narrowed by type, actor, match and time, as they come; one opens on a click. */
export const EventsSection = (): ReactElement => {
  const view = useLogView({ type: '', actor: '', match: '', since: '', until: '' });
  const [opened, setOpened] = useState<string>();
  const { type, actor, match, since, until } = view.filter;
  const page = useQuery(
    listLogEvents({ type, actor: actor.trim(), match: match.trim(), since, until, ...(view.before !== undefined && { before: view.before }) }),
  );
  return (
    <section className="ops__sec" aria-label="Events">
      <h2>Events</h2>
      <p>What the log holds, newest first, as it comes. Personal details are sealed and stay so here.</p>
      <search className="filters" aria-label="Filter the events">
        <TypeFilter label="Event type" types={factTypes} {...view.field('type')} />
        <FilterField label="Recorded by" placeholder="Name, id or role" {...view.field('actor')} />
        <FilterField label="Match" placeholder="Id of a match" {...view.field('match')} />
        <FilterField label="From" type="date" {...view.field('since')} />
        <FilterField label="To" type="date" {...view.field('until')} />
      </search>
      <PagedLog
        query={page}
        view={view}
        caption="Events, newest first"
        className="cards-m history"
        columns={columns}
        empty="No such event"
        days={{ from: since, to: until }}
        noun="events"
        rows={page.data?.events.toReversed().map((event) => (
          <Line
            key={event.position}
            event={event}
            opened={opened === event.position}
            onOpen={() => {
              setOpened(opened === event.position ? undefined : event.position);
            }}
          />
        ))}
      />
    </section>
  );
};
