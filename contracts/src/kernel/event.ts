/**
 * The envelope around every fact. Feature files (`<feature>.events.ts`) say what the facts themselves hold.
 */

export const actorRoles = ['visitor', 'registrant', 'admin', 'superadmin', 'operator', 'system'] as const;

/** Who recorded a fact. `id` is the account, team or tool; `name` is what an audit line shows (never a phone or e-mail). */
export type Actor = { readonly role: (typeof actorRoles)[number]; readonly id: string; readonly name: string };

/** Stored with every event. It must hold no personal detail: metadata is never encrypted and never erased. */
export type EventMetadata = {
  /** The command that caused the event; a retry of the command carries the same one. */
  readonly commandId: string;
  /** SHA-256 (hex, 32 characters are enough) of the command's payload, so that a key used again with another body is seen. */
  readonly fingerprint?: string;
  /** The request (or run) that the command came with. */
  readonly correlationId: string;
  /** The command or event that led to this one. */
  readonly causationId: string;
  readonly actor: Actor;
  /** ISO time of recording, from the clock port. */
  readonly time: string;
  /** Version of the schema of `data` at the time of writing. */
  readonly schemaVersion: number;
};

/** A fact on its way to the log. `id` is a time-ordered UUID (version 7), kept over every retry of the append. */
export type NewEvent<T extends string = string, D = unknown> = { readonly id: string; readonly type: T; readonly data: D; readonly metadata: EventMetadata };

/**
 * A fact as the log gives it back. `position` is the place in the whole log (strictly increasing, with holes, bigint);
 * `revision` the place in its stream (0, 1, 2 … without holes, but for a stream that was deleted and begun again).
 * `metadata` may be a getter that parses on first use: a rebuild never touches it.
 */
export type RecordedEvent<T extends string = string, D = unknown> = {
  readonly position: bigint;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: T;
  /** `metadata.schemaVersion`, without parsing the metadata. */
  readonly version: number;
  /** `metadata.time`, without parsing the metadata. */
  readonly time: string;
  readonly data: D;
  readonly metadata: EventMetadata;
  /** The metadata as the JSON text that was stored. */
  readonly metadataText: string;
};

/** Whether anything is left of a fact but its place: of an erased one there is not. */
export const isLegible = ({ data }: Pick<RecordedEvent, 'data'>): boolean => data !== null && data !== undefined;

/** Positions travel as decimal text in JSON, headers and SQLite text columns, never as a JavaScript number. */
export const positionText = (position: bigint): string => position.toString(10);

/** The greatest that a log can number, and SQLite can hold: what asks for more asks for a position that is yet to come, as this one is. */
export const LAST_POSITION = 2n ** 63n - 1n;
/** Reads a position, `LAST_POSITION` at most; undefined when the text is not a plain decimal of at most 40 digits. */
export const parsePosition = (text: string): bigint | undefined => {
  if (!/^\d{1,40}$/.test(text)) return undefined;
  const position = BigInt(text);
  return position < LAST_POSITION ? position : LAST_POSITION;
};
