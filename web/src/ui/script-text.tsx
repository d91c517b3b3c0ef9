import { Fragment, type ReactElement } from 'react';
import { scriptRuns } from '../lib/format.rules.ts';

/** A text that people typed: Devanagari in it is marked as Nepali, so that it is set and read out as such. */
export const ScriptText = ({ text }: { readonly text: string }): ReactElement => (
  <>
    {scriptRuns(text).map((run, index) => {
      const key = `${String(index)}${run.text}`;
      return run.nepali ? (
        <span key={key} lang="ne">
          {run.text}
        </span>
      ) : (
        <Fragment key={key}>{run.text}</Fragment>
      );
    })}
  </>
);
