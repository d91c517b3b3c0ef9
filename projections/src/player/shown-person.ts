import type { PersonId } from '@courtledger/contracts/kernel/ids';
import { formerNames } from '@courtledger/contracts/player/former-names';
import type { Documents } from '../kernel/projection.ts';
import { people, players } from './person.documents.ts';

/** What lists of players show of one. Structurally the contract's RosterPlayer. */
export type ShownPlayer = { readonly _id: string; readonly name: string; readonly jerseyNumber: string; readonly image: string };

/** A player as lists show one; an erased one has a name in common with all of them, and keeps the jersey number. */
export const shownPlayer = (playerId: PersonId, documents: Pick<Documents, 'read'>): ShownPlayer => {
  const details = documents.read(people, playerId)?.details;
  return {
    _id: playerId,
    name: details?.name ?? formerNames.player,
    jerseyNumber: documents.read(players, playerId)?.jersey ?? '',
    image: details?.photo ?? '',
  };
};
