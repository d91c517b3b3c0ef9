import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import type { MatchListItem } from '@courtledger/contracts/match/match.answers';
import { IconHistory, IconPencil, IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState, type ReactElement } from 'react';
import { dayOf, formatDate } from '../lib/format.rules.ts';
import { useNow } from '../lib/use-now.ts';
import { ScriptText } from '../ui/script-text.tsx';
import { listMatches } from './admin.data.ts';
import type { OnAudit } from './audit.data.ts';
import { AuditAction, ListTab, RowAction, type List } from './list-tab.tsx';
import { MatchHistoryModal } from './match-history-modal.tsx';
import { inOrderOfWork } from './match-order.rules.ts';
import { MatchSettingsModal } from './match-settings-modal.tsx';
import { UpdateMatchModal } from './update-match-modal.tsx';

const list: List<MatchListItem> = {
  caption: 'Matches',
  noun: 'match',
  nouns: 'matches',
  empty: 'No matches yet',
  idOf: (row) => row.matchId,
  filter: 'Filter by tournament, team or date',
  textsOf: (row) => [row.tournamentName, row.team1Name, row.team2Name, formatDate(row.date), dayOf(row.date)],
  columns: [
    { title: 'Tournament name', className: 'mute', cell: (match) => match.tournamentName },
    { title: 'Team 1 name', kind: 'name', cell: (match) => match.team1Name },
    {
      title: 'Team 2 name',
      kind: 'bare',
      cell: (match) => (
        <b>
          <ScriptText text={match.team2Name} />
        </b>
      ),
    },
    { title: 'Date', cell: ({ date, time }) => `${formatDate(date)}${time === '' ? '' : `, ${time}`}` },
  ],
};

const actions = [
  { kind: 'update', title: 'Edit', Icon: IconPencil },
  { kind: 'settings', title: 'Settings', Icon: IconSettings },
  { kind: 'history', title: 'History', Icon: IconHistory },
] as const;
type Kind = (typeof actions)[number]['kind'];

/** Matches, those of today first: statistics, settings, history. */
export const AdminMatchesTab = ({ onAudit }: { readonly onAudit: OnAudit }): ReactElement => {
  const today = kathmanduDay(useNow());
  const matches = useQuery({ ...listMatches(), select: useCallback((all: readonly MatchListItem[]) => inOrderOfWork(all, today), [today]) });
  const [opened, setOpened] = useState<{ readonly kind: Kind; readonly match: MatchListItem }>();
  // From the list, so that an open dialog shows what arrives meanwhile. A match that somebody cancels leaves the list, but not the hands of whoever is typing:
  // the server says so when it is sent.
  const match = matches.data?.find(({ matchId }) => matchId === opened?.match.matchId) ?? opened?.match;
  const close = (): void => {
    setOpened(undefined);
  };
  return (
    <>
      <ListTab
        list={list}
        query={matches}
        renderActions={(row) => {
          const { matchId, team1Name, team2Name } = row;
          return (
            <>
              {actions.map(({ kind, title, Icon }) => (
                <RowAction
                  key={kind}
                  Icon={Icon}
                  title={title}
                  label={`${title} ${team1Name}, ${team2Name}`}
                  onPress={() => {
                    setOpened({ kind, match: row });
                  }}
                />
              ))}
              <AuditAction of={`${team1Name}, ${team2Name}`} subject={{ kind: 'match', id: matchId }} onAudit={onAudit} />
            </>
          );
        }}
      />
      {match && opened?.kind === 'update' && <UpdateMatchModal match={match} isBeingRead={matches.isFetching} onClose={close} />}
      {match && opened?.kind === 'settings' && <MatchSettingsModal match={match} onClose={close} />}
      {match && opened?.kind === 'history' && <MatchHistoryModal match={match} onClose={close} />}
    </>
  );
};
