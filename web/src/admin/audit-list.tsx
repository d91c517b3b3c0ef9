import type { AuditLine } from '@courtledger/contracts/operations/audit.answers';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useRef, useState, type ReactElement } from 'react';
import { formatInstant } from '../lib/format.rules.ts';
import type { Role } from '../lib/session.ts';
import { Banner } from '../ui/banner.tsx';
import { Ledger } from '../ui/ledger.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { EmptyState, Spinner } from '../ui/states.tsx';
import { auditCsvAddress, listAudit, type AuditFilter, type AuditSubject } from './audit.data.ts';
import { auditTypes, typeInWords } from './audit-types.rules.ts';
import './operations.css';

const columns = [
  { key: 'when', title: 'When' },
  { key: 'who', title: 'Who' },
  { key: 'what', title: 'What' },
  { key: 'before', title: 'Before' },
  { key: 'after', title: 'After' },
] as const;

/** What a line is about, and for the super admin whose it is. */
const subjectsOf = ({ match_id: match, player_id: player, team_id: team, tournament_id: tournament, actor }: AuditLine, account: Role): readonly AuditSubject[] =>
  Object.entries({ match, player, team, tournament, admin: account === 'superadmin' && actor.role === 'admin' ? actor.id : undefined }).flatMap(([kind, id]) => (id === undefined ? [] : [{ kind: kind as AuditSubject['kind'], id }]));

const Line = ({ line, account, onAbout }: { readonly line: AuditLine; readonly account: Role; readonly onAbout: (subject: AuditSubject) => void }): ReactElement => (
  <tr>
    <td data-l="When">
      <time dateTime={line.at}>{formatInstant(line.at)}</time>
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
        {subjectsOf(line, account).map((subject) => (
          <button
            key={subject.kind}
            type="button"
            className="btn btn--q btn--sm"
            onClick={() => {
              onAbout(subject);
            }}
          >
            {`Only this ${subject.kind}`}
          </button>
        ))}
        <code>{line.type === 'Refused' ? `request ${line.commandId}` : line.commandId}</code>
        {line.cause !== line.commandId && <code>{`caused by ${line.cause}`}</code>}
        {line.position !== null && <code>{`position ${line.position}`}</code>}
      </details>
    </th>
    <td data-l="Before" className="mute">
      <ScriptText text={line.before ?? ''} />
    </td>
    <td data-l="After">
      <ScriptText text={line.after ?? ''} />
    </td>
  </tr>
);

type AuditListProps = { readonly account: Role; /** Whose audit was asked for elsewhere; everything without. */ readonly subject?: AuditSubject | undefined };

/** Who did what, when, why, and what stood there before: newest first, with filters, as of any moment, and as comma-separated values. */
export const AuditList = ({ account, subject }: AuditListProps): ReactElement => {
  const [type, setType] = useState('');
  const [actor, setActor] = useState('');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [asOf, setAsOf] = useState('');
  const [pages, setPages] = useState<readonly string[]>([]);
  const [about, setAbout] = useState(subject);
  const wanted: AuditFilter = useDeferredValue({ type, actor: actor.trim(), from, to, asOf, ...(about && { [about.kind]: about.id }) });
  const choose = (chosen: AuditSubject | undefined): void => {
    setAbout(chosen);
    setPages([]);
  };
  // Whoever came by the button of a row goes on from here.
  const arrived = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    arrived.current?.focus();
  }, []);
  const before = pages.at(-1);
  const audit = useQuery(listAudit(account, { ...wanted, ...(before !== undefined && { before }) }));
  const next = audit.data?.next;
  const filter = (set: (value: string) => void) => (event: { readonly target: { readonly value: string } }): void => {
    set(event.target.value);
    setPages([]);
  };
  return (
    <>
      <search className="filters" aria-label="Filter the audit">
        <label className="field">
          <span>What</span>
          <select className="input" value={type} onChange={filter(setType)}>
            <option value="">Everything</option>
            {auditTypes(account).map((one) => (
              <option key={one} value={one}>
                {typeInWords(one)}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>Who</span>
          <input className="input" type="search" autoComplete="off" placeholder="Name, id or role" value={actor} onChange={filter(setActor)} />
        </label>
        <label className="field">
          <span>From</span>
          <input className="input" type="date" value={from} onChange={filter(setFrom)} />
        </label>
        <label className="field">
          <span>To</span>
          <input className="input" type="date" value={to} onChange={filter(setTo)} />
        </label>
        <label className="field">
          <span>As of, in Kathmandu</span>
          <input className="input" type="datetime-local" value={asOf} onChange={filter(setAsOf)} />
        </label>
        <a className="btn btn--q" href={auditCsvAddress(account, wanted)} download>
          <IconDownload className="i i-s" stroke={1.75} aria-hidden="true" />
          CSV
        </a>
      </search>
      {about && (
        <div className="row-acts about">
          <output ref={arrived} tabIndex={-1}>
            {`Only one ${about.kind}: `}
            <code>{about.id}</code>
          </output>
          <button
            type="button"
            className="btn btn--s btn--sm"
            onClick={() => {
              choose(undefined);
            }}
          >
            Show everything
          </button>
        </div>
      )}
      {audit.isPending && <Spinner />}
      {audit.isError && <Banner kind="bad" text={audit.error.message || 'Internal Server Error'} />}
      {audit.data?.lines.length === 0 && <EmptyState text="Nothing of that kind on this page" />}
      {audit.data && audit.data.lines.length > 0 && (
        <Ledger caption="Audit, newest first" className="cards-m history audit" columns={columns}>
          {audit.data.lines.map((line) => (
            <Line key={`${line.position ?? ''}-${line.commandId}`} line={line} account={account} onAbout={choose} />
          ))}
        </Ledger>
      )}
      <div className="row-acts pager">
        {pages.length > 0 && (
          <button
            type="button"
            className="btn btn--s btn--sm"
            onClick={() => {
              setPages(pages.slice(0, -1));
            }}
          >
            Newer
          </button>
        )}
        {typeof next === 'string' && (
          <button
            type="button"
            className="btn btn--s btn--sm"
            onClick={() => {
              setPages([...pages, next]);
            }}
          >
            Older
          </button>
        )}
      </div>
    </>
  );
};
