import { DOCUMENT_BYTES } from '@courtledger/contracts/kernel/limits';
import { fieldTexts } from '@courtledger/contracts/kernel/texts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { newKey } from '../lib/api-client.ts';
import { photoOrRefusal, preparePhoto } from '../lib/shrink-photo.ts';
import { emptyDraft, forgetDraft, forgetDraftFile, forgetOldDrafts, keepCompleted, keepDraftFile, readDraftFiles, type Draft, type DraftFiles, type DraftPart, type FileSlot } from './register-team-draft.ts';
import { emptyPlayer, waitingStep, type CoachFields, type PlayerFields, type Step, type TeamFields } from './register-team.rules.ts';
import { useSharedDraft } from './use-shared-draft.ts';

const partOf: Record<FileSlot, DraftPart> = { logo: 'team', coachImage: 'coach', image: 'player', document: 'player' };
const pdf = 'application/pdf';
const longDocumentEdge = 2400;

/** The file as it can be sent, or the text of its refusal. */
const prepare = async (slot: FileSlot, file: File): Promise<File | string> => {
  if (slot !== 'document') return photoOrRefusal(file);
  if (file.type === pdf) return file.size <= DOCUMENT_BYTES ? file : fieldTexts.idDocumentTooLarge;
  // A photo of a document from a phone: too large, or in a format of its own.
  const prepared = await preparePhoto(file, DOCUMENT_BYTES, longDocumentEdge);
  if (prepared.kind === 'ready') return prepared.file;
  return prepared.kind === 'too large' ? fieldTexts.idDocumentTooLarge : fieldTexts.idDocumentRefused;
};

/** What the server has accepted can only be looked at. */
const isSaved = (draft: Draft, part: DraftPart): boolean => (part === 'team' && draft.teamId !== undefined) || (part === 'coach' && draft.coachSaved);
const stepOf = (draft: Draft): Step => waitingStep({ team: draft.teamId !== undefined, coach: draft.coachSaved });

/** What would be sent has changed: it is another command. */
const withNewKey = (before: Draft, part: DraftPart): Draft => ({ ...before, keys: { ...before.keys, [part]: newKey() } });

export type Registration = {
  readonly draft: Draft;
  /** Another tab has completed this registration. */
  readonly completed: boolean;
  /** The draft as it is now, also when another tab wrote it a moment ago: what is sent is read from here. Undefined once another tab has completed it. */
  readonly current: () => Draft | undefined;
  readonly files: DraftFiles;
  /** Why a chosen file was not taken. */
  readonly refused: Readonly<Partial<Record<FileSlot, string | undefined>>>;
  /** The files that are being made smaller: nothing can be sent meanwhile. */
  readonly shrinking: ReadonlySet<FileSlot>;
  readonly changeTeam: (change: Partial<TeamFields>) => void;
  readonly changeCoach: (change: Partial<CoachFields>) => void;
  readonly changePlayer: (change: Partial<PlayerFields>) => void;
  readonly chooseFile: (slot: FileSlot, file: File) => Promise<void>;
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
  const { draft, completed, current, update, restart } = useSharedDraft(tournamentId, (before, now) => {
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
    update((before) => (isSaved(before, part) ? before : withNewKey(change(before), part)));
  };
  const dropFile = (slot: FileSlot): void => {
    showFiles((kept) => ({ ...kept, [slot]: undefined }));
    void forgetDraftFile(tournamentId, slot);
  };

  return {
    draft,
    completed,
    current,
    files,
    refused,
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
      const entry = current()?.keys.entry;
      if (entry === undefined) return;
      chosenLast.current[slot] = file;
      setShrinking((before) => new Set([...before, slot]));
      const ready = await prepare(slot, file);
      if (chosenLast.current[slot] !== file) return;
      const now = current();
      // Its step was saved meanwhile, or the whole registration is another one.
      const late = now === undefined || isSaved(now, part) || now.keys.entry !== entry;
      // Kept before it is shown: what can be seen survives a reload.
      if (typeof ready !== 'string' && !late) await keepDraftFile(tournamentId, slot, ready);
      setShrinking((before) => new Set([...before].filter((other) => other !== slot)));
      if (late) return;
      if (typeof ready === 'string') {
        setRefused((before) => ({ ...before, [slot]: ready }));
        return;
      }
      setRefused((before) => ({ ...before, [slot]: undefined }));
      showFiles((kept) => ({ ...kept, [slot]: ready }));
      write(part, (before) => ({ ...before, filesChosen: before.filesChosen + 1 }));
    },
    teamSaved: (teamId, sent) => {
      update((before) => (before.teamId === undefined ? { ...before, team: sent, teamId } : before));
    },
    coachSaved: (sent) => {
      update((before) => (before.coachSaved ? before : { ...before, coach: sent, coachSaved: true, lost: false }));
    },
    playerAdded: ({ _id, name, mobileNumber, jerseyNumber, image }) => {
      // Sent from two tabs at once it is one player: the other tab may be further by now.
      if (current()?.players.some((player) => player._id === _id) !== false) return;
      update((before) => withNewKey({ ...before, lost: false, player: emptyPlayer, players: [...before.players, { _id, name, mobileNumber, jerseyNumber, image }] }, 'player'));
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
