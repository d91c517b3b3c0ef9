import { useLayoutEffect, useRef, useState, type ChangeEvent, type InputHTMLAttributes, type RefObject } from 'react';

/** What stood in the field as it was typed. */
type Typed = {
  readonly text: string;
  /** What is taken of what stands before the cursor; undefined in a field that does not tell. */
  readonly head: string | undefined;
  readonly isComposing: boolean;
};

/** Where the cursor stands in what was taken: behind all that was taken of what stood before it. */
const placeBehind = (head: string, taken: string): number => {
  let place = 0;
  for (const unit of head.split('')) if (taken[place] === unit) place += 1;
  return place;
};

/**
 * For a line of text of which not all is taken as it is typed. A browser moves the cursor to the end of what is written into a field for it: what is typed on
 * would stand there. And what a keyboard is still composing stays as it is until it is done, or the keyboard would write it once more.
 * @param plain what is taken of what is typed
 */
export const useTypedText = (
  value: string,
  plain: (typed: string) => string,
  onChange: (value: string) => void,
): { readonly ref: RefObject<HTMLInputElement | null> } & Required<Pick<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'onCompositionEnd'>> & {
    readonly value: string;
  } => {
  const ref = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<Typed>();
  useLayoutEffect(() => {
    const field = ref.current;
    if (field === null || typed?.head === undefined || field.value === typed.text || field !== document.activeElement) return;
    const place = placeBehind(typed.head, field.value);
    field.setSelectionRange(place, place);
  }, [typed]);
  return {
    ref,
    value: typed?.isComposing === true ? typed.text : value,
    onChange: ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
      const { value: text, selectionStart } = target;
      setTyped({
        text,
        head: selectionStart === null ? undefined : plain(text.slice(0, selectionStart)),
        isComposing: nativeEvent instanceof InputEvent && nativeEvent.isComposing,
      });
      onChange(plain(text));
    },
    onCompositionEnd: () => {
      setTyped((now) => now && { ...now, isComposing: false });
    },
  };
};
