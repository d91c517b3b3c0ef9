import { bytesText } from '@courtledger/contracts/kernel/figures';
import type { OperationsStatus } from '@courtledger/contracts/operations/operations.answers';
import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { failureText } from '../lib/api-client.ts';
import { formatAmount, formatCount, formatInstant } from '../lib/format.rules.ts';
import { useNow } from '../lib/use-now.ts';
import { Banner } from '../ui/banner.tsx';
import { Ledger } from '../ui/ledger.tsx';
import { getOperationsStatus, replayParkedStreams } from './audit.data.ts';
import { CommandFailure } from './command-failure.tsx';
import { EventsSection } from './operations-events.tsx';
import { EraseSection } from './operations-erase.tsx';
import { BackupSection, VerifySection } from './operations-log.tsx';
import { RebuildSection } from './operations-rebuild.tsx';
import { backupFailure, backupInWords, lagDetail, readModelInWords } from './operations.rules.ts';
import './operations.css';
import { QueryState } from './query-state.tsx';
import { useCommand } from './use-command.ts';

const Cards = ({ status, now }: { readonly status: OperationsStatus; readonly now: number }): ReactElement => {
  const { log, keys, readModel, sizes, backups } = status;
  const cards = [
    {
      title: 'Log',
      isBad: log.refusal !== null,
      value: log.refusal === null ? 'Takes writes' : 'Refuses writes',
      more: log.refusal ?? `Head at position ${log.head}${sizes.log === null ? '' : `, ${bytesText(sizes.log)}`}`,
    },
    {
      title: 'Read model',
      isBad: readModel.doubt !== null,
      value: readModelInWords(readModel),
      more: `${readModel.doubt === null ? '' : `${readModel.doubt}. `}${readModel.error ?? `Position ${readModel.position}, ${lagDetail(readModel, now)}, ${readModel.file}, projections ${readModel.version}`}`,
    },
    { title: 'Rate', value: `${formatAmount(readModel.ratePerSecond)}/s`, more: 'Events projected a second, over the last minute' },
    {
      title: 'Parked streams',
      value: formatAmount(readModel.parked.length),
      more: readModel.parked.length === 0 ? 'No fact waits for a fix' : 'Facts wait for a fix, see below',
    },
    {
      title: 'Last backup',
      value: backups.newest === null ? 'None yet' : formatInstant(backups.newest.madeAt, now),
      more: backupInWords(backups, log.unfit ?? keys),
    },
    {
      title: 'Disk',
      value: `${bytesText(sizes.freeDisk)} free`,
      more: `Read models ${bytesText(sizes.readModels)}, media ${bytesText(sizes.media)}, documents ${bytesText(sizes.documents)}`,
    },
  ];
  return (
    <div className="ops">
      {cards.map(({ title, isBad = false, value, more }) => (
        <section className="card ops__card" key={title} aria-label={title}>
          <h2>{title}</h2>
          <b className={isBad ? 'neg' : undefined}>{value}</b>
          <p>{more}</p>
        </section>
      ))}
    </div>
  );
};

const columns = [
  { key: 'stream', title: 'Stream' },
  { key: 'events', title: 'Events', className: 'num' },
  { key: 'type', title: 'First' },
  { key: 'error', title: 'Why' },
] as const;

const Parked = ({ parked }: { readonly parked: OperationsStatus['readModel']['parked'] }): ReactElement => {
  const command = useCommand();
  return (
    <section className="ops__sec" aria-label="Parked streams to replay">
      <h2>Parked streams</h2>
      <p>Facts that could not be projected, with the later ones of their streams. Nothing of them is lost: replay them after a fix.</p>
      <div className="ops__acts">
        <button type="button" className="btn btn--s btn--sm" aria-disabled={command.busy} onClick={() => void command.run(replayParkedStreams)}>
          Replay
        </button>
      </div>
      <CommandFailure command={command} />
      <Ledger caption="Parked streams" className="cards-m history" columns={columns}>
        {parked.map((one) => (
          <tr key={one.stream}>
            <th scope="row">{one.stream}</th>
            <td data-l="Events" className="num">
              {formatCount(one.events, 'event')}
            </td>
            <td data-l="First">{`${one.type} at ${one.position}`}</td>
            <td data-l="Why" className="mute">
              {one.error}
            </td>
          </tr>
        ))}
      </Ledger>
    </section>
  );
};

/** What the server has to say of some names; nothing where there are none. */
const Noted = ({ title, text, names }: { readonly title: string; readonly text: string; readonly names: readonly string[] }): ReactElement | null =>
  names.length === 0 ? null : (
    <section className="ops__sec" aria-label={title}>
      <h2>{title}</h2>
      <p>{text}</p>
      <ul className="erase__list">
        {names.map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </section>
  );

/** A server that hangs gives no error for long: readings that are several times as old as they should be are told as such. */
const lateMs = 30_000;

/** The operators' verbs for the super admin: what the node does, rebuild beside the live model, verify, back up, erase a person. */
export const OperationsTab = (): ReactElement => {
  const status = useQuery(getOperationsStatus());
  const now = useNow();
  // A reading that fails leaves what stands, and the dialog that is open.
  if (!status.data) return <QueryState query={status} />;
  const { log, keys, missingFiles, backups, readModel, setAside, leftovers, pendingErasures, pendingErasuresWaitFor } = status.data;
  return (
    <>
      {status.error === null && now - status.dataUpdatedAt > lateMs && (
        <div className="ops__alarm">
          <Banner kind="bad" text={`The server has not answered for a while. What stands here is of ${formatInstant(status.data.time, now)}.`} />
        </div>
      )}
      {status.error !== null && (
        <div className="ops__alarm">
          <Banner
            kind="bad"
            text={`${failureText(status.error, outcomeTexts.internalError).replace(/\.$/, '')}. What stands here is of ${formatInstant(status.data.time, now)}.`}
          />
        </div>
      )}
      <Cards status={status.data} now={now} />
      {keys !== null && (
        <div className="ops__alarm">
          <Banner kind="bad" text={`Keys of persons: ${keys}`} />
        </div>
      )}
      {missingFiles !== null && (
        <div className="ops__alarm">
          <Banner kind="bad" text={`${missingFiles}.`} />
        </div>
      )}
      {(backups.failure !== null || backups.overdue) && (
        <div className="ops__alarm">
          <Banner
            kind="bad"
            text={
              backups.failure === null
                ? 'What was recorded is not backed up in time: see the log of the server.'
                : backupFailure(backups.failure, backups.failedAt, now)
            }
          />
        </div>
      )}
      {readModel.parked.length > 0 && <Parked parked={readModel.parked} />}
      <RebuildSection status={status.data} />
      <VerifySection store={status.data.store} />
      <BackupSection log={log} />
      <Noted
        title="Erasures under way"
        text={`Begun and not ended: tried again every minute.${pendingErasuresWaitFor === null ? '' : ` The last attempt failed: ${pendingErasuresWaitFor}.`}`}
        names={pendingErasures}
      />
      <Noted
        title="Set aside"
        text="What stood here before a backup took its place, and read models that are used no more: .lost-keys has the names of persons whose keys were given up. Each is removed after 30 days. An erasure reaches them as well."
        names={setAside}
      />
      <Noted
        title="Left over"
        text="A whole copy, of a drill that runs or of work that was killed: the next start, erasure or night removes that."
        names={leftovers}
      />
      <EventsSection />
      <EraseSection />
    </>
  );
};
