import { LEADERS } from '@courtledger/contracts/kernel/limits';
import type { LeaderRow } from '@courtledger/contracts/match/match.answers';
import type { LeadersAnswer } from '@courtledger/contracts/tournament/tournament.answers';
import { view } from '../kernel/projection.ts';
import { table } from '../kernel/table.ts';
import { matches, type StatLine } from '../match/match.documents.ts';
import { average, totalsOf } from '../player/averages.rules.ts';
import { shownPlayer } from '../player/shown-person.ts';
import { teams } from '../team/team.documents.ts';
import { leaders, type Statistic } from './leaders.rules.ts';
import { tournaments } from './tournament.documents.ts';

/** The whole answer of getLeaders. */
export const leadersTable = table('leaders', { tournament_id: 'TEXT NOT NULL' }, { answer: 'TEXT NOT NULL' });

export const leadersView = view('leaders', tournaments, [leadersTable], (id, tournament, documents, write) => {
  if (tournament.details === null) {
    write.remove(leadersTable, [id]);
    return;
  }
  const lines = new Map<string, StatLine[]>();
  for (const [matchId] of tournament.matches) {
    for (const [playerId, line] of documents.read(matches, matchId)?.lines ?? []) {
      const known = lines.get(playerId);
      if (known === undefined) lines.set(playerId, [line]);
      else known.push(line);
    }
  }
  const candidates = Array.from(lines, ([playerId, own]) => ({ id: playerId, name: shownPlayer(playerId, documents).name, teamId: own.at(-1)?.teamId ?? '', totals: totalsOf(own) }));
  const teamOf = new Map(candidates.map((candidate) => [candidate.id, candidate.teamId]));
  const rows = (statistic: Statistic): LeaderRow[] =>
    leaders(candidates, statistic, LEADERS).map(({ id: playerId, totals }) => {
      const { name, image, jerseyNumber } = shownPlayer(playerId, documents);
      const teamId = teamOf.get(playerId) ?? '';
      const total = totals[statistic];
      return { player_id: playerId, name, image, jerseyNumber, team_id: teamId, teamName: documents.read(teams, teamId)?.name ?? '', total, matches: totals.matches, average: average(total, totals.matches) };
    });
  const answer: LeadersAnswer = { points: rows('points'), assists: rows('assists'), rebounds: rows('rebounds') };
  write.put(leadersTable, [id, JSON.stringify(answer)]);
});
