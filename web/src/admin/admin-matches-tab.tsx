import type { MatchListItem } from '@courtledger/contracts/match/match.answers';
import { IconHistory, IconPencil, IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { formatDate } from '../lib/format.rules.ts';
import { ScriptText } from '../ui/script-text.tsx';
import { listMatches } from './admin.data.ts';
import type { OnAudit } from './audit.data.ts';
import { AuditAction, ListTab, RowAction, RowActions } from './list-tab.tsx';
import { MatchHistoryModal } from './match-history-modal.tsx';
import { MatchSettingsModal } from './match-settings-modal.tsx';
import { UpdateMatchModal } from './update-match-modal.tsx';

const columns = [
  { key: 'tournament', title: 'Tournament name' },
  { key: 'team1', title: 'Team 1 name' },
  { key: 'team2', title: 'Team 2 name' },
  { key: 'date', title: 'Date' },
  { key: 'acts', title: 'Actions', className: 'num' },
] as const;

const actions = [
  { kind: 'update', title: 'Edit', Icon: IconPencil },
  { kind: 'settings', title: 'Settings', Icon: IconSettings },
  { kind: 'history', title: 'History', Icon: IconHistory },
] as const;
type Kind = (typeof actions)[number]['kind'];

/** Matches: statistics, settings, history. */
export const AdminMatchesTab = ({ onAudit }: { readonly onAudit: OnAudit }): ReactElement => {
  const matches = useQuery(listMatches());
  const [opened, setOpened] = useState<{ readonly kind: Kind; readonly matchId: string }>();
  // From the list, so that an open dialog shows what arrives meanwhile.
  const match: MatchListItem | undefined = matches.data?.find((candidate) => candidate.matchId === opened?.matchId);
  const close = (): void => {
    setOpened(undefined);
  };
  return (
    <>
      <ListTab
        query={matches}
        caption="Matches"
        columns={columns}
        filter="Filter by tournament, team or date"
        textsOf={(row) => [row.tournamentName, row.team1Name, row.team2Name, formatDate(row.date)]}
        noun="match"
        nouns="matches"
        empty="No matches yet"
      >
        {(row) => (
          <tr key={row.matchId}>
            <td data-l="Tournament name" className="mute">
              <ScriptText text={row.tournamentName} />
            </td>
            <th scope="row">
              <ScriptText text={row.team1Name} />
            </th>
            <td>
              <b>
                <ScriptText text={row.team2Name} />
              </b>
            </td>
            <td data-l="Date">
              {formatDate(row.date)}
              {row.time !== '' && `, ${row.time}`}
            </td>
            <RowActions>
              {actions.map(({ kind, title, Icon }) => (
                <RowAction
                  key={kind}
                  Icon={Icon}
                  title={title}
                  label={`${title} ${row.team1Name}, ${row.team2Name}`}
                  onPress={() => {
                    setOpened({ kind, matchId: row.matchId });
                  }}
                />
              ))}
              <AuditAction
                of={`${row.team1Name}, ${row.team2Name}`}
                onPress={() => {
                  onAudit({ kind: 'match', id: row.matchId });
                }}
              />
            </RowActions>
          </tr>
        )}
      </ListTab>
      {match && opened?.kind === 'update' && <UpdateMatchModal match={match} onClose={close} />}
      {match && opened?.kind === 'settings' && <MatchSettingsModal match={match} onClose={close} />}
      {match && opened?.kind === 'history' && <MatchHistoryModal match={match} onClose={close} />}
    </>
  );
};
