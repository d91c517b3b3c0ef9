import { admins, credentials, revokedSessions } from '../admin/admin.documents.ts';
import { adminProjection } from '../admin/admin.projection.ts';
import { adminView, revokedSessionView } from '../admin/admin.views.ts';
import { matches } from '../match/match.documents.ts';
import { matchProjection } from '../match/match.projection.ts';
import { matchStatsView, matchView, statLineView } from '../match/match.views.ts';
import { people, players } from '../player/person.documents.ts';
import { personProjection } from '../player/person.projection.ts';
import { playerView } from '../player/player.views.ts';
import { tournamentPlayerView } from '../player/tournament-player.views.ts';
import { requests } from '../request/request.documents.ts';
import { requestProjection } from '../request/request.projection.ts';
import { requestView } from '../request/request.views.ts';
import { teams } from '../team/team.documents.ts';
import { teamProjection } from '../team/team.projection.ts';
import { teamView } from '../team/team.views.ts';
import { standingsView } from '../tournament/standings.views.ts';
import { tournaments } from '../tournament/tournament.documents.ts';
import { tournamentProjection } from '../tournament/tournament.projection.ts';
import { tournamentView } from '../tournament/tournament.views.ts';
import type { Apply, Collection, Documents, Projection, View } from './projection.ts';
import { table, type SqlValue, type Table } from './table.ts';

/** Every projection there is. */
const allProjections: readonly Projection[] = [tournamentProjection, teamProjection, personProjection, matchProjection, adminProjection, requestProjection];

export const allCollections: readonly Collection[] = [
  tournaments,
  teams,
  matches,
  people,
  players,
  admins,
  credentials,
  revokedSessions,
  requests,
] as readonly unknown[] as readonly Collection[];

export const allViews: readonly View[] = [
  tournamentView,
  standingsView,
  teamView,
  matchView,
  matchStatsView,
  statLineView,
  playerView,
  tournamentPlayerView,
  adminView,
  revokedSessionView,
  requestView,
];

/** Documents are kept as JSON beside the rows made from them, so that a live projector loads what an event changes. */
const documentTables = new Map<object, Table>(
  allCollections.map((collection) => [collection, table(`${collection.name}_documents`, { key: 'TEXT NOT NULL' }, { document: 'TEXT NOT NULL' })]),
);

/** Where the documents of a collection are kept. */
export const documentTable = (collection: object): Table => {
  const found = documentTables.get(collection);
  if (found === undefined) throw new Error('A collection is not listed in all-projections.ts');
  return found;
};

/** A document as it is kept; `unpackDocument` is the way back. */
export const packDocument = <D extends object>(collection: Collection<D>, document: D): string =>
  JSON.stringify(collection.pack === undefined ? document : collection.pack(document));

/** @param rows reads rows by SQL and key: what of the document stands in rows of its own */
export const unpackDocument = <D extends object>(
  collection: Collection<D>,
  key: string,
  text: string,
  rows: (sql: string, key: string) => readonly (readonly SqlValue[])[],
): D => {
  const json: unknown = JSON.parse(text);
  const document = collection.unpack === undefined ? (json as D) : collection.unpack(json);
  collection.parts?.restore(document, rows(collection.parts.select, key));
  return document;
};

/** The event's type has no projection: an event of a newer release, or none of ours. */
export class UnknownEventType extends Error {
  override readonly name = 'UnknownEventType';
}

type Dispatch = (event: { readonly position: bigint; readonly revision: number; readonly time: string; readonly data: unknown }, documents: Documents) => void;

/** Type to what it does; each type stands in exactly one projection. */
const dispatch = new Map<string, Dispatch>();
for (const projection of allProjections) {
  for (const [type, apply] of Object.entries(projection.on)) {
    if (dispatch.has(type)) throw new Error(`${type} is projected twice`);
    // The runner gives each type its own data: parsed on write, brought up to date on read.
    dispatch.set(type, apply as Apply as Dispatch);
  }
}

/** Throws UnknownEventType. */
export const projectionOf = (type: string): Dispatch => {
  const found = dispatch.get(type);
  if (found === undefined) throw new UnknownEventType(`No projection knows the event type ${JSON.stringify(type)}`);
  return found;
};

/** Every type of fact that a projection knows. */
export const projectedTypes = (): string[] => [...dispatch.keys()];
