import type { LogEvent } from '@courtledger/contracts/operations/operations.answers';

/** Events as people read them: one line an event. */

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

const short = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
};

/** Who recorded an event. */
export const actorText = ({ metadata }: LogEvent): string => {
  const actor = isRecord(metadata) ? metadata['actor'] : undefined;
  return isRecord(actor) ? `${String(actor['role'])} ${String(actor['name'])}` : 'nobody';
};

/** Position, time, stream, type, who, what happened, and the data in short; the id that the stream already says is left out. */
export const eventLine = (event: LogEvent): string => {
  const parts = isRecord(event.data) ? Object.entries(event.data).filter(([, value]) => typeof value !== 'string' || !event.stream.endsWith(value) || value === '').map(([name, value]) => `${name}=${short(value)}`) : [];
  return `${event.position.padStart(8)}  ${event.time}  ${event.stream}@${String(event.revision)}  ${event.type}  by ${actorText(event)}  ${event.what}${parts.length === 0 ? '' : `  ${parts.join(' ')}`}`;
};
