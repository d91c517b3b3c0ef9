import { IconEye } from '@tabler/icons-react';
import type { RequestAnswer } from '@courtledger/contracts/request/request.answers';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { formatInstant } from '../lib/format.rules.ts';
import { ScriptText } from '../ui/script-text.tsx';
import { listTournamentRequests } from './admin.data.ts';
import { ListTab, RowAction, RowActions } from './list-tab.tsx';
import { RequestModal } from './request-modal.tsx';

const columns = [
  { key: 'name', title: 'Tournament name' },
  { key: 'organizer', title: 'Organizer name' },
  { key: 'location', title: 'Location' },
  { key: 'sent', title: 'Sent' },
  { key: 'status', title: 'Status' },
  { key: 'acts', title: 'Actions', className: 'num' },
] as const;

const statuses: Readonly<Record<RequestAnswer['status'], string>> = { open: 'Open', accepted: 'Accepted', declined: 'Declined' };

/** Requests for tournaments, newest first. */
export const AdminRequestsTab = (): ReactElement => {
  const requests = useQuery(listTournamentRequests());
  const [opened, setOpened] = useState<RequestAnswer>();
  return (
    <>
      <ListTab
        query={requests}
        caption="Requests"
        columns={columns}
        filter="Filter by name, organizer or status"
        textsOf={(request) => [request.tournamentName, request.organizerName, request.location, statuses[request.status]]}
        noun="request"
        empty="No requests yet"
      >
        {(request) => (
          <tr key={request._id}>
            <th scope="row">
              <ScriptText text={request.tournamentName} />
            </th>
            <td data-l="Organizer name">
              <ScriptText text={request.organizerName} />
            </td>
            <td data-l="Location">
              <ScriptText text={request.location} />
            </td>
            <td data-l="Sent">{formatInstant(request.requestedAt)}</td>
            <td data-l="Status">
              <span className={request.status === 'open' ? 'badge badge--gold' : 'badge badge--line'}>{statuses[request.status]}</span>
            </td>
            <RowActions>
              <RowAction
                Icon={IconEye}
                title="View"
                label={`View ${request.tournamentName}`}
                onPress={() => {
                  setOpened(request);
                }}
              />
            </RowActions>
          </tr>
        )}
      </ListTab>
      {opened && (
        <RequestModal
          request={opened}
          onClose={() => {
            setOpened(undefined);
          }}
        />
      )}
    </>
  );
};
