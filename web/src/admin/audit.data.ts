import type {
  AuditAnswer,
  ErasureAnswer,
  MoveAnswer,
  PersonsAnswer,
  PreviewAnswer,
  TraceAnswer,
  TraceKind,
  TraceStat,
} from '@courtledger/contracts/operations/audit.answers';
import type {
  BackupRun,
  LogEventAnswer,
  LogEventsAnswer,
  LogVerification,
  OperationsStatus,
  ReadModelJob,
} from '@courtledger/contracts/operations/operations.answers';
import { queryOptions } from '@tanstack/react-query';
import { apiGet, apiSend } from '../lib/api-client.ts';
import { queryKeys } from '../lib/query-keys.ts';
import { staffRole, type Role } from '../lib/session.ts';
import type { StatCorrection } from './admin.data.ts';
import type { AuditSubject } from './audit-address.rules.ts';
import { readAs, watched } from './session-watch.ts';

/** What auditors and operators ask and say. */

const id = (value: string): string => encodeURIComponent(value);
const queryText = (query: Readonly<Record<string, string | undefined>>): string =>
  new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]]))).toString();

const auditPath = (role: Role): string => (role === 'admin' ? '/audit' : '/superadmin/audit');
export type TraceQuestion = {
  readonly of: TraceKind;
  readonly stat: TraceStat;
  readonly match?: string | undefined;
  readonly team?: string | undefined;
  readonly player?: string | undefined;
  readonly tournament?: string | undefined;
};
/** Why a number is what it is. */
export const getTrace = (question: TraceQuestion) => {
  const role = staffRole() ?? 'admin';
  return queryOptions({
    queryKey: queryKeys[role]('trace', JSON.stringify(question)),
    queryFn: ({ signal }) => readAs<TraceAnswer>(role, `${auditPath(role)}/trace?${queryText(question)}`, signal),
    retry: false,
  });
};

const entryPath = (matchId: string, entryId: string): string => `/match/matches/${id(matchId)}/stat-entries/${id(entryId)}`;
/** What taking an entry back would change, or with `playerId` giving it to that player. Records nothing. */
export const previewCorrection = (matchId: string, entryId: string, playerId: string) =>
  queryOptions({
    queryKey: queryKeys.admin('preview', matchId, entryId, playerId),
    queryFn: ({ signal }) =>
      watched(
        'admin',
        apiSend<PreviewAnswer>(
          'POST',
          playerId === '' ? `${entryPath(matchId, entryId)}/reversal/preview` : `${entryPath(matchId, entryId)}/move/preview`,
          playerId === '' ? undefined : { playerId },
          { signal, as: 'admin' },
        ),
      ),
    staleTime: 0,
    // Another form asks anew, and without a network that fails at once: what is shown is what is sent, or nothing is.
    gcTime: 0,
    networkMode: 'always',
    retry: false,
  });
/** @param playerId to whom the entry goes */
export const moveStatEntry = ({ matchId, entryId, reason, previewed }: StatCorrection, playerId: string, key: string): Promise<MoveAnswer> =>
  apiSend<MoveAnswer>('POST', `${entryPath(matchId, entryId)}/move`, { playerId, reason, previewed }, { as: 'admin', idempotencyKey: key });

/** Opens the audit of one of them. */
export type OnAudit = (subject: AuditSubject) => void;
export type AuditFilter = {
  readonly type?: string;
  readonly asOf?: string;
  readonly actor?: string;
  readonly from?: string;
  readonly to?: string;
  readonly match?: string;
  readonly player?: string;
  readonly team?: string;
  readonly tournament?: string;
  readonly admin?: string;
  readonly before?: string;
};
export const listAudit = (role: Role, filter: AuditFilter) =>
  queryOptions({
    queryKey: queryKeys[role]('audit', JSON.stringify(filter)),
    queryFn: ({ signal }) => readAs<AuditAnswer>(role, `${auditPath(role)}?${queryText({ ...filter, limit: '50' })}`, signal),
  });
