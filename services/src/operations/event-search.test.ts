import { setImmediate } from 'node:timers/promises';
import type { LogEvent, LogEventsAnswer } from '@courtledger/contracts/operations/operations.answers';
import { projected } from '@courtledger/projections/kernel/testing/projected';
import { RecordedLog } from '@courtledger/projections/kernel/testing/recorded-log';
import type { Reader } from '@courtledger/projections/kernel/read-model';
import { expect, it } from 'vitest';
import { searchEvents, type EventSearch, type SearchBounds } from './event-search.ts';

/** Two matches, one of them with a fact that cannot be applied and another that waits for it; teams only at the beginning. */
const season = (): RecordedLog => {
  const log = new RecordedLog();
  log.tournament('t1');
  log.team('a', 'Annapurna', 3, ['t1']);
  log.team('b', 'Bagmati', 3, ['t1']);
  log.match('m1', 't1', 'a', 'b');
  log.match('m2', 't1', 'b', 'a');
  for (const points of [1, 2, 3]) {
    log.stat('m1', 'a-p1', points);
    log.reverse('m2', log.stat('m2', 'b-p1', points));
  }
  log.raw('match-m2', 'Unheard', {});
  for (const points of [1, 2, 3]) {
    log.stat('m2', 'b-p2', points);
    log.stat('m1', 'a-p2', points);
  }
  return log;
};

const small = (rows: number): SearchBounds => ({ rows, ms: 2000, now: () => 0 });
/** The clock goes on by a second with every look: no search has two steps. */
const hasty = (rows: number): SearchBounds => {
  let time = 0;
  return { rows, ms: 1000, now: () => (time += 1000) };
};
const positions = (events: readonly LogEvent[]): readonly string[] => events.map(({ position }) => position);

const subjectOf = ({ stream }: { readonly stream: string }): string | undefined => (stream.startsWith('match-') ? stream.slice(6) : undefined);

const allPages = async (reader: Reader, search: EventSearch, bounds: () => SearchBounds): Promise<readonly LogEventsAnswer[]> => {
  const pages: LogEventsAnswer[] = [];
  for (let cursor: EventSearch | undefined = search; cursor !== undefined;) {
    const page: LogEventsAnswer = await searchEvents(() => reader, cursor, bounds());
    pages.push(page);
    cursor = page.next === null ? undefined : { ...search, ...(search.after === undefined ? { before: page.next } : { after: page.next }) };
  }
  return pages;
};

it('finds what stands far back in a long log in one answer, and gives way to others meanwhile', async () => {
  const log = new RecordedLog();
  log.tournament('t1');
  log.team('a', 'Annapurna', 2, ['t1']);
  log.team('b', 'Bagmati', 2, ['t1']);
  log.match('m1', 't1', 'a', 'b');
  for (let entry = 0; entry < 10_100; entry += 1) log.stat('m1', 'a-p1', 1);
  using model = projected(log);
  let turns = 0;
  const ended = new AbortController();
  const others = (async () => {
    while (!ended.signal.aborted) {
      await setImmediate();
      turns += 1;
    }
  })();
  const found = await searchEvents(() => model.reader, { type: 'TeamRegistered', limit: '2' });
  ended.abort();
  const expected = log.events.filter(({ type }) => type === 'TeamRegistered').map(({ position }) => position.toString());
  expect([positions(found.events), turns >= 2]).toEqual([expected, true]);
  await others;
  expect(await searchEvents(() => model.reader, { type: 'PersonErased' })).toEqual({ events: [], next: null, position: log.head.toString() });
});

it('whatever is looked for, in steps of any length, forward and backward, each event that fits is on one page, in the order of the log', async () => {
  const log = season();
  using model = projected(log);
  expect(model.projector.parked().length).toBe(4);
  const [, , , , since] = log.events;
  const until = log.events.at(-4);
  if (since === undefined || until === undefined) throw new Error('the log is too short');
  for (const filter of [
    {},
    { type: 'StatEntryReversed' },
    { type: 'TeamRegistered' },
    { match: 'm1' },
    { match: 'm2' },
    { match: 'm2', type: 'StatIncrementRecorded' },
    { match: 'nope' },
    { stream: 'match-m2' },
    { actor: 'asha' },
    { actor: 'nobody' },
    { since: since.time, until: until.time, actor: 'admin' },
    { match: 'm1', since: until.time },
  ]) {
    const { type, match, stream, actor, since: from, until: to } = filter as EventSearch;
    const fitting = log.events
      .filter(
        (event) =>
          (type === undefined || event.type === type) &&
          (match === undefined || subjectOf(event) === match) &&
          (stream === undefined || event.stream === stream) &&
          actor !== 'nobody' &&
          (from === undefined || event.time >= from) &&
          (to === undefined || event.time <= to),
      )
      .map(({ position }) => position.toString());
    for (const limit of ['1', '3', '50']) {
      for (const bounds of [() => small(1), () => small(4), () => hasty(4), () => small(5000)]) {
        const [forward, backward] = [
          await allPages(model.reader, { ...filter, limit, after: '0' }, bounds),
          await allPages(model.reader, { ...filter, limit }, bounds),
        ];
        expect([filter, forward.flatMap(({ events }) => positions(events))]).toEqual([filter, fitting]);
        expect([filter, backward.toReversed().flatMap(({ events }) => positions(events))]).toEqual([filter, fitting]);
      }
    }
  }
});

it('a search that takes too long ends with what it has, and where it goes on', async () => {
  const log = season();
  using model = projected(log);
  // The fourth from the end of those that are parked, which is nearer than that of the others.
  const reached = log.events.find(({ type }) => type === 'Unheard')?.position.toString();
  expect(await searchEvents(() => model.reader, { type: 'TeamRegistered' }, hasty(4))).toEqual({ events: [], next: reached, position: log.head.toString() });
});

it('says up to which position it has looked: with what came while it searched where it searches forward', async () => {
  const log = season();
  using model = projected(log);
  const before = log.head.toString();
  let looks = 0;
  const reader = (): Reader => {
    looks += 1;
    if (looks % 3 === 0) {
      log.stat('m1', 'a-p3', 1);
      model.projector.apply(log.events.slice(-1));
    }
    return model.reader;
  };
  expect((await searchEvents(reader, { type: 'TeamRegistered' }, small(5))).position).toBe(before);
  looks = 0;
  const forward = await searchEvents(reader, { type: 'StatIncrementRecorded', after: before }, small(1));
  expect([positions(forward.events).at(-1), forward.position]).toEqual([log.head.toString(), log.head.toString()]);
});
