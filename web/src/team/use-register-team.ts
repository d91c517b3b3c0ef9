import { DOCUMENT_BYTES } from '@courtledger/contracts/kernel/limits';
import { fieldTexts } from '@courtledger/contracts/kernel/texts';
import { useEffect, useRef, useState } from 'react';
import { newKey } from '../lib/api-client.ts';
import { shrinkPhoto } from '../lib/shrink-photo.ts';
import { emptyDraft, forgetDraft, forgetDraftFile, keepDraft, keepDraftFile, readDraft, readDraftFiles, type Draft, type DraftFiles, type DraftPart, type FileSlot } from './register-team-draft.ts';
import { emptyPlayer, type CoachFields, type PlayerFields, type TeamFields } from './register-team.rules.ts';

const partOf: Record<FileSlot, DraftPart> = { logo: 'team', coachImage: 'coach', image: 'player', document: 'player' };
const documentTypes = new Set(['application/pdf', 'image/jpeg', 'image/png']);
const longDocumentEdge = 2400;

/** The file as it can be sent, or the text of its refusal. */
const prepare = async (slot: FileSlot, file: File): Promise<File | string> => {
  if (slot !== 'document') return (await shrinkPhoto(file)) ?? fieldTexts.smallImage;
  if (documentTypes.has(file.type) && file.size <= DOCUMENT_BYTES) return file;
  // A photo of a document from a phone: too large, or in a format of its own.
  return (file.type.startsWith('image/') && (await shrinkPhoto(file, DOCUMENT_BYTES, longDocumentEdge))) || fieldTexts.idDocumentRefused;
};

/** What would be sent has changed: it is another command. */
const withNewKey = (before: Draft, part: DraftPart): Draft => ({ ...before, keys: { ...before.keys, [part]: newKey() } });

export type Registration = {
  readonly draft: Draft;
  readonly files: DraftFiles;
  /** Why a chosen file was not taken. */
  readonly refused: Readonly<Partial<Record<FileSlot, string | undefined>>>;
  /** The files that are being made smaller: nothing can be sent meanwhile. */
  readonly shrinking: ReadonlySet<FileSlot>;
  readonly changeTeam: (change: Partial<TeamFields>) => void;
  readonly changeCoach: (change: Partial<CoachFields>) => void;
  readonly changePlayer: (change: Partial<PlayerFields>) => void;
  readonly chooseFile: (slot: FileSlot, file: File) => Promise<void>;
  readonly teamSaved: (teamId: string) => void;
  readonly coachSaved: () => void;
  readonly playerAdded: (player: Draft['players'][number]) => void;
  /** Forgets everything that was written. */
  readonly discard: () => Promise<void>;
};

/** One registration as it is written: every change is kept at once, so that it survives a reload until it is sent. */
export const useRegisterTeam = (tournamentId: string): Registration => {
  const [draft, setDraft] = useState(() => readDraft(tournamentId));
  const [files, setFiles] = useState<DraftFiles>({});
  const [refused, setRefused] = useState<Registration['refused']>({});
  const [shrinking, setShrinking] = useState<ReadonlySet<FileSlot>>(new Set());
  const latest = useRef(draft);

  useEffect(() => {
    let gone = false;
    const load = async (): Promise<void> => {
      const kept = await readDraftFiles(tournamentId);
      // What was chosen while the kept files were read is newer.
      if (!gone) setFiles((chosen) => ({ ...kept, ...chosen }));
    };
    void load();
    return () => {
      gone = true;
    };
  }, [tournamentId]);

  const update = (change: (before: Draft) => Draft): void => {
    latest.current = change(latest.current);
    keepDraft(tournamentId, latest.current);
    setDraft(latest.current);
  };
  const dropFile = (slot: FileSlot): void => {
    setFiles((kept) => ({ ...kept, [slot]: undefined }));
    void forgetDraftFile(tournamentId, slot);
  };

  return {
    draft,
    files,
    refused,
    shrinking,
    changeTeam: (change) => {
      update((before) => withNewKey({ ...before, team: { ...before.team, ...change } }, 'team'));
    },
    changeCoach: (change) => {
      update((before) => withNewKey({ ...before, coach: { ...before.coach, ...change } }, 'coach'));
    },
    changePlayer: (change) => {
      update((before) => withNewKey({ ...before, player: { ...before.player, ...change } }, 'player'));
    },
    chooseFile: async (slot, file) => {
      setShrinking((before) => new Set([...before, slot]));
      const ready = await prepare(slot, file);
      // Kept before it is shown: what can be seen survives a reload.
      if (typeof ready !== 'string') await keepDraftFile(tournamentId, slot, ready);
      setShrinking((before) => new Set([...before].filter((other) => other !== slot)));
      if (typeof ready === 'string') {
        setRefused((before) => ({ ...before, [slot]: ready }));
        return;
      }
      setRefused((before) => ({ ...before, [slot]: undefined }));
      setFiles((kept) => ({ ...kept, [slot]: ready }));
      update((before) => withNewKey(before, partOf[slot]));
    },
    teamSaved: (teamId) => {
      update((before) => ({ ...before, teamId }));
    },
    coachSaved: () => {
      update((before) => ({ ...before, coachSaved: true }));
    },
    playerAdded: ({ _id, name, mobileNumber, jerseyNumber, image }) => {
      update((before) => withNewKey({ ...before, player: emptyPlayer, players: [...before.players, { _id, name, mobileNumber, jerseyNumber, image }] }, 'player'));
      dropFile('image');
      dropFile('document');
    },
    discard: async () => {
      await forgetDraft(tournamentId);
      latest.current = emptyDraft();
      setDraft(latest.current);
      setFiles({});
      setRefused({});
    },
  };
};
