import type { ReactElement } from 'react';
import { useFocusLeft } from './use-focus-left.ts';

/** The button below what did not succeed. `main`: nothing else stands on the page. */
export const TryAgain = ({ onRetry, main = false }: { readonly onRetry: () => unknown; readonly main?: boolean }): ReactElement => {
  const place = useFocusLeft<HTMLButtonElement>();
  return (
    <button
      ref={place}
      type="button"
      className={main ? 'btn btn--p' : 'btn btn--s btn--sm'}
      onClick={() => {
        onRetry();
      }}
    >
      Try again
    </button>
  );
};
