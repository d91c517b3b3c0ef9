import { useEffect, useRef, useState } from 'react';
import { draftKey, emptyDraft, isCompleted, keepDraft, openDraft, readDraft, type Draft } from './register-team-draft.ts';

/** What is known of the draft on this machine: none was seen yet, one is kept, or it could not be kept and lives in this page alone. */
type Standing = 'new' | 'kept' | 'refused';

export type SharedDraft = {
  readonly draft: Draft;
  /** It was completed elsewhere, in another tab or by the wizard that was left: it is over here too, and nothing of it can be changed or sent. */
  readonly completed: boolean;
  /** What was written last could not be kept: it lives in this page alone. */
  readonly unkept: boolean;
  /** The draft as it is now, whichever tab wrote it last; undefined once it was completed elsewhere. */
  readonly current: () => Draft | undefined;
  /** Changes the draft as it is now and keeps it; a change that returns what it was given changes nothing. */
  readonly update: (change: (before: Draft) => Draft) => void;
  /** The draft was forgotten here: another one begins. */
  readonly restart: () => void;
};

/**
 * The browser tells other tabs alone. What was on its way when the wizard was left ends in the one that is gone, and the one that was opened since has to hear
 * of it.
 */
const tellThisTab = (tournamentId: string): void => {
  window.dispatchEvent(new StorageEvent('storage', { key: draftKey(tournamentId) }));
};

/**
 * The draft of one registration, one and the same in all tabs: what another tab writes is taken over at once, and it is read again before
 * each change, so that a tab that slept never writes over a step that was saved elsewhere.
 * @param onTakenOver another tab has written `now`; this one stood at `before`
 */
export const useSharedDraft = (tournamentId: string, onTakenOver: (before: Draft, now: Draft) => void): SharedDraft => {
  const [found] = useState(() => openDraft(tournamentId, Date.now()));
  const [draft, setDraft] = useState(() => found ?? emptyDraft());
  const latest = useRef(draft);
  const [completed, setCompleted] = useState(false);
  const over = useRef(false);
  const standing = useRef<Standing>(found === undefined ? 'new' : 'kept');
  const [unkept, setUnkept] = useState(false);
  const takenOver = useRef(onTakenOver);
  useEffect(() => {
    takenOver.current = onTakenOver;
  });

  const show = (now: Draft): void => {
    latest.current = now;
    setDraft(now);
  };
  const current = (): Draft | undefined => {
    if (over.current) return undefined;
    const before = latest.current;
    // What could not be kept is newer than what still is.
    if (standing.current === 'refused') return before;
    const kept = readDraft(tournamentId);
    if (kept === undefined && standing.current === 'new') return before;
    standing.current = kept === undefined ? 'new' : 'kept';
    if (kept !== undefined && JSON.stringify(kept) === JSON.stringify(before)) return before;
    if (kept?.keys.entry !== before.keys.entry && isCompleted(tournamentId, before.keys.entry)) {
      over.current = true;
      setCompleted(true);
      return undefined;
    }
    // Gone: it was given up.
    const now = kept ?? emptyDraft();
    show(now);
    takenOver.current(before, now);
    return now;
  };
  const followed = useRef(current);
  useEffect(() => {
    followed.current = current;
  });
  useEffect(() => {
    const follow = ({ key }: StorageEvent): void => {
      // Without a key everything was removed.
      if (key === null || key === draftKey(tournamentId)) followed.current();
    };
    window.addEventListener('storage', follow);
    return () => {
      window.removeEventListener('storage', follow);
    };
  }, [tournamentId]);

  return {
    draft,
    completed,
    unkept,
    current,
    update: (change) => {
      const before = current();
      if (before === undefined) return;
      const changed = change(before);
      if (changed === before) return;
      // The server counts from step 1 on.
      const now = before.teamId === undefined ? { ...changed, since: Date.now() } : changed;
      standing.current = keepDraft(tournamentId, now) ? 'kept' : 'refused';
      setUnkept(standing.current === 'refused');
      show(now);
      tellThisTab(tournamentId);
    },
    restart: () => {
      standing.current = 'new';
      show(emptyDraft());
      tellThisTab(tournamentId);
    },
  };
};
