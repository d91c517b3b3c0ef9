import { DomainError } from '@courtledger/contracts/kernel/errors';
import { expect, it } from 'vitest';
import { openMemoryEventLog } from '../event-log/memory-event-log.ts';
import { systemContext } from './command-context.ts';
import { createCommandHandler } from './command-handler.ts';
import { createErasures } from './erasure.ts';
import type { Erasure } from './erasure-ledger.ts';

const unused = (): never => {
  throw new Error('not needed here');
};

/** An erasure that ended, and a log that may know of the person but not of the erasure. */
const open = ({ isKnown, isShown = false, fails }: { readonly isKnown: boolean; readonly isShown?: boolean; readonly fails?: () => boolean }) => {
  const log = openMemoryEventLog();
  let refusal: string | undefined;
  const done: string[] = [];
  const ledger: readonly (Erasure & { readonly finished: boolean })[] = [
    {
      personId: 'p1',
      kind: 'coach',
      reason: 'Asked for it',
      time: '2026-03-04T05:06:07.000Z',
      by: { role: 'superadmin', id: 'root', name: 'Root' },
      finished: true,
    },
  ];
  let id = 0;
  const newId = (): string => `00000000-0000-7000-8000-${String((id += 1)).padStart(12, '0')}`;
  const erasures = createErasures({
    log,
    commands: createCommandHandler({ log, projection: { waitFor: () => true }, newId, soleWriter: true }),
    vault: {
      seal: unused,
      open: () => null,
      sealBytes: unused,
      openBytes: () => null,
      keysDurable: async () => undefined,
      refusal: () => undefined,
      mustKnow: () => undefined,
      settle: () => undefined,
      destroy: () => undefined,
      state: () => 'destroyed',
      close: () => undefined,
    },
    documents: { remove: unused },
    media: { remove: unused },
    ledger: { begin: () => undefined, ask: () => undefined, finish: () => undefined, all: () => ledger },
    kindOf: () => (isKnown ? 'coach' : undefined),
    isShown: () => isShown && !done.includes('hidden'),
    // As of a read model that has not come to the fact yet.
    erasedAfter: () => [],
    refusal: () => refusal,
    isStrange: () => false,
    place: 'here',
    waiting: () => undefined,
    hide: async () => void done.push('hidden'),
    forgetCopies: async () => {
      if (fails?.() === true) throw new Error('The read model is being read');
      done.push('written anew');
    },
    forgetSetAside: async () => undefined,
    failed: () => undefined,
  });
  const asked: string[] = [];
  const readStream = log.readStream.bind(log);
  log.readStream = async (stream, ...range) => {
    asked.push(stream);
    return readStream(stream, ...range);
  };
  return {
    erasures,
    done,
    asked,
    /** A fact of the person that only another release reads. */
    bringBack: async () =>
      log.append('person-p1', 'any', [
        {
          id: newId(),
          type: 'PersonDetailsRecorded',
          data: { kind: 'coach' },
          metadata: {
            commandId: 'c',
            causationId: 'c',
            correlationId: 'c',
            actor: { role: 'system', id: 'system', name: 'System' },
            schemaVersion: 9,
            time: '2026-01-01T00:00:00.000Z',
          },
        },
      ]),
    legible: async () => (await readStream('person-p1'))?.length ?? 0,
    refuse: (reason: string | undefined): void => {
      refusal = reason;
    },
    context: () => systemContext(newId, { now: () => Date.parse('2026-11-22T00:00:00.000Z'), monotonic: () => 0 }),
    facts: async () => (await log.readAll('start', 100)).map(({ stream, type, metadata }) => [stream, type, metadata.actor.id]),
  };
};
const fact = ['audit-2026-03', 'PersonErased', 'root'];

