/**
 * Branded ids: opaque strings on the wire (UUIDs that we made; anything else is simply not found). A text that comes from outside may stand for any; one kind's
 * id in the place of another's is an error of types.
 */
declare const brand: unique symbol;
export type Id<B extends string> = string & { readonly [brand]?: B };
export type TournamentId = Id<'tournament'>;
export type TeamId = Id<'team'>;
export type MatchId = Id<'match'>;
/** A player's id is the id of the person's stream as well: facts refer to it, details live only there. */
export type PersonId = Id<'person'>;
export type AdminId = Id<'admin'>;
export type RequestId = Id<'request'>;
export type EntryId = Id<'entry'>;

/** The form of every id that we make: a UUID in lower case. Entries alone may have another: their ids are made by clients. */
export const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
