import { view } from '../kernel/projection.ts';
import { table } from '../kernel/table.ts';
import { matches, type StatLine } from '../match/match.documents.ts';
import { totalsOf } from './averages.rules.ts';
import { players } from './person.documents.ts';

/** A player's sums in one tournament: what leaders are chosen from, and what a profile's totals are the few rows of. `matches`: with status 'played'. */
const tournamentPlayerTable = table(
  'tournament_players',
  { tournament_id: 'TEXT NOT NULL', player_id: 'TEXT NOT NULL' },
  { team_id: 'TEXT NOT NULL', points: 'INTEGER NOT NULL', assists: 'INTEGER NOT NULL', rebounds: 'INTEGER NOT NULL', matches: 'INTEGER NOT NULL' },
  { indexes: ['player_id'], clustered: true },
);

/** Parts are tournaments. */
export const tournamentPlayerView = view('tournament-player', players, [tournamentPlayerTable], (playerId, player, documents, write, parts) => {
  const lines = new Map<string, StatLine[]>();
  for (const tournamentId of parts ?? []) lines.set(tournamentId, []);
  for (const [matchId] of player.matches) {
    const match = documents.read(matches, matchId);
    const line = match?.lines.get(playerId);
    if (match === undefined || line === undefined || (parts !== undefined && !parts.has(match.tournamentId))) continue;
    const own = lines.get(match.tournamentId) ?? [];
    lines.set(match.tournamentId, own);
    if (!match.cancelled) own.push(line);
  }
  for (const [tournamentId, own] of lines) {
    const { rows, points, assists, rebounds, matches: played } = totalsOf(own);
    if (rows === 0) write.remove(tournamentPlayerTable, [tournamentId, playerId]);
    else write.put(tournamentPlayerTable, [tournamentId, playerId, own.at(-1)?.teamId ?? '', points, assists, rebounds, played]);
  }
});
