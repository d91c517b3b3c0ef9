import { bytesText } from '@courtledger/contracts/kernel/figures';
import { chainAbsence } from '@courtledger/contracts/operations/hash-chain.rules';
import type { OperationsStatus } from '@courtledger/contracts/operations/operations.answers';
import { getOperationsStatus } from '@courtledger/contracts/operations/operations.api';
import { parseArguments } from '../arguments.ts';
import { ask } from '../ask.ts';
import { ageText, amountText, countedText, secondsText } from '../figures.ts';
import { jobProgressLine } from '../read-model-lines.ts';
import { jsonLines } from '../terminal-lines.ts';
import type { Verb } from '../verb.ts';

const line = (name: string, text: string): string => `${name.padEnd(13)} ${text}`;

/** What is in them. Of a log that is not what it was nobody knows what "everything" is. */
const savedText = ({ backups: { newest, unsavedSeconds, overdue }, log: { unfit } }: OperationsStatus): string => {
  if (unsavedSeconds !== null) return `${overdue ? 'OVERDUE: ' : ''}the oldest change that is in none of these was made ${secondsText(unsavedSeconds)} ago`;
  if (unfit !== null) return `NONE IS MADE OF THIS LOG: ${unfit}`;
  return newest === null ? 'nothing is recorded yet' : 'everything is in it';
};

const backupLines = (status: OperationsStatus): readonly string[] => {
  const { lastBackup, backups, time } = status;
  const { folder, windowMinutes, kept, newest, failure, failedAt } = backups;
  const own = newest === null ? 'NONE YET' : `${ageText(newest.madeAt, time)}, head ${newest.head}, ${newest.folder}`;
  return [
    line('backup', own),
    line(
      '',
      windowMinutes === 0
        ? `${amountText(kept)} kept in ${folder}; none is made by itself (BACKUP_MINUTES=0)`
        : `${amountText(kept)} kept in ${folder}, within ${amountText(windowMinutes)} minutes of a change; ${savedText(status)}`,
    ),
    ...(failure === null ? [] : [line('', `BACKUPS FAIL${failedAt === null ? '' : ` (${ageText(failedAt, time)})`}: ${failure}`)]),
    ...(lastBackup === null || lastBackup.folder === newest?.folder
      ? []
      : [
          line(
            '',
            `last run ${lastBackup.state}, ${ageText(lastBackup.endedAt ?? lastBackup.startedAt, time)}, ${lastBackup.folder}${lastBackup.error === null || lastBackup.error === failure ? '' : `: ${lastBackup.error}`}`,
          ),
        ]),
  ];
};

/** "Up to date" is no word for what may be wrong. */
const standText = (readModel: OperationsStatus['readModel'], time: string): string => {
  const { doubt, lagEvents, lagMore, lagUnknown } = readModel;
  if (doubt === null) return lagText(readModel, time);
  return lagEvents === 0 && !lagMore && lagUnknown === null ? 'MAY BE WRONG' : `MAY BE WRONG, ${lagText(readModel, time)}`;
};

const lagText = ({ lagEvents, lagMore, lagSeconds, lagUnknown }: OperationsStatus['readModel'], time: string): string => {
  const text =
    lagEvents === 0 && !lagMore
      ? 'up to date'
      : `${lagMore ? `${amountText(lagEvents)} or more events` : countedText(lagEvents, 'event')} (${secondsText(lagSeconds)}) behind`;
  if (lagUnknown === null) return text;
  return `how far behind is unknown${lagUnknown.asOf === null ? '' : ` (as last measured, ${ageText(lagUnknown.asOf, time)}: ${text})`}`;
};

