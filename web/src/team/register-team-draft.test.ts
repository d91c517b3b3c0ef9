import { REGISTRATION_LIFETIME_MS } from '@courtledger/contracts/kernel/limits';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { emptyDraft, forgetDraft, forgetOldDrafts, keepDraft, keepDraftFile, openDraft, readDraft, readDraftFiles } from './register-team-draft.ts';

const now = Date.parse('2026-11-21T10:00:00Z');
const team = { name: 'Dharan Dukes', origin: 'Dharan', teamPrimaryNumber: '9841023776' };
const keptSince = (tournamentId: string, since: number): void => {
  keepDraft(tournamentId, { ...emptyDraft(), team, since });
};
const document = new File(['%PDF'], 'citizenship.pdf', { type: 'application/pdf' });

/** Has happened by the next turn. */
const told = <T extends object>(type: string, more: T): EventTarget & T => {
  const target = new EventTarget();
  queueMicrotask(() => target.dispatchEvent(new Event(type)));
  return Object.assign(target, more);
};
/** An IndexedDB with one store. */
const stubFiles = (): Map<unknown, File> => {
  const files = new Map<unknown, File>();
  const store = {
    get: (key: unknown) => ({ result: files.get(key) }),
    put: (file: File, key: unknown) => ({ result: files.set(key, file) }),
    delete: (key: unknown) => ({ result: files.delete(key) }),
  };
  vi.stubGlobal('indexedDB', {
    open: () => told('success', { result: { close: () => {}, transaction: () => told('complete', { objectStore: () => store }) } }),
  });
  return files;
};

beforeEach(() => {
  localStorage.clear();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it.each([
  ['a moment before its day is over', REGISTRATION_LIFETIME_MS - 1, true],
  ['once its day is over', REGISTRATION_LIFETIME_MS, false],
  ['by a clock that was a day ahead when it was written', -REGISTRATION_LIFETIME_MS, false],
])('a draft is gone on with %s: %j', (_, age, isGoneOnWith) => {
  keptSince('t1', now - age);
  expect(openDraft('t1', now) !== undefined).toBe(isGoneOnWith);
});

it('files are kept nowhere, and nothing fails, where the browser does not even let them be asked for', async () => {
  Object.defineProperty(globalThis, 'indexedDB', {
    configurable: true,
    get: () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    },
  });
  onTestFinished(() => {
    Reflect.deleteProperty(globalThis, 'indexedDB');
  });
  await keepDraftFile('t1', 'document', document);
  expect(await readDraftFiles('t1')).toEqual({});
});

it('files are kept nowhere, and nothing waits for them for ever, where the browser never answers', async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  vi.stubGlobal('indexedDB', { open: () => new EventTarget() });
  const ends: unknown[] = [];
  for (const asked of [keepDraftFile('t1', 'document', document), readDraftFiles('t1'), forgetDraft('t1')]) void asked.then((end) => ends.push(end));
  await vi.advanceTimersByTimeAsync(2999);
  expect(ends).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ends).toEqual([undefined, {}, undefined]);
});

describe('what is left of registrations whose day is over', () => {
  it('is forgotten, of every tournament: texts and files; of the others nothing', async () => {
    const files = stubFiles();
    for (const [tournamentId, since] of [
      ['old', now - REGISTRATION_LIFETIME_MS],
      ['older', 0],
      ['young', now - 1],
    ] as const) {
      keptSince(tournamentId, since);
      await keepDraftFile(tournamentId, 'document', document);
    }
    localStorage.setItem('team-registration-unreadable', '{"version":1,"team":{"name":"Kings"}}');
    localStorage.setItem('completed-registration-old', 'k');
    await forgetOldDrafts(now);
    expect([Object.keys(localStorage).toSorted(), [...files.keys()]]).toEqual([['completed-registration-old', 'team-registration-young'], ['young/document']]);
    expect(await readDraftFiles('young')).toEqual({ document });
  });

  it('is gone from the texts at once, and its files go the next time where this one was interrupted', async () => {
    keptSince('old', 0);
    const files = stubFiles();
    await keepDraftFile('old', 'document', document);
    vi.stubGlobal('indexedDB', { open: () => new EventTarget() });
    void forgetOldDrafts(now);
    expect([JSON.stringify(localStorage).includes('Dharan'), readDraft('old')]).toEqual([false, undefined]);
    vi.unstubAllGlobals();
    const left = stubFiles();
    for (const [key, file] of files) left.set(key, file);
    await forgetOldDrafts(now);
    expect([localStorage.length, left.size]).toEqual([0, 0]);
  });

  it('takes nothing of one that begins meanwhile', async () => {
    keptSince('t1', 0);
    stubFiles();
    const forgetting = forgetOldDrafts(now);
    keptSince('t1', now);
    await forgetting;
    expect(readDraft('t1')?.since).toBe(now);
  });
});
