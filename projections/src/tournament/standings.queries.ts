import type { AsOf } from '@courtledger/contracts/kernel/fields';
import type { TournamentId } from '@courtledger/contracts/kernel/ids';
import type { StandingsAnswer } from '@courtledger/contracts/tournament/tournament.answers';
import { foldBranch } from '../kernel/branch.ts';
import type { Reader } from '../kernel/read-model.ts';
import { wholeActs } from '../kernel/whole-acts.ts';

/** Standings of a tournament, JSON text, now or as they were (a future point is now); undefined when there is no such tournament. */
export const getStandings = (reader: Reader, tournamentId: TournamentId, asOf?: AsOf): string | undefined => {
  if (asOf === undefined) return reader.text('SELECT answer FROM standings WHERE tournament_id = ?', tournamentId);
  const branch = foldBranch(reader, { tournamentId, until: wholeActs(reader, asOf) });
  return branch === undefined ? undefined : JSON.stringify(branch.standings);
};

/** A cell of a spreadsheet: quoted where it must be, and never a formula. */
const cell = (value: string | number): string => {
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** The same as comma-separated values (RFC 4180, CRLF), with the column titles of the page. */
export const getStandingsCsv = (reader: Reader, tournamentId: TournamentId, asOf?: AsOf): string | undefined => {
  const answer = getStandings(reader, tournamentId, asOf);
  if (answer === undefined) return undefined;
  const { rows } = JSON.parse(answer) as StandingsAnswer;
  const titles = ['Rank', 'Team Name', 'Played', 'Wins', 'Losses', 'Points', 'FOR', 'AGST', 'PD'];
  const lines = rows.map((row) => [row.rank, row.teamName, row.played, row.wins, row.losses, row.points, row.pointsFor, row.pointsAgainst, row.difference]);
  return [titles, ...lines].map((line) => `${line.map(cell).join(',')}\r\n`).join('');
};