/** The state of a node as lines. */
export const statusLines = (status: OperationsStatus): readonly string[] => {
  const { log, readModel, sizes, job, lastVerification, time } = status;
  return [
    line('log', `${status.store}, head ${log.head}, ${log.refusal === null ? 'takes writes' : `REFUSES WRITES: ${log.refusal}`}`),
    ...(log.writeAheadBytes === null
      ? []
      : [line('', `write-ahead log ${bytesText(log.writeAheadBytes)}${log.writeAheadAlarm ? ' (ALARM: a reader keeps it open)' : ''}`)]),
    ...(status.keys === null ? [] : [line('keys', `NOT ALL THERE: ${status.keys}`)]),
    ...(status.missingFiles === null ? [] : [line('files', `NOT ALL THERE: ${status.missingFiles}`)]),
    line('read model', `${readModel.file} at ${readModel.position}, ${standText(readModel, time)}, ${amountText(readModel.ratePerSecond)} events/s`),
    ...(readModel.error === null ? [] : [line('', `DOES NOT MOVE: ${readModel.error}`)]),
    ...(readModel.doubt === null ? [] : [line('', `MAY BE WRONG: ${readModel.doubt}`)]),
    line('', `projections ${readModel.version}`),
    ...readModel.files.map(({ file, bytes, role }) => line('', `${file}  ${bytesText(bytes)}  ${role}`)),
    line('parked', readModel.parked.length === 0 ? 'none' : countedText(readModel.parked.length, 'stream')),
    ...readModel.parked.map(({ stream, events, position, type, error }) =>
      line('', `${stream}: ${countedText(events, 'event')} from position ${position} (${type}): ${error}`),
    ),
    line(
      'sizes',
      `${sizes.log === null ? '' : `log ${bytesText(sizes.log)}, `}read models ${bytesText(sizes.readModels)}, media ${bytesText(sizes.media)}, documents ${bytesText(sizes.documents)}, keys ${bytesText(sizes.keys)}, refusals ${bytesText(sizes.refusals)}, free ${bytesText(sizes.freeDisk)}`,
    ),
    ...backupLines(status),
    ...status.setAside.map((name, index) =>
      line(
        index === 0 ? 'set aside' : '',
        `${name}: ${name.startsWith('read-model-') ? `a read model that is used no more${name.includes('.lost-keys-') ? ', the last place with the names of persons whose keys were given up' : ''}; the next erasure removes it` : 'what a restore replaced'}; goes after 30 days`,
      ),
    ),
    ...status.leftovers.map((name, index) =>
      line(
        index === 0 ? 'leftovers' : '',
        `${name}: a whole copy, of a drill that runs or of work that was killed (the next start, erasure or night removes that)`,
      ),
    ),
    ...status.pendingErasures.map((personId, index) =>
      line(index === 0 ? 'erasures' : '', `person ${personId}: begun and not ended; tried again every minute`),
    ),
    ...(status.pendingErasuresWaitFor === null ? [] : [line('', `the last attempt failed: ${status.pendingErasuresWaitFor}`)]),
    line(
      'verification',
      chainAbsence(status.store) ??
        (lastVerification === null
          ? 'none yet'
          : `${lastVerification.state}, ${countedText(lastVerification.events, 'event')}, ${ageText(lastVerification.endedAt ?? lastVerification.startedAt, time)}${lastVerification.firstBreak === null ? '' : `: position ${lastVerification.firstBreak.position}, ${lastVerification.firstBreak.reason}${log.refusal === null ? ' (what stands there now fits: verify-log tells whether all does)' : ''}`}`),
    ),
    ...(job?.state === 'running' ? [line(job.kind, jobProgressLine(job))] : []),
  ];
};

export const status: Verb = {
  name: 'status',
  usage: '[--json]',
  summary: 'head, position, lag, rate, parked streams, sizes, versions, last backup and verification',
  async run({ reach, terminal }, args) {
    const { values } = parseArguments(args, { json: { type: 'boolean' } });
    const { client } = await reach();
    const answer = await ask(client, getOperationsStatus);
    for (const text of values.json === true ? jsonLines(answer) : statusLines(answer)) terminal.out(text);
    return 0;
  },
};
