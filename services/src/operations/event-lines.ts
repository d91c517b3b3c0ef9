import { graphemesOf } from '@courtledger/contracts/kernel/graphemes';
import type { LogEvent } from '@courtledger/contracts/operations/operations.answers';

/** Events as people read them: one line an event. */

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

const short = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length <= 40) return text;
  const characters = graphemesOf(text);
  return characters.length > 40 ? `${characters.slice(0, 39).join('')}…` : text;
};

/** Why somebody did it: told whole, as everywhere. */
const reasons: ReadonlySet<string> = new Set(['reason', 'note']);

/** Who recorded an event. What another program wrote into the same EventStoreDB has metadata of its own, or none. */
export const actorText = ({ metadata }: Pick<LogEvent, 'metadata'>): string => {
  const actor = isRecord(metadata) ? metadata['actor'] : undefined;
  const { role, name } = isRecord(actor) ? actor : {};
  return typeof role === 'string' && typeof name === 'string' ? `${role} ${name}` : 'nobody known';
};

/** Position, time, stream, type, who, what happened, and the data in short; the id that the stream already says is left out. */
export const eventLine = (event: LogEvent): string => {
  const parts = isRecord(event.data)
    ? Object.entries(event.data)
        .filter(([, value]) => typeof value !== 'string' || !event.stream.endsWith(value) || value === '')
        .map(([name, value]) => `${name}=${reasons.has(name) && typeof value === 'string' ? value : short(value)}`)
    : [];
  return `${event.position.padStart(8)}  ${event.time}  ${event.stream}@${String(event.revision)}  ${event.type}  by ${actorText(event)}  ${event.what}${parts.length === 0 ? '' : `  ${parts.join(' ')}`}`;
};
