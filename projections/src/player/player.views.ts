import type { AdminPlayer, PlayerAnswer } from '@courtledger/contracts/player/player.answers';
import { formerNames } from '@courtledger/contracts/player/former-names';
import { openObject } from '../kernel/json-pieces.ts';
import { view } from '../kernel/projection.ts';
import { table } from '../kernel/table.ts';
import { teams } from '../team/team.documents.ts';
import { people, players } from './person.documents.ts';

/**
 * `profile`: getPlayer before its numbers. `contact`: what an admin's list has after them, with the end. `name`, `image`, `jersey`: for leaders. Contact
 * details stand in no other column.
 */
const playerTable = table(
  'players',
  { id: 'TEXT NOT NULL' },
  { ordinal: 'INTEGER NOT NULL', name: 'TEXT NOT NULL', image: 'TEXT NOT NULL', jersey: 'TEXT NOT NULL', profile: 'TEXT NOT NULL', contact: 'TEXT NOT NULL' },
);

export const playerView = view('player', players, [playerTable], (id, player, documents, write) => {
  const team = player.teamId === null ? undefined : documents.read(teams, player.teamId);
  if (player.born === null || player.teamId === null || team === undefined || team.expired) {
    write.remove(playerTable, [id]);
    return;
  }
  const details = documents.read(people, id)?.details;
  const profile: Pick<PlayerAnswer, '_id' | 'name' | 'image' | 'jerseyNumber' | 'age' | 'height' | 'weight' | 'currentTeam'> = {
    _id: id,
    name: details?.name ?? formerNames.player,
    image: details?.photo ?? '',
    jerseyNumber: player.jersey,
    age: details?.age ?? 0,
    height: details?.height ?? 0,
    weight: details?.weight ?? 0,
    currentTeam: { _id: player.teamId, name: team.name },
  };
  const contact: Pick<AdminPlayer, 'mobileNumber' | 'document'> = { mobileNumber: details?.phone ?? '', document: details?.document !== undefined };
  write.put(playerTable, [
    id,
    BigInt(player.born),
    profile.name,
    profile.image,
    profile.jerseyNumber,
    openObject(profile),
    `,${JSON.stringify(contact).slice(1)}`,
  ]);
});
