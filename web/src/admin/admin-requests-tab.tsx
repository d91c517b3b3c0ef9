import { IconEye } from '@tabler/icons-react';
import type { RequestAnswer } from '@courtledger/contracts/request/request.answers';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Instant } from '../ui/instant.tsx';
import { listTournamentRequests } from './admin.data.ts';
import { ListTab, RowAction, type List } from './list-tab.tsx';
import { RequestModal } from './request-modal.tsx';

const statuses: Readonly<Record<RequestAnswer['status'], string>> = { open: 'Open', accepted: 'Accepted', declined: 'Declined' };

const list: List<RequestAnswer> = {
  caption: 'Requests',
  noun: 'request',
  empty: 'No requests yet',
  idOf: (request) => request._id,
  filter: 'Filter by name, organizer or status',
  textsOf: (request) => [request.tournamentName, request.organizerName, request.location, statuses[request.status]],
  columns: [
    { title: 'Tournament name', kind: 'name', cell: (request) => request.tournamentName },
    { title: 'Organizer name', cell: (request) => request.organizerName },
    { title: 'Location', cell: (request) => request.location },
    { title: 'Sent', cell: (request) => <Instant at={request.requestedAt} /> },
    { title: 'Status', cell: ({ status }) => <span className={status === 'open' ? 'badge badge--gold' : 'badge badge--line'}>{statuses[status]}</span> },
  ],
};

const withRequesterOf = (request: RequestAnswer, { organizerName, contactPhone1, contactPhone2, email }: RequestAnswer): RequestAnswer => ({
  ...request,
  organizerName,
  contactPhone1,
  contactPhone2,
  email,
});

/** Requests for tournaments, newest first. */
export const AdminRequestsTab = (): ReactElement => {
  const requests = useQuery(listTournamentRequests());
  const [opened, setOpened] = useState<RequestAnswer>();
  // Who asked is shown as it stands now: it may be erased meanwhile. The rest stays as it was opened, with the answer that is being written.
  const current = opened && (requests.data?.find(({ _id }) => _id === opened._id) ?? opened);
  return (
    <>
      <ListTab
        list={list}
        query={requests}
        renderActions={(request) => (
          <RowAction
            Icon={IconEye}
            title="View"
            label={`View ${request.tournamentName}`}
            onPress={() => {
              setOpened(request);
            }}
          />
        )}
      />
      {opened && current && (
        <RequestModal
          request={withRequesterOf(opened, current)}
          current={current}
          onClose={() => {
            setOpened(undefined);
          }}
        />
      )}
    </>
  );
};