/** Where the same lines can be had as comma-separated values. */
export const auditCsvAddress = (role: Role, filter: AuditFilter): string => `/api${auditPath(role)}.csv?${queryText(filter)}`;
/** Fails unless the login of a role stands, as its cookie alone tells: that is what a link brings along. */
export const expectLogin = (role: Role): Promise<unknown> => watched(role, apiGet(role === 'admin' ? '/admin/check-token' : '/superadmin/check-token'));

const nowAndThen = 5000;
/** A job is followed while it runs; one that was begun elsewhere (a terminal, another tab) is seen as soon as the status. */
const followed = (isRunning: boolean): number => (isRunning ? 700 : nowAndThen);
export const getOperationsStatus = () =>
  queryOptions({
    queryKey: queryKeys.superadmin('operations'),
    queryFn: ({ signal }) => readAs<OperationsStatus>('superadmin', '/operations/status', signal),
    refetchInterval: nowAndThen,
  });
export const getRebuild = () =>
  queryOptions({
    queryKey: queryKeys.superadmin('rebuild'),
    queryFn: ({ signal }) => readAs<{ job: ReadModelJob | null }>('superadmin', '/operations/rebuild', signal),
    refetchInterval: (query) => followed(query.state.data?.job?.state === 'running'),
  });
export const getLogVerification = () =>
  queryOptions({
    queryKey: queryKeys.superadmin('verify-log'),
    queryFn: ({ signal }) => readAs<{ verification: LogVerification | null }>('superadmin', '/operations/verify-log', signal),
    refetchInterval: (query) => followed(query.state.data?.verification?.state === 'running'),
  });
export const getBackup = () =>
  queryOptions({
    queryKey: queryKeys.superadmin('backup'),
    queryFn: ({ signal }) => readAs<{ backup: BackupRun | null }>('superadmin', '/operations/backup', signal),
    refetchInterval: (query) => followed(query.state.data?.backup?.state === 'running'),
  });
/** `since` and `until`: days in Kathmandu, both inclusive. */
export type EventFilter = {
  readonly type: string;
  readonly actor: string;
  readonly match: string;
  readonly since: string;
  readonly until: string;
  readonly before?: string;
};
/** The newest events of the log, or those before a position; the newest are read again as they come. */
export const listLogEvents = (filter: EventFilter) =>
  queryOptions({
    queryKey: queryKeys.superadmin('events', JSON.stringify(filter)),
    queryFn: ({ signal }) => readAs<LogEventsAnswer>('superadmin', `/operations/events?${queryText({ ...filter, limit: '20' })}`, signal),
    refetchInterval: filter.before === undefined ? nowAndThen : false,
  });
/** What was recorded never changes. */
export const getLogEvent = (position: string) =>
  queryOptions({
    queryKey: queryKeys.superadmin('event', position),
    queryFn: ({ signal }) => readAs<LogEventAnswer>('superadmin', `/operations/events/${id(position)}`, signal),
    retry: false,
  });
const say = (method: 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> => apiSend(method, `/operations/${path}`, body, { as: 'superadmin' });
export const startRebuild = (verifyOnly: boolean): Promise<unknown> => say('POST', 'rebuild', { verifyOnly });
export const cancelRebuild = (): Promise<unknown> => say('DELETE', 'rebuild');
export const switchBackReadModel = (): Promise<unknown> => say('POST', 'switch-back');
export const verifyLog = (): Promise<unknown> => say('POST', 'verify-log');
export const backUp = (): Promise<unknown> => say('POST', 'backup', {});
export const replayParkedStreams = (): Promise<unknown> => say('POST', 'replay-parked');
/** Persons by a part of their name or team, a phone number or an id: what an erasure would take, and what would stay. */
export const findPersons = (text: string) =>
  queryOptions({
    queryKey: queryKeys.superadmin('persons', text),
    queryFn: ({ signal }) => readAs<PersonsAnswer>('superadmin', `/operations/persons?${queryText({ text })}`, signal),
    enabled: text !== '',
    retry: false,
  });
export const erasePerson = (personId: string, reason: string): Promise<ErasureAnswer> =>
  apiSend<ErasureAnswer>('POST', '/operations/erase-person', { personId, reason }, { as: 'superadmin' });
