import { REGISTRATION_LIFETIME_MS } from '@courtledger/contracts/kernel/limits';
import type { AddedPlayer } from '@courtledger/contracts/player/player.answers';
import { newKey } from '../lib/api-client.ts';
import { draftPrefix, forget, keep, keptUnder, recall } from '../lib/storage.ts';
import { emptyCoach, emptyPlayer, emptyTeam, type CoachFields, type PlayerFields, type TeamFields } from './register-team.rules.ts';

/** What has been written of one registration, kept on this machine until it is sent: texts in local storage, files in IndexedDB. */
export type Draft = {
  readonly version: 2;
  /** When its day began, in milliseconds: as it was written last, and once step 1 was accepted, then. */
  readonly since: number;
  /** Set once step 1 was accepted. */
  readonly teamId: string | undefined;
  readonly coachSaved: boolean;
  /** The server does not know this registration any more: it can only be begun again. */
  readonly lost: boolean;
  readonly team: TeamFields;
  readonly coach: CoachFields;
  readonly player: PlayerFields;
  readonly players: readonly Pick<AddedPlayer, '_id' | 'name' | 'mobileNumber' | 'jerseyNumber' | 'image'>[];
  /** How often a file was chosen: tells other tabs to read the files again. */
  readonly filesChosen: number;
  /** Sent, and no word yet of what became of it: it stands as it was sent, in all tabs and after a reload. */
  readonly unanswered: readonly DraftPart[];
  /**
   * Idempotency keys: each names what it registers, whatever is changed of it before it is recorded, so that it is recorded once. That of the entry tells one
   * registration from the next as well.
   */
  readonly keys: Readonly<Record<DraftPart, string>>;
};
export type DraftPart = 'team' | 'coach' | 'player' | 'entry';
export type FileSlot = 'logo' | 'coachImage' | 'image' | 'document';
export type DraftFiles = Readonly<Partial<Record<FileSlot, File | undefined>>>;

export const emptyDraft = (): Draft => ({
  version: 2,
  since: Date.now(),
  teamId: undefined,
  coachSaved: false,
  lost: false,
  team: emptyTeam,
  coach: emptyCoach,
  player: emptyPlayer,
  players: [],
  filesChosen: 0,
  unanswered: [],
  keys: { team: newKey(), coach: newKey(), player: newKey(), entry: newKey() },
});

/** Where the texts of a tournament's registration are kept. */
export const draftKey = (tournamentId: string): string => `${draftPrefix}${tournamentId}`;

const completedKey = (tournamentId: string): string => `completed-registration-${tournamentId}`;

/** Keeps that the registration of this entry key was completed: another tab, also one that slept, can tell it from one that was given up. */
export const keepCompleted = (tournamentId: string, entryKey: string): void => {
  keep(completedKey(tournamentId), entryKey);
};

/** Whether the last registration that was completed on this machine is the one of this entry key. */
export const isCompleted = (tournamentId: string, entryKey: string): boolean => recall(completedKey(tournamentId)) === entryKey;

const isDraft = (value: unknown): value is Draft => typeof value === 'object' && value !== null && (value as { version?: unknown }).version === 2;

/** The draft that is kept; undefined where there is none, or none that can be read. */
export const readDraft = (tournamentId: string): Draft | undefined => {
  try {
    const kept: unknown = JSON.parse(recall(draftKey(tournamentId)) ?? 'null');
    return isDraft(kept) ? { ...emptyDraft(), ...kept } : undefined;
  } catch {
    return undefined;
  }
};

/** The draft to go on with. One whose day is over is none: the server knows the registration no more, and who sits here may be somebody else. */
export const openDraft = (tournamentId: string, now: number): Draft | undefined => {
  const kept = readDraft(tournamentId);
  // A clock that was ahead when it was written must not keep it longer.
  return kept && Math.abs(now - kept.since) < REGISTRATION_LIFETIME_MS ? kept : undefined;
};

/** Whether it is kept now: a full disk refuses it, a private window may. */
export const keepDraft = (tournamentId: string, draft: Draft): boolean => keep(draftKey(tournamentId), JSON.stringify(draft));

const slots = ['logo', 'coachImage', 'image', 'document'] as const satisfies readonly FileSlot[];
const fileStore = 'files';

/**
 * How long the browser may take, in milliseconds: some releases of Safari do not answer before the page is loaded anew, and nothing that was chosen is sent as
 * long as it is waited for.
 */
const openPatience = 3000;

const openFiles = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open('team-registrations', 1);
    const patience = setTimeout(() => {
      reject(new Error('Files cannot be kept'));
    }, openPatience);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(fileStore);
    });
    request.addEventListener('success', () => {
      clearTimeout(patience);
      resolve(request.result);
    });
    request.addEventListener('error', () => {
      clearTimeout(patience);
      reject(new Error('Files cannot be kept'));
    });
  });

/** Runs one step on the files; where the browser keeps none (a private window), nothing is kept and nothing fails. */
const withFiles = async <T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> => {
  try {
    // Where it may not even be asked for, that throws.
    if (typeof indexedDB === 'undefined') return undefined;
    const database = await openFiles();
    try {
      return await new Promise<T>((resolve, reject) => {
        const transaction = database.transaction(fileStore, mode);
        const request = act(transaction.objectStore(fileStore));
        transaction.addEventListener('complete', () => {
          resolve(request.result);
        });
        transaction.addEventListener('abort', () => {
          reject(new Error('Files cannot be kept'));
        });
      });
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
};

const fileKey = (tournamentId: string, slot: FileSlot): string => `${tournamentId}/${slot}`;

export const readDraftFiles = async (tournamentId: string): Promise<DraftFiles> => {
  const found: Partial<Record<FileSlot, File>> = {};
  await Promise.all(
    slots.map(async (slot) => {
      const file: unknown = await withFiles<unknown>('readonly', (store) => store.get(fileKey(tournamentId, slot)) as IDBRequest<unknown>);
      if (file instanceof File) found[slot] = file;
    }),
  );
  return found;
};

export const keepDraftFile = async (tournamentId: string, slot: FileSlot, file: File): Promise<void> => {
  await withFiles('readwrite', (store) => store.put(file, fileKey(tournamentId, slot)));
};

export const forgetDraftFile = async (tournamentId: string, slot: FileSlot): Promise<void> => {
  await withFiles('readwrite', (store) => store.delete(fileKey(tournamentId, slot)));
};

/** After the registration was sent, or given up: nothing that was written stays on this machine. */
export const forgetDraft = async (tournamentId: string): Promise<void> => {
  // The texts last: once they are gone, other tabs begin anew and read the files again.
  await Promise.all(slots.map(async (slot) => forgetDraftFile(tournamentId, slot)));
  forget(draftKey(tournamentId));
};

/** Stands in place of texts whose files are still to go: where that is interrupted, the next time finds it. */
const emptied = 'null';

/** Forgets what is left of registrations whose day is over, of whatever tournament. */
export const forgetOldDrafts = async (now: number): Promise<void> => {
  const old = keptUnder(draftPrefix).filter((tournamentId) => openDraft(tournamentId, now) === undefined);
  // The texts at once: one that begins now must not find them.
  for (const tournamentId of old) keep(draftKey(tournamentId), emptied);
  for (const tournamentId of old) {
    for (const slot of slots) await forgetDraftFile(tournamentId, slot);
    if (recall(draftKey(tournamentId)) === emptied) forget(draftKey(tournamentId));
  }
};
