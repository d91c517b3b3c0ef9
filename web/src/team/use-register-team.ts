import type { PublicTeam } from '@courtledger/contracts/team/team.answers';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, newKey } from '../lib/api-client.ts';
import { leavesOpen } from '../lib/leaves-open.rules.ts';
import { documentOrRefusal, photoBesideDocumentOrRefusal, photoOrRefusal } from '../lib/shrink-photo.ts';
import {
  emptyDraft,
  forgetDraft,
  forgetDraftFile,
  forgetOldDrafts,
  keepCompleted,
  keepDraftFile,
  readDraftFiles,
  type Draft,
  type DraftFiles,
  type DraftPart,
  type FileSlot,
} from './register-team-draft.ts';
import { emptyPlayer, waitingStep, type CoachFields, type PlayerFields, type Step, type TeamFields } from './register-team.rules.ts';
import { getTeam } from './team.data.ts';
import { useSharedDraft } from './use-shared-draft.ts';

const partOf: Record<FileSlot, DraftPart> = { logo: 'team', coachImage: 'coach', image: 'player', document: 'player' };
/** How the file of a slot is made ready: gives the file as it can be sent, or the text of its refusal. */
const preparedBy: Readonly<Record<FileSlot, (file: File) => Promise<File | string>>> = {
  logo: photoOrRefusal,
  coachImage: photoOrRefusal,
  image: photoBesideDocumentOrRefusal,
  document: documentOrRefusal,
};

/** What the server has accepted can only be looked at; so can all of a registration that may be complete. */
const isSaved = (draft: Draft, part: DraftPart): boolean =>
  (part === 'team' && draft.teamId !== undefined) || (part === 'coach' && draft.coachSaved) || draft.unanswered.includes('entry');
const stepOf = (draft: Draft): Step => waitingStep({ team: draft.teamId !== undefined, coach: draft.coachSaved });

/** 0: no answer, or none that the site understands. */
const statusOf = (error: unknown): number => (error instanceof ApiError ? error.status : 0);
const answered = (before: Draft, part: DraftPart): Draft => ({ ...before, unanswered: before.unanswered.filter((other) => other !== part) });
/** What is sent next is another thing than the one before. */
const withNewKey = (before: Draft, part: DraftPart): Draft => ({ ...before, keys: { ...before.keys, [part]: newKey() } });

export type Registration = {
  readonly draft: Draft;
  /** Another tab has completed this registration. */
  readonly completed: boolean;
  /** This browser keeps nothing of what was written. */
  readonly unkept: boolean;
  /** The draft as it is now, also when another tab wrote it a moment ago: what is sent is read from here. Undefined once another tab has completed it. */
  readonly current: () => Draft | undefined;
  readonly files: DraftFiles;
  /** Why a chosen file was not taken. */
  readonly refused: Readonly<Partial<Record<FileSlot, string | undefined>>>;
  /** Whether there is a file to send. Not where another one was chosen since and refused: what that was to replace is not saved for good. */
  readonly isChosen: (slot: FileSlot) => boolean;
  /** The files that are being made smaller: nothing can be sent meanwhile. */
  readonly shrinking: ReadonlySet<FileSlot>;
  readonly changeTeam: (change: Partial<TeamFields>) => void;
  readonly changeCoach: (change: Partial<CoachFields>) => void;
  readonly changePlayer: (change: Partial<PlayerFields>) => void;
  readonly chooseFile: (slot: FileSlot, file: File) => Promise<void>;
  /**
   * Sends a part, under its key. Until there is word of what became of it, it is unanswered. Throws what the command threw.
   * @param stored asked where the server refuses by what it has (409): what it has of this part
   */
  readonly send: <T>(part: DraftPart, key: string, command: () => Promise<T>, stored?: () => Promise<T | undefined>) => Promise<T>;
  /** What the server has of the team, without its phone numbers. */
  readonly readTeam: (teamId: string) => Promise<PublicTeam>;
  /** Step 1 was accepted as it was sent. */
  readonly teamSaved: (teamId: string, sent: TeamFields) => void;
  /** Step 2 was accepted as it was sent. */
  readonly coachSaved: (sent: CoachFields) => void;
  readonly playerAdded: (player: Draft['players'][number]) => void;
  /** The team has entered the tournament, under this key: forgets what was written, and leaves word of it for other tabs. */
  readonly complete: (entryKey: string) => Promise<void>;
  /** The server does not know the registration of this team any more. */
  readonly markLost: (teamId: string | undefined) => void;
  /** Another registration begins, with the texts and files of the one that is lost: nobody types them twice. */
  readonly startAgain: () => void;
};

/**
 * One registration as it is written: every change is kept at once, so that it survives a reload until it is sent. All tabs write the same one.
 * @param onStep another tab has brought the registration to this step
 */
