import type { Actor } from '@courtledger/contracts/kernel/event';
import type { EventLog } from '../../event-log/event-log.ts';
import { openMemoryEventLog } from '../../event-log/memory-event-log.ts';
import type { CommandContext } from '../call.ts';
import { createCommandHandler, type CommandHandler, type Projection } from '../command-handler.ts';
import { createEventIds } from '../event-ids.ts';

export const testAdmin: Actor = { role: 'admin', id: 'admin-1', name: 'Asha' };
export const testTime = '2026-11-21T06:00:00.000Z';

let commands = 0;
/** A context: keyed when a key is given (the command id then is the key), else a command that nobody can repeat. */
export const testContext = (key?: string, fingerprint = 'body'): CommandContext => {
  commands += 1;
  return {
    commandId: key ?? `command-${String(commands)}`,
    keyed: key !== undefined,
    fingerprint: key === undefined ? '' : fingerprint,
    correlationId: 'request-1',
    actor: testAdmin,
    time: testTime,
  };
};

export const everythingProjected: Projection = { waitFor: () => true };

/** A handler over a log of its own (or the one given). `soleWriter` false: as when other gateways write too. */
export const testHandler = (
  log: EventLog = openMemoryEventLog(),
  { soleWriter = true, projection = everythingProjected, streams = 1000, mostUnderWay = 2000 } = {},
): { log: EventLog; handler: CommandHandler } => {
  let now = Date.parse(testTime);
  const handler = createCommandHandler({
    log,
    projection,
    newId: createEventIds({ now: () => (now += 1) }),
    soleWriter,
    limits: { streams, events: 1_000_000 },
    mostUnderWay,
  });
  return { log, handler };
};
