import type { AdminPlayer, PlayerAnswer } from '@courtledger/contracts/player/player.answers';
import { openObject } from '../kernel/json-pieces.ts';
import { view, type Documents } from '../kernel/projection.ts';
import { table } from '../kernel/table.ts';
import { matches, type StatLine } from '../match/match.documents.ts';
import { teams } from '../team/team.documents.ts';
import { average, totalsOf } from './averages.rules.ts';
import { FORMER_PLAYER, people, players, type PlayerDocument } from './person.documents.ts';

/** `profile`: getPlayer before `match_history`. `contact`: what an admin's list has after the profile, with the end. Contact details stand in no other column. */
export const playerTable = table('players', { id: 'TEXT NOT NULL' }, { ordinal: 'INTEGER NOT NULL', profile: 'TEXT NOT NULL', contact: 'TEXT NOT NULL' });

const linesOf = (playerId: string, player: PlayerDocument, documents: Pick<Documents, 'read'>): StatLine[] =>
  player.matches.flatMap(([matchId]) => {
    const match = documents.read(matches, matchId);
    const line = match === undefined || match.cancelled ? undefined : match.lines.get(playerId);
    return line === undefined ? [] : [line];
  });

export const playerView = view('player', players, [playerTable], (id, player, documents, write) => {
  const team = player.teamId === null ? undefined : documents.read(teams, player.teamId);
  if (player.born === null || player.teamId === null || team === undefined || team.expired) {
    write.remove(playerTable, [id]);
    return;
  }
  const details = documents.read(people, id)?.details;
  const totals = totalsOf(linesOf(id, player, documents));
  const profile: Omit<PlayerAnswer, 'match_history'> = {
    _id: id,
    name: details?.name ?? FORMER_PLAYER,
    image: details?.photo ?? '',
    jerseyNumber: player.jersey,
    age: details?.age ?? 0,
    height: details?.height ?? 0,
    weight: details?.weight ?? 0,
    currentTeam: { _id: player.teamId, name: team.name },
    total_points: totals.points,
    total_assists: totals.assists,
    total_rebounds: totals.rebounds,
    matches_played: totals.matches,
    averages: { points: average(totals.points, totals.matches), assists: average(totals.assists, totals.matches), rebounds: average(totals.rebounds, totals.matches) },
  };
  const contact: Pick<AdminPlayer, 'mobileNumber' | 'document'> = { mobileNumber: details?.phone ?? '', document: details?.document !== undefined };
  write.put(playerTable, [id, BigInt(player.born), openObject(profile), `,${JSON.stringify(contact).slice(1)}`]);
});
