import type { TournamentId } from '@courtledger/contracts/kernel/ids';
import type { StandingsAnswer } from '@courtledger/contracts/tournament/tournament.answers';
import { view, type Documents } from '../kernel/projection.ts';
import { table } from '../kernel/table.ts';
import { matches } from '../match/match.documents.ts';
import { teams } from '../team/team.documents.ts';
import { standings, type CountedMatch } from './standings.rules.ts';
import { tournaments, type TournamentDocument } from './tournament.documents.ts';

/** The whole answer of getStandings. */
const standingsTable = table('standings', { tournament_id: 'TEXT NOT NULL' }, { answer: 'TEXT NOT NULL' });

/** Every entered team and any with a counted match; no rows until one match has statistics (api-contract, standings). */
export const standingsAnswerOf = (tournamentId: TournamentId, tournament: TournamentDocument, documents: Pick<Documents, 'read'>): StandingsAnswer => {
  const counted: CountedMatch[] = [];
  const ids = new Set(tournament.teams.map(([id]) => id));
  for (const [matchId] of tournament.matches) {
    const match = documents.read(matches, matchId);
    if (match === undefined || match.rows === 0) continue;
    counted.push({ team1: match.teamAId, team2: match.teamBId, score1: match.score1, score2: match.score2 });
    ids.add(match.teamAId);
    ids.add(match.teamBId);
  }
  const provisional = counted.length === 0 || counted.length < tournament.matches.length;
  if (counted.length === 0) return { tournamentId, provisional, rows: [] };
  const named = Array.from(ids, (id) => ({ id, name: documents.read(teams, id)?.name ?? '' }));
  const rows: StandingsAnswer['rows'] = [];
  for (const { rank, teamId, ...numbers } of standings(named, counted)) {
    const team = documents.read(teams, teamId);
    rows.push({ rank, teamId, teamName: team?.name ?? '', logo: team?.logo ?? '', ...numbers });
  }
  return { tournamentId, provisional, rows };
};

export const standingsView = view('standings', tournaments, [standingsTable], (id, tournament, documents, write) => {
  if (tournament.details === null) write.remove(standingsTable, [id]);
  else write.put(standingsTable, [id, JSON.stringify(standingsAnswerOf(id, tournament, documents))]);
});
