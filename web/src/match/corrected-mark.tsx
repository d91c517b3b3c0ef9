import type { Correction, MatchAnswer } from '@courtledger/contracts/match/match.answers';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { formatInstant } from '../lib/format.rules.ts';
import { ScriptText } from '../ui/script-text.tsx';
import { correctedAfter } from './corrected.rules.ts';
import { listMatchCorrections } from './match.data.ts';

const title = (count: number): string => (count === 1 ? 'Corrected once' : `Corrected ${String(count)} times`);

/** 'Corrected', with the reasons, when the numbers of a match changed after the day on which it was played. */
export const CorrectedMark = ({ match }: { readonly match: MatchAnswer }): ReactElement | null => {
  const { data } = useQuery(listMatchCorrections(match._id));
  const later: readonly Correction[] = correctedAfter(match.date, data ?? []);
  if (later.length === 0) return null;
  return (
    <details className="corrected">
      <summary>
        <IconPencil className="i i-s" stroke={1.75} aria-hidden="true" />
        {title(later.length)}
      </summary>
      <ul>
        {later.map((correction) => (
          <li key={correction.at + correction.what}>
            <time dateTime={correction.at}>{formatInstant(correction.at)}</time>
            <b>
              <ScriptText text={correction.what} />
            </b>
            <span className="lines">
              <ScriptText text={correction.reason} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
};
