import { IconEye } from '@tabler/icons-react';
import type { RequestAnswer } from '@courtledger/contracts/request/request.answers';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { formatCount, formatInstant } from '../lib/format.rules.ts';
import { Ledger } from '../ui/ledger.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { listTournamentRequests } from './admin.data.ts';
import { Tools, matchesFilter } from './admin-shell.tsx';
import { ListState } from './list-state.tsx';
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
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState<RequestAnswer>();
  const shown = (requests.data ?? []).filter((request) => matchesFilter(typed, [request.tournamentName, request.organizerName, request.location, statuses[request.status]]));
  return (
    <>
      <Tools label="Filter by name, organizer or status" text={typed} onText={setTyped} counted={formatCount(shown.length, 'request')} />
      <ListState query={requests} empty="No requests yet" shown={shown.length}>
        <Ledger caption="Requests" className="cards-m" columns={columns}>
          {shown.map((request) => (
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
              <td>
                <span className="row-acts">
                  <button
                    type="button"
                    className="btn btn--s btn--sm"
                    aria-label={`View ${request.tournamentName}`}
                    onClick={() => {
                      setOpened(request);
                    }}
                  >
                    <IconEye className="i i-s" stroke={1.75} aria-hidden="true" />
                    View
                  </button>
                </span>
              </td>
            </tr>
          ))}
        </Ledger>
      </ListState>
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
