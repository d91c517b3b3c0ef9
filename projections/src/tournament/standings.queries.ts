import type { AsOf } from '@courtledger/contracts/kernel/fields';
import type { TournamentId } from '@courtledger/contracts/kernel/ids';
import type { StandingsAnswer } from '@courtledger/contracts/tournament/tournament.answers';
import { foldBranch } from '../kernel/branch.ts';
import { csvOf } from '../kernel/csv.ts';
import type { Reader } from '../kernel/read-model.ts';
import { wholeActs } from '../kernel/whole-acts.ts';

/**
 * Whether a moment leaves out nothing that the standings rest on: they are the stored ones then, and need no fold. A time is cut in each stream by itself
 * (`untilMoment`): of a match its last fact tells, and of the tournament and its teams, whose facts are few, each one may.
 */
const isPresent = (reader: Reader, tournamentId: TournamentId, until: AsOf): boolean =>
  until.kind === 'position'
    ? until.position >= reader.position()
    : reader.row(
        `WITH asked(time) AS (SELECT ?),
         own AS (SELECT position, time, type, team_id, data FROM ledger WHERE tournament_id = ? AND (match_id IS NULL OR type = 'MatchAssigned')),
         team(id) AS (SELECT team_id FROM own UNION SELECT data ->> '$.teamAId' FROM own UNION SELECT data ->> '$.teamBId' FROM own)
         SELECT 1 FROM asked, own WHERE own.time > asked.time
         UNION ALL SELECT 1 FROM asked, own WHERE own.type = 'MatchAssigned'
           AND (SELECT fact.time FROM ledger AS fact WHERE fact.match_number = own.position ORDER BY fact.position DESC LIMIT 1) > asked.time
         UNION ALL SELECT 1 FROM asked, ledger WHERE ledger.match_id IS NULL AND ledger.team_id IN (SELECT id FROM team) AND ledger.time > asked.time
         LIMIT 1`,
        until.time,
        tournamentId,
      ) === undefined;

const stored = (reader: Reader, tournamentId: TournamentId): string | undefined =>
  reader.text('SELECT answer FROM standings WHERE tournament_id = ?', tournamentId);

/** Standings of a tournament, JSON text, now or as they were (a future point is now); undefined when there is no such tournament. */
export const getStandings = (reader: Reader, tournamentId: TournamentId, asOf?: AsOf): string | undefined =>
  asOf === undefined
    ? stored(reader, tournamentId)
    : reader.snapshot(() => {
        const until = wholeActs(reader, asOf);
        if (isPresent(reader, tournamentId, until)) return stored(reader, tournamentId);
        const branch = foldBranch(reader, { tournamentId, until });
        return branch === undefined ? undefined : JSON.stringify(branch.standings);
      });

/** The same as comma-separated values, with the column titles of the page. */
export const getStandingsCsv = (reader: Reader, tournamentId: TournamentId, asOf?: AsOf): string | undefined => {
  const answer = getStandings(reader, tournamentId, asOf);
  if (answer === undefined) return undefined;
  const { rows } = JSON.parse(answer) as StandingsAnswer;
  const titles = ['Rank', 'Team Name', 'Played', 'Wins', 'Losses', 'Points', 'FOR', 'AGST', 'PD'];
  const lines = rows.map((row) => [row.rank, row.teamName, row.played, row.wins, row.losses, row.points, row.pointsFor, row.pointsAgainst, row.difference]);
  return csvOf([titles, ...lines]);
};
