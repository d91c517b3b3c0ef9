import type { ReactElement } from 'react';

/** The button below what did not succeed. `main`: nothing else stands on the page. */
export const TryAgain = ({ onRetry, main = false }: { readonly onRetry: () => unknown; readonly main?: boolean }): ReactElement => (
  <button
    type="button"
    className={main ? 'btn btn--p' : 'btn btn--s btn--sm'}
    onClick={() => {
      onRetry();
    }}
  >
    Try again
  </button>
);
