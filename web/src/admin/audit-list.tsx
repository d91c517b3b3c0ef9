import type { AuditLine } from '@courtledger/contracts/operations/audit.answers';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { useSearchParams } from 'react-router-dom';
import { formatExactInstant } from '../lib/format.rules.ts';
import type { Role } from '../lib/session.ts';
import { ScriptText } from '../ui/script-text.tsx';
import { addressOfAudit, narrowingInAddress, type AuditSubject } from './audit-address.rules.ts';
import { auditCsvAddress, listAudit, type AuditFilter } from './audit.data.ts';
import { auditTypes } from './audit-types.rules.ts';
import './operations.css';
import { FilterField, PagedLog, TypeFilter, useLogView } from './paged-log.tsx';
import { StaffDownload } from './staff-download.tsx';

const columns = [
  { key: 'when', title: 'When' },
  { key: 'who', title: 'Who' },
  { key: 'what', title: 'What' },
  { key: 'before', title: 'Before' },
  { key: 'after', title: 'After' },
] as const;

type AboutButton = AuditSubject & { readonly label: string };

/** What a line is about, and for the super admin whose it is. A move is about two players, and perhaps two teams. */
const subjectsOf = (
  {
    match_id: match,
    player_id: player,
    team_id: team,
    tournament_id: tournament,
    admin_id: subject,
    from_player_id: fromPlayer,
    from_team_id: fromTeam,
    actor,
  }: AuditLine,
  account: Role,
): readonly AboutButton[] => {
  const admin = subject ?? (account === 'superadmin' && actor.role === 'admin' ? actor.id : undefined);
  const own = Object.entries({ match, player, team, tournament, admin }).map(([kind, id]) => ({
    kind: kind as AuditSubject['kind'],
    id,
    label: `Only this ${kind}`,
  }));
  const former = [
    { kind: 'player' as const, id: fromPlayer, label: 'Only the player it was taken from' },
    { kind: 'team' as const, id: fromTeam === team ? undefined : fromTeam, label: 'Only the team it was taken from' },
  ];
  return [...own, ...former].flatMap(({ id, ...button }) => (id === undefined ? [] : [{ ...button, id }]));
};

/** What stood before or after. A phone shows the label of a cell only where there is something to label. */
const Stood = ({ label, text, className }: { readonly label: string; readonly text: string | null; readonly className?: string }): ReactElement => (
  <td className={className} {...(text !== null && text !== '' && { 'data-l': label })}>
    <ScriptText text={text ?? ''} />
  </td>
);

const Line = ({
  line,
  account,
  onAbout,
}: {
  readonly line: AuditLine;
  readonly account: Role;
  readonly onAbout: (subject: AuditSubject) => void;
}): ReactElement => (
  <tr>
    <td className="nowrap-w" data-l="When">
      <time dateTime={line.at}>{formatExactInstant(line.at)}</time>
    </td>
    <td data-l="Who">
      {line.actor.name || line.actor.role}
      {line.actor.name !== '' && <small className="dim"> {line.actor.role}</small>}
    </td>
    <th scope="row">
      <ScriptText text={line.what} />
      {line.reason !== undefined && <small className="mute lines"> {line.reason}</small>}
      <details className="ids">
        <summary>More</summary>
        {subjectsOf(line, account).map(({ label, ...subject }) => (
          <button
            key={label}
            type="button"
            className="btn btn--q btn--sm"
            onClick={() => {
              onAbout(subject);
            }}
          >
            {label}
          </button>
        ))}
        <code>{line.type === 'Refused' ? `request ${line.commandId}` : line.commandId}</code>
        {line.cause !== line.commandId && <code>{`caused by ${line.cause}`}</code>}
        {line.position !== null && <code>{`position ${line.position}`}</code>}
      </details>
    </th>
    <Stood label="Before" text={line.before} className="mute" />
    <Stood label="After" text={line.after} />
  </tr>
);

/** `subject`: whose audit was asked for elsewhere; everything without. */
type AuditListProps = { readonly account: Role; readonly subject?: AuditSubject | undefined };

/** Who did what, when, why, and what stood there before: newest first, with filters, as of any moment, and as comma-separated values. */
export const AuditList = ({ account, subject }: AuditListProps): ReactElement => {
  const [params, setParams] = useSearchParams();
  const view = useLogView(narrowingInAddress(params, account));
  const [about, setAbout] = useState(subject);
  const wanted: AuditFilter = { ...view.filter, actor: view.filter.actor.trim(), ...(about && { [about.kind]: about.id }) };
  const audit = useQuery(listAudit(account, { ...wanted, ...(view.before !== undefined && { before: view.before }) }));
  const name = audit.data?.about.find(({ kind, id }) => about !== undefined && kind === about.kind && id === about.id)?.name;
  const choose = (chosen: AuditSubject | undefined): void => {
    setAbout(chosen);
    view.toNewest();
  };
  const address = new URLSearchParams(addressOfAudit(about, view.filter)).toString();
  const isThere = params.toString() === address;
  useEffect(() => {
    if (!isThere) setParams(address, { replace: true });
  }, [address, isThere, setParams]);
  // Whoever came by a button that is gone goes on from here.
  const arrived = useRef<HTMLOutputElement>(null);
  const shown = useRef<AuditSubject>(undefined);
  useEffect(() => {
    if (about !== shown.current) arrived.current?.focus();
    shown.current = about;
  }, [about]);
  return (
    <>
      <search className="filters" aria-label="Filter the audit">
        <TypeFilter label="What" types={auditTypes(account)} {...view.field('type')} />
        <FilterField label="Who" placeholder="Name, id or role" {...view.field('actor')} />
        <FilterField label="From" type="date" {...view.field('from')} />
        <FilterField label="To" type="date" {...view.field('to')} />
        <FilterField label="As of, in Kathmandu" type="datetime-local" {...view.field('asOf')} />
        <StaffDownload role={account} address={auditCsvAddress(account, wanted)}>
          CSV
        </StaffDownload>
      </search>
      <div className={about ? 'row-acts about' : 'sr'}>
        <output ref={arrived} tabIndex={-1}>
          {about ? `Only one ${about.kind}: ` : 'Everything'}
          {about && (name === undefined ? <code>{about.id}</code> : <ScriptText text={name} />)}
        </output>
        {about && (
          <button
            type="button"
            className="btn btn--s btn--sm"
            onClick={() => {
              choose(undefined);
            }}
          >
            Show everything
          </button>
        )}
      </div>
      {audit.data?.refusalsOf === 'this-gateway' && <p className="mute">Refused commands are those that came to this gateway: each keeps its own.</p>}
      <PagedLog
        query={audit}
        view={view}
        caption="Audit, newest first"
        className="cards-m history audit"
        columns={columns}
        empty="Nothing of that kind"
        days={view.filter}
        rows={audit.data?.lines.map((line) => (
          <Line key={`${line.position ?? ''}-${line.commandId}`} line={line} account={account} onAbout={choose} />
        ))}
      />
    </>
  );
};
