import type { OperationsStatus } from '@courtledger/contracts/operations/operations.answers';
import { getOperationsStatus } from '@courtledger/contracts/operations/operations.api';
import { parseArguments } from '../arguments.ts';
import { ask } from '../ask.ts';
import { ageText, bytesText, countText, secondsText } from '../figures.ts';
import { jobProgressLine } from '../read-model-lines.ts';
import type { Verb } from '../verb.ts';

const line = (name: string, text: string): string => `${name.padEnd(13)} ${text}`;

/** The state of a node as lines. */
export const statusLines = (status: OperationsStatus): readonly string[] => {
  const { log, readModel, sizes, job, lastBackup, lastVerification, time } = status;
  return [
    line('log', `${status.store}, head ${log.head}, ${log.refusal === null ? 'takes writes' : `REFUSES WRITES: ${log.refusal}`}`),
    ...(log.writeAheadBytes === null ? [] : [line('', `write-ahead log ${bytesText(log.writeAheadBytes)}${log.writeAheadAlarm ? ' (ALARM: a reader keeps it open)' : ''}`)]),
    line('read model', `${readModel.file} at ${readModel.position}, ${readModel.lagEvents === 0 && !readModel.lagMore ? 'up to date' : `${countText(readModel.lagEvents)}${readModel.lagMore ? ' or more' : ''} events (${secondsText(readModel.lagSeconds)}) behind`}, ${countText(readModel.ratePerSecond)} events/s`),
    ...(readModel.error === null ? [] : [line('', `DOES NOT MOVE: ${readModel.error}`)]),
    line('', `projections ${readModel.version}`),
    ...readModel.files.map(({ file, bytes, role }) => line('', `${file}  ${bytesText(bytes)}  ${role}`)),
    line('parked', readModel.parked.length === 0 ? 'none' : `${countText(readModel.parked.length)} streams`),
    ...readModel.parked.map(({ stream, events, position, type, error }) => line('', `${stream}: ${countText(events)} events from position ${position} (${type}): ${error}`)),
    line('sizes', `log ${bytesText(sizes.log)}, read models ${bytesText(sizes.readModels)}, media ${bytesText(sizes.media)}, documents ${bytesText(sizes.documents)}, keys ${bytesText(sizes.keys)}, refusals ${bytesText(sizes.refusals)}, free ${bytesText(sizes.freeDisk)}`),
    line('backup', lastBackup === null ? 'NONE YET' : `${lastBackup.state}, ${ageText(lastBackup.endedAt ?? lastBackup.startedAt, time)}, ${lastBackup.folder}${lastBackup.error === null ? '' : `: ${lastBackup.error}`}`),
    line('verification', lastVerification === null ? 'none yet' : `${lastVerification.state}, ${countText(lastVerification.events)} events, ${ageText(lastVerification.endedAt ?? lastVerification.startedAt, time)}${lastVerification.firstBreak === null ? '' : `: position ${lastVerification.firstBreak.position}, ${lastVerification.firstBreak.reason}`}`),
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
    if (values.json === true) terminal.out(JSON.stringify(answer, null, 1));
    else for (const text of statusLines(answer)) terminal.out(text);
    return 0;
  },
};
