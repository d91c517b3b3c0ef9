import { messageOf } from '@courtledger/contracts/kernel/errors';
import type { NewEvent } from '@courtledger/contracts/kernel/event';
import { uuidForm } from '@courtledger/contracts/kernel/ids';
import { UnacceptableEvents } from './event-log.ts';

/** What one append may hold: the sum of the bytes of `data` (UTF-8 JSON). The same on every store, so that no store takes what another refuses. */
const maxAppendBytes = 1_048_576;
/** Streams that may be deleted start with this; their digests are salted. */
export const personStreamPrefix = 'person-';

/** An event as it goes to disk: checked, and serialised once. Ids are lower case; `data` and `metadata` are JSON texts without control characters. */
export type EventText = {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly time: string;
  readonly data: string;
  readonly metadata: string;
};

// Fields of hashes and messages are joined with control characters, so no name may hold one.
const controlCharacter = /\p{Cc}/u;

const isName = (text: unknown, longest: number): text is string =>
  typeof text === 'string' && text !== '' && text.length <= longest && !text.startsWith('$') && text.isWellFormed() && !controlCharacter.test(text);

/** 1 to 200 well-formed characters, none of them a control character, not starting with `$` (names of a store's own). */
export const isStreamName = (stream: string): boolean => isName(stream, 200);

/** Throws UnacceptableEvents for any other name. */
export const checkStreamName = (stream: string): void => {
  if (!isStreamName(stream)) throw new UnacceptableEvents('A stream name is 1 to 200 characters without control characters and does not start with $');
};

/** Only the streams of persons may be deleted; anything else is a programming error: UnacceptableEvents. */
export const checkDeletable = (stream: string): void => {
  checkStreamName(stream);
  if (!stream.startsWith(personStreamPrefix)) throw new UnacceptableEvents(`Only streams of persons may be deleted, not ${stream}`);
};

const jsonText = (value: unknown, what: string): string => {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw new UnacceptableEvents(`${what} is not JSON: ${messageOf(error)}`, { cause: error });
  }
  if (typeof text !== 'string') throw new UnacceptableEvents(`${what} is not JSON`);
  return text;
};

const eventText = (event: NewEvent): EventText => {
  const id = typeof event.id === 'string' ? event.id.toLowerCase() : '';
  if (!uuidForm.test(id)) throw new UnacceptableEvents('An event id is not a UUID');
  if (!isName(event.type, 200)) throw new UnacceptableEvents('An event type is 1 to 200 characters without control characters and does not start with $');
  const { schemaVersion, time } = event.metadata;
  if (!Number.isSafeInteger(schemaVersion) || schemaVersion < 0) throw new UnacceptableEvents(`${event.type}: schemaVersion is not a whole number`);
  if (!isName(time, 40)) throw new UnacceptableEvents(`${event.type}: time is missing`);
  // What is erased has no data: null beside it would be told from it by nobody.
  if (event.data === null) throw new UnacceptableEvents(`${event.type}: data is null`);
  return {
    id,
    type: event.type,
    version: schemaVersion,
    time,
    data: jsonText(event.data, `${event.type}: data`),
    metadata: jsonText(event.metadata, `${event.type}: metadata`),
  };
};

/**
 * Checks and serialises the events of one append, before any store is asked: every store refuses the same input with UnacceptableEvents.
 * Refused: an empty list, a bad stream name or type, an id that is no UUID or comes twice, data or metadata that is no JSON, data that is null, more than
 * `maxAppendBytes` of data.
 */
export const prepareEvents = (stream: string, events: readonly NewEvent[]): readonly EventText[] => {
  checkStreamName(stream);
  if (events.length === 0) throw new UnacceptableEvents('There are no events to append');
  const texts = events.map(eventText);
  if (texts.length > 1 && new Set(texts.map((event) => event.id)).size !== texts.length) throw new UnacceptableEvents('An event id comes twice in one append');
  const characters = texts.reduce((sum, event) => sum + event.data.length, 0);
  // A character is at most three bytes of UTF-8: short appends need no counting.
  if (characters * 3 > maxAppendBytes) {
    const bytes = texts.reduce((sum, event) => sum + Buffer.byteLength(event.data), 0);
    if (bytes > maxAppendBytes) throw new UnacceptableEvents(`The data of one append is ${bytes} bytes, more than ${maxAppendBytes}`);
  }
  return texts;
};

/** Why no store of ours takes an event, in words: it is of another program that writes into the same EventStoreDB. Undefined for one that every store takes. */
export const refusalOf = (stream: string, event: NewEvent): string | undefined => {
  try {
    prepareEvents(stream, [event]);
    return undefined;
  } catch (error) {
    if (error instanceof UnacceptableEvents) return error.message;
    throw error;
  }
};