export const useRegisterTeam = (tournamentId: string, onStep: (step: Step) => void): Registration => {
  const client = useQueryClient();
  const [files, setFiles] = useState<DraftFiles>({});
  const [refused, setRefused] = useState<Registration['refused']>({});
  const [shrinking, setShrinking] = useState<ReadonlySet<FileSlot>>(new Set());
  /** Counts what happened to the files here: what was read before is out of date. */
  const fileTurn = useRef(0);
  const gone = useRef(false);
  /** The file that was chosen last for each slot: one before it that is ready later is out of date. */
  const chosenLast = useRef<Partial<Record<FileSlot, File>>>({});

  const showFiles = (change: (before: DraftFiles) => DraftFiles): void => {
    fileTurn.current += 1;
    setFiles(change);
  };
  const loadFiles = useCallback(async (): Promise<void> => {
    for (;;) {
      const turn = fileTurn.current;
      const kept = await readDraftFiles(tournamentId);
      if (gone.current) return;
      if (turn !== fileTurn.current) continue;
      setFiles((chosen) => ({ ...chosen, ...kept }));
      return;
    }
  }, [tournamentId]);
  const { draft, completed, unkept, current, update, restart } = useSharedDraft(tournamentId, (before, now) => {
    const another = now.keys.entry !== before.keys.entry;
    if (another) showFiles(() => ({}));
    // The files of a player that was added are dropped by the tab that sent them.
    else if (now.players.length > before.players.length) showFiles((chosen) => ({ ...chosen, image: undefined, document: undefined }));
    if (another || now.filesChosen !== before.filesChosen || now.players.length > before.players.length) {
      // What was refused here is not what stands there now.
      setRefused({});
    }
    if (another || now.filesChosen !== before.filesChosen) void loadFiles();
    if (stepOf(now) !== stepOf(before)) onStep(stepOf(now));
  });
  useEffect(() => {
    gone.current = false;
    // Before files are read: those of an old registration are none of this one.
    void forgetOldDrafts(Date.now()).then(loadFiles);
    return () => {
      gone.current = true;
    };
  }, [loadFiles]);

  const write = (part: DraftPart, change: (before: Draft) => Draft): void => {
    update((before) => (isSaved(before, part) || before.unanswered.includes(part) ? before : change(before)));
  };
  const dropFile = (slot: FileSlot): void => {
    showFiles((kept) => ({ ...kept, [slot]: undefined }));
    void forgetDraftFile(tournamentId, slot);
  };

  return {
    draft,
    completed,
    unkept,
    current,
    files,
    refused,
    isChosen: (slot) => files[slot] !== undefined && refused[slot] === undefined,
    shrinking,
    changeTeam: (change) => {
      write('team', (before) => ({ ...before, team: { ...before.team, ...change } }));
    },
    changeCoach: (change) => {
      write('coach', (before) => ({ ...before, coach: { ...before.coach, ...change } }));
    },
    changePlayer: (change) => {
      write('player', (before) => ({ ...before, player: { ...before.player, ...change } }));
    },
    chooseFile: async (slot, file) => {
      const part = partOf[slot];
      const before = current();
      if (before === undefined) return;
      chosenLast.current[slot] = file;
      setShrinking((others) => new Set([...others, slot]));
      const ready = await preparedBy[slot](file);
      if (chosenLast.current[slot] !== file) return;
      const now = current();
      // Its step was saved or sent meanwhile, or the whole registration is another one.
      const late =
        now === undefined || isSaved(now, part) || (now.unanswered.includes(part) && !before.unanswered.includes(part)) || now.keys.entry !== before.keys.entry;
      // Kept before it is shown: what can be seen survives a reload.
      if (typeof ready !== 'string' && !late) await keepDraftFile(tournamentId, slot, ready);
      setShrinking((others) => new Set([...others].filter((other) => other !== slot)));
      if (late) return;
      if (typeof ready === 'string') {
        setRefused((others) => ({ ...others, [slot]: ready }));
        return;
      }
      setRefused((others) => ({ ...others, [slot]: undefined }));
      showFiles((kept) => ({ ...kept, [slot]: ready }));
      update((latest) => (isSaved(latest, part) ? latest : { ...latest, filesChosen: latest.filesChosen + 1 }));
    },
    send: async (part, key, command, stored) => {
      const again = current()?.unanswered.includes(part) === true;
      // Before it is sent: a reload loses the answer as well.
      update((before) => (before.unanswered.includes(part) ? before : { ...before, unanswered: [...before.unanswered, part] }));
      try {
        return await command().catch(async (error: unknown) => {
          const found = statusOf(error) === 409 ? await stored?.() : undefined;
          if (found === undefined) throw error;
          return found;
        });
      } catch (error) {
        const status = statusOf(error);
        if (!leavesOpen(status, again)) {
          update((before) => {
            // Another registration has begun meanwhile.
            if (before.keys[part] !== key) return before;
            // The server has something else under that key, or half of it.
            return status === 409 && part !== 'entry' ? withNewKey(answered(before, part), part) : answered(before, part);
          });
        }
        throw error;
      }
    },
    readTeam: (teamId) => client.fetchQuery({ ...getTeam(teamId), staleTime: 0 }),
    teamSaved: (teamId, sent) => {
      update((before) => (before.teamId === undefined ? { ...answered(before, 'team'), team: sent, teamId } : before));
    },
    coachSaved: (sent) => {
      update((before) => (before.coachSaved ? before : { ...answered(before, 'coach'), coach: sent, coachSaved: true, lost: false }));
    },
    playerAdded: ({ _id, name, mobileNumber, jerseyNumber, image }) => {
      // Sent from two tabs at once it is one player: the other tab may be further by now.
      if (current()?.players.some((player) => player._id === _id) !== false) return;
      update((before) =>
        withNewKey(
          { ...answered(before, 'player'), lost: false, player: emptyPlayer, players: [...before.players, { _id, name, mobileNumber, jerseyNumber, image }] },
          'player',
        ),
      );
      dropFile('image');
      dropFile('document');
    },
    complete: async (entryKey) => {
      // First: once the texts are gone, other tabs ask why.
      keepCompleted(tournamentId, entryKey);
      await forgetDraft(tournamentId);
      restart();
      showFiles(() => ({}));
      setRefused({});
    },
    markLost: (teamId) => {
      // Another tab may have begun again meanwhile.
      update((before) => (before.lost || before.teamId !== teamId ? before : { ...before, lost: true }));
    },
    startAgain: () => {
      update(({ team, coach, player, filesChosen }) => ({ ...emptyDraft(), team, coach, player, filesChosen }));
      onStep(1);
    },
  };
};
