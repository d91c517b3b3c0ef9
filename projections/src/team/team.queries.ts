import type { TeamId } from '@courtledger/contracts/kernel/ids';
import type { StandingsAnswer } from '@courtledger/contracts/tournament/tournament.answers';
import type { TeamName, TeamStanding } from '@courtledger/contracts/team/team.answers';
import { arrayOf } from '../kernel/json-pieces.ts';
import type { Reader } from '../kernel/read-model.ts';

/** All teams with their contacts, in the order of registration. For admins. */
export const listTeams = (reader: Reader): string => arrayOf(reader.texts('SELECT admin FROM teams ORDER BY ordinal'));

/** The same with the time of each registration, the latest first. For the super admin. */
export const listRegisteredTeams = (reader: Reader): string =>
  arrayOf(
    reader.texts(
      "SELECT json_set(t.admin, '$.registeredAt', d.document ->> '$.registeredAt') FROM teams t JOIN team_documents d ON d.key = t.id ORDER BY t.ordinal DESC",
    ),
  );

/** Names of teams and coaches in the order asked; unknown ids are dropped. */
export const getTeamNames = (reader: Reader, teamIds: readonly string[]): string => {
  const names = reader
    .rows('SELECT t.id, t.name, t.coach_name FROM json_each(?) asked JOIN teams t ON t.id = asked.value ORDER BY asked.key', JSON.stringify(teamIds))
    .map(([id, name, coach]): TeamName => ({ teamId: String(id), teamName: String(name), coachName: String(coach) }));
  return JSON.stringify(names);
};

const standingsOf = (reader: Reader, teamId: TeamId, tournamentIds: string): TeamStanding[] =>
  reader
    .rows(
      `SELECT t.id, json_extract(t.frame || '}', '$.name'), s.answer
       FROM json_each(?) entered JOIN tournaments t ON t.id = entered.value JOIN standings s ON s.tournament_id = t.id
       ORDER BY t.start_date DESC, t.ordinal DESC`,
      tournamentIds,
    )
    .flatMap(([tournamentId, name, answer]) => {
      const row = (JSON.parse(String(answer)) as StandingsAnswer).rows.find((candidate) => candidate.teamId === teamId);
      return row === undefined
        ? []
        : [
            {
              tournamentId: String(tournamentId),
              name: String(name),
              rank: row.rank,
              played: row.played,
              wins: row.wins,
              losses: row.losses,
              points: row.points,
            },
          ];
    });

/** A team's public page: roster, results (newest first), standings. Undefined when there is none, or its registration expired. */
export const getTeam = (reader: Reader, teamId: TeamId): string | undefined =>
  reader.snapshot(() => {
    const found = reader.row('SELECT page, match_ids, tournament_ids FROM teams WHERE id = ?', teamId);
    if (found === undefined) return undefined;
    const [page, matchIds, tournamentIds] = found.map(String);
    const results = reader.texts(
      `SELECT m.result_frame || s.score || ',"tournament_id":' || m.tournament || '}'
       FROM json_each(?) own JOIN matches m ON m.id = own.value JOIN match_stats s ON s.match_id = m.id
       ORDER BY m.date DESC, m.time DESC, m.ordinal DESC`,
      matchIds ?? '[]',
    );
    return `${page ?? ''},"results":${arrayOf(results)},"standings":${JSON.stringify(standingsOf(reader, teamId, tournamentIds ?? '[]'))}}`;
  });

export type TeamCapability = {
  /** SHA-256 (hex) of the registration capability; null when an admin registered the team. */
  readonly capabilityHash: string | null;
  /** ISO time of TeamRegistered. */
  readonly registeredAt: string;
};

/** What a registration cookie is checked against; undefined when there is no such team. */
export const teamCapability = (reader: Reader, teamId: TeamId): TeamCapability | undefined => {
  const row = reader.row(
    "SELECT document ->> '$.capabilityHash', document ->> '$.registeredAt' FROM team_documents WHERE key = ? AND document ->> '$.born' IS NOT NULL",
    teamId,
  );
  return row === undefined ? undefined : { capabilityHash: row[0] === null ? null : String(row[0]), registeredAt: String(row[1]) };
};
