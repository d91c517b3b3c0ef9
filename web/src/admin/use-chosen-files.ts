import { useRef, useState } from 'react';

export type ChosenFiles<Slot extends string> = {
  /** What was chosen, as it can be sent. */
  readonly files: Readonly<Partial<Record<Slot, File | undefined>>>;
  /** Why what was chosen last was not taken. */
  readonly refused: Readonly<Partial<Record<Slot, string | undefined>>>;
  /** Still being looked at: nothing can be sent meanwhile. */
  readonly preparing: ReadonlySet<Slot>;
  /**
   * Takes a file, or refuses it and keeps the one before.
   * @param prepare the file as it can be sent, or the text of its refusal
   * @returns that text; undefined when it was taken, or when another was chosen meanwhile
   */
  readonly choose: (slot: Slot, file: File, prepare: (file: File) => Promise<File | string>) => Promise<string | undefined>;
  /** Whether something was chosen or refused, which `remove` takes off. */
  readonly isRemovable: (slot: Slot) => boolean;
  readonly remove: (slot: Slot) => void;
};

/** The files of a form in a dialog. */
export const useChosenFiles = <Slot extends string>(): ChosenFiles<Slot> => {
  const [files, setFiles] = useState({} as ChosenFiles<Slot>['files']);
  const [refused, setRefused] = useState({} as ChosenFiles<Slot>['refused']);
  const [preparing, setPreparing] = useState<ReadonlySet<Slot>>(new Set());
  /** The file that was chosen last for each slot: one before it that is ready later is out of date. */
  const last = useRef(new Map<Slot, File>());

  const settle = (slot: Slot, refusal: string | undefined): void => {
    setPreparing((before) => new Set([...before].filter((other) => other !== slot)));
    setRefused((before) => ({ ...before, [slot]: refusal }));
  };
  return {
    files,
    refused,
    preparing,
    choose: async (slot, file, prepare) => {
      last.current.set(slot, file);
      setPreparing((before) => new Set([...before, slot]));
      const ready = await prepare(file);
      if (last.current.get(slot) !== file) return undefined;
      const refusal = typeof ready === 'string' ? ready : undefined;
      settle(slot, refusal);
      if (typeof ready !== 'string') setFiles((before) => ({ ...before, [slot]: ready }));
      return refusal;
    },
    isRemovable: (slot) => files[slot] !== undefined || refused[slot] !== undefined,
    remove: (slot) => {
      last.current.delete(slot);
      settle(slot, undefined);
      setFiles((before) => ({ ...before, [slot]: undefined }));
    },
  };
};