it('whoever asks for an erasure whose fact the log has lost is told that it waits while the log refuses, and has it recorded once', async () => {
  const { erasures, context, facts, refuse, done } = open({ isKnown: true });
  expect(erasures.pending()).toEqual([]);
  refuse('The event log does not answer: it is starting');
  await expect(erasures.erase('p1', 'Again', context())).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The erasure is not in this log, and is recorded in it by itself: the log takes no writes. The event log does not answer: it is starting',
  });
  expect([erasures.pending(), await facts(), await erasures.finishPending(context)]).toEqual([['p1'], [], 0]);
  refuse(undefined);
  const { kind, already, outcome } = await erasures.erase('p1', 'Again', context());
  expect([kind, already, outcome?.events.length, await facts(), erasures.pending()]).toEqual(['coach', false, 1, [fact], []]);
  expect(await erasures.erase('p1', 'Again', context())).toEqual({ kind: 'coach', already: true, filesUnknown: false, outcome: undefined });
  expect([await erasures.finishPending(context), await facts(), done]).toEqual([0, [fact], []]);
});

it('a start that could not record it leaves it to the next minute', async () => {
  const { erasures, context, facts, refuse } = open({ isKnown: true });
  refuse('The disk is full');
  expect([await erasures.replay(context), erasures.pending(), erasures.waitsFor()]).toEqual([
    0,
    ['p1'],
    'The erasure is not in the log yet: the log takes no writes. The disk is full',
  ]);
  refuse(undefined);
  expect([await erasures.finishPending(context), await facts(), erasures.pending(), erasures.waitsFor()]).toEqual([1, [fact], [], undefined]);
});

it('a person whom an old read model shows is taken from it first', async () => {
  let isRead = true;
  const { erasures, context, facts, done } = open({ isKnown: true, isShown: true, fails: () => isRead });
  expect([await erasures.replay(context), await facts(), erasures.pending()]).toEqual([0, [], ['p1']]);
  isRead = false;
  done.length = 0;
  expect([await erasures.finishPending(context), await facts(), done, erasures.pending()]).toEqual([1, [fact], ['hidden', 'written anew'], []]);
});

it('a log that does not know the person gets no fact', async () => {
  const { erasures, context, facts } = open({ isKnown: false });
  expect([await erasures.replay(context), erasures.pending(), (await erasures.erase('p1', 'Again', context())).already, await facts()]).toEqual([
    0,
    [],
    true,
    [],
  ]);
  await expect(erasures.erase('p2', 'Asked for it', context())).rejects.toBeInstanceOf(DomainError);
});

it('a log that holds what this release cannot read of the person, whom the read model does not know, loses it at the start; it is asked once', async () => {
  const { erasures, context, facts, bringBack, legible, asked } = open({ isKnown: false });
  await bringBack();
  expect([
    await legible(),
    await erasures.replay(context),
    await legible(),
    (await facts()).filter(([, type]) => type === 'PersonErased'),
    erasures.pending(),
  ]).toEqual([1, 1, 0, [fact], []]);
  asked.length = 0;
  expect([await erasures.finishPending(context), await erasures.finishPending(context), asked]).toEqual([0, 0, []]);
});

it('and when somebody asks for the erasure', async () => {
  const { erasures, context, facts, bringBack, legible } = open({ isKnown: false });
  expect(await erasures.replay(context)).toBe(0);
  await bringBack();
  const { already } = await erasures.erase('p1', 'Again', context());
  expect([already, await legible(), (await facts()).filter(([, type]) => type === 'PersonErased'), erasures.pending()]).toEqual([false, 0, [fact], []]);
});

it("a name that no stream can have is nobody's", async () => {
  const { erasures, context, facts } = open({ isKnown: false });
  for (const personId of ['x'.repeat(201), 'a\r\nb', '\ud800'])
    await expect(erasures.erase(personId, 'Asked for it', context())).rejects.toMatchObject({ code: 'not-found', message: 'There is no such person' });
  expect([erasures.pending(), await facts()]).toEqual([[], []]);
});
