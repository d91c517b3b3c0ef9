import type { AuditLine } from '@courtledger/contracts/operations/audit.answers';
import { csvOf } from '@courtledger/projections/kernel/csv';
import { countText } from '@courtledger/projections/operations/told-names';

/** Ids stand at the end: programs that read the first columns go on as they are. */
const titles = [
  'Time',
  'Role',
  'Actor',
  'Actor id',
  'Type',
  'What',
  'Before',
  'After',
  'Reason',
  'Command',
  'Cause',
  'Position',
  'Match id',
  'Team id',
  'Player id',
  'Tournament id',
  'Admin id',
  'From team id',
  'From player id',
];
const rowOf = ({
  at,
  actor,
  type,
  what,
  before,
  after,
  reason,
  commandId,
  cause,
  position,
  match_id: match,
  team_id: team,
  player_id: player,
  tournament_id: tournament,
  admin_id: admin,
  from_team_id: fromTeam,
  from_player_id: fromPlayer,
}: AuditLine): readonly string[] => [
  at,
  actor.role,
  actor.name,
  actor.id,
  type,
  what,
  before ?? '',
  after ?? '',
  reason ?? '',
  commandId,
  cause,
  position ?? '',
  match ?? '',
  team ?? '',
  player ?? '',
  tournament ?? '',
  admin ?? '',
  fromTeam ?? '',
  fromPlayer ?? '',
];

/**
 * Lines of the audit as comma-separated values.
 * @param next where what is missing begins; the last line then says that there is more, and how to get it
 */
export const auditCsv = (lines: readonly AuditLine[], next: string | null): string => {
  const cut =
    next === null
      ? []
      : [
          titles.map((title) =>
            title === 'Type'
              ? 'Cut'
              : title === 'What'
                ? `Cut after ${countText(lines.length, 'line')}: there are older ones. Ask again with before=${next}`
                : '',
          ),
        ];
  return csvOf([titles, ...lines.map(rowOf), ...cut]);
};
