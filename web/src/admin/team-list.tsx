import type { TeamAnswer } from '@courtledger/contracts/team/team.answers';
import { IconPencil, IconUsers } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useCallback, useState, type ReactElement } from 'react';
import type { Role } from '../lib/session.ts';
import type { OnAudit } from './audit.data.ts';
import { goneTexts } from './erased-person.rules.ts';
import { AuditAction, ListTab, RowAction, type List } from './list-tab.tsx';
import { RosterModal } from './roster-modal.tsx';
import { TeamFormModal } from './team-form-modal.tsx';
import { useGone } from './use-gone.ts';

type TeamListProps<Team extends TeamAnswer> = {
  readonly account: Role;
  readonly list: List<Team>;
  readonly query: UseQueryResult<readonly Team[]>;
  readonly onAudit: OnAudit;
};

/** Registered teams, each with Edit, its roster and its audit; Edit corrects them in the name of the account. */
export const TeamList = <Team extends TeamAnswer>({ account, list, query, onAudit }: TeamListProps<Team>): ReactElement => {
  const [opened, setOpened] = useState<{ readonly kind: 'edit' | 'roster'; readonly team: Team }>();
  const close = useCallback((): void => {
    setOpened(undefined);
  }, []);
  // From the list, so that an open dialog keeps nothing of a person who is erased meanwhile.
  const shown = opened && (query.data ?? [opened.team]).find(({ _id }) => _id === opened.team._id);
  useGone(opened && shown === undefined ? goneTexts.teamExpired : undefined, close);
  return (
    <>
      <ListTab
        list={list}
        query={query}
        renderActions={(team) => {
          const { name } = team.team_details;
          return (
            <>
              <RowAction
                Icon={IconPencil}
                title="Edit"
                label={`Edit ${name}`}
                onPress={() => {
                  setOpened({ kind: 'edit', team });
                }}
              />
              <RowAction
                Icon={IconUsers}
                title="Roster"
                label={`Roster of ${name}`}
                onPress={() => {
                  setOpened({ kind: 'roster', team });
                }}
              />
              <AuditAction of={name} subject={{ kind: 'team', id: team._id }} onAudit={onAudit} />
            </>
          );
        }}
      />
      {shown && opened.kind === 'edit' && <TeamFormModal account={account} team={shown} onClose={close} />}
      {shown && opened.kind === 'roster' && <RosterModal id={shown._id} name={shown.team_details.name} onClose={close} />}
    </>
  );
};
