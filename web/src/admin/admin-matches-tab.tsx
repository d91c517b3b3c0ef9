import type { MatchListItem } from '@courtledger/contracts/match/match.answers';
import { IconHistory, IconPencil, IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { formatDate } from '../lib/format.rules.ts';
import { Ledger } from '../ui/ledger.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { listMatches } from './admin.data.ts';
import { Tools, matchesFilter } from './admin-shell.tsx';
import { ListState } from './list-state.tsx';
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
export const AdminMatchesTab = (): ReactElement => {
  const matches = useQuery(listMatches());
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState<{ readonly kind: Kind; readonly matchId: string }>();
  const shown = (matches.data ?? []).filter((match) => matchesFilter(typed, [match.tournamentName, match.team1Name, match.team2Name, formatDate(match.date)]));
  // From the list, so that an open dialog shows what arrives meanwhile.
  const match: MatchListItem | undefined = matches.data?.find((candidate) => candidate.matchId === opened?.matchId);
  const close = (): void => {
    setOpened(undefined);
  };
  return (
    <>
      <Tools label="Filter by tournament, team or date" text={typed} onText={setTyped} counted={shown.length === 1 ? '1 match' : `${String(shown.length)} matches`} />
      <ListState query={matches} empty="No matches yet" shown={shown.length}>
        <Ledger caption="Matches" className="cards-m" columns={columns}>
          {shown.map((row) => (
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
              <td>
                <span className="row-acts">
                  {actions.map(({ kind, title, Icon }) => (
                    <button
                      key={kind}
                      type="button"
                      className="btn btn--s btn--sm"
                      aria-label={`${title} ${row.team1Name}, ${row.team2Name}`}
                      onClick={() => {
                        setOpened({ kind, matchId: row.matchId });
                      }}
                    >
                      <Icon className="i i-s" stroke={1.75} aria-hidden="true" />
                      {title}
                    </button>
                  ))}
                </span>
              </td>
            </tr>
          ))}
        </Ledger>
      </ListState>
      {match && opened?.kind === 'update' && <UpdateMatchModal match={match} onClose={close} />}
      {match && opened?.kind === 'settings' && <MatchSettingsModal match={match} onClose={close} />}
      {match && opened?.kind === 'history' && <MatchHistoryModal match={match} onClose={close} />}
    </>
  );
};
