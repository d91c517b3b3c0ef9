import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { AsOf } from '@courtledger/contracts/kernel/fields';
import type { TournamentId } from '@courtledger/contracts/kernel/ids';
import { factsOfTournament } from './ledger.ts';
import type { Reader } from './read-model.ts';
import type { SqlValue } from './table.ts';

type LedgerRow = readonly SqlValue[];
/** What a fold needs of an event. Who recorded it, and on whose command, is none of it, and half of its bytes. */
export type FoldedEvent = Pick<RecordedEvent, 'position' | 'stream' | 'revision' | 'type' | 'time' | 'data'>;
/** What `ledgerEvent` reads. */
export const ledgerColumns = 'CAST(position AS TEXT), stream, revision, type, time, data';
/** An event from its row in the ledger: position as text, stream, revision, type, time, data. */
export const ledgerEvent = ([position, stream, revision, type, time, data]: LedgerRow): FoldedEvent => ({
  position: BigInt(String(position)),
  stream: String(stream),
  revision: Number(revision),
  type: String(type),
  time: String(time),
  data: JSON.parse(String(data)),
});

/** The facts of a tournament and of its matches, in the order of the log. */
export const tournamentEvents = (reader: Reader, tournamentId: TournamentId): readonly FoldedEvent[] =>
  reader
    .rows(`SELECT ${ledgerColumns} FROM (${factsOfTournament('position, stream, revision, type, time, data')}) ORDER BY position`, tournamentId, tournamentId)
    .map(ledgerEvent);

/** Of facts in the order of the log, those of then. A time is cut in each stream by itself, after its last fact up to it: clocks jump, positions do not. */
export const untilMoment = (events: readonly FoldedEvent[], until: AsOf): readonly FoldedEvent[] => {
  if (until.kind === 'position') return events.filter(({ position }) => position <= until.position);
  const last = new Map(events.filter(({ time }) => time <= until.time).map(({ stream, position }) => [stream, position]));
  return events.filter(({ stream, position }) => position <= (last.get(stream) ?? -1n));
};
