import type { MatchAnswer } from '@courtledger/contracts/match/match.answers';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Instant } from '../ui/instant.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import './corrected-mark.css';
import { correctedInWords, isCorrectedAfterDay } from './corrected.rules.ts';
import { listMatchCorrections } from './match.data.ts';

/**
 * 'Corrected', with the reasons, when the numbers of a match changed after the day on which it was played; corrections of that day then stand here as well, and
 * nowhere else.
 */
export const CorrectedMark = ({ match }: { readonly match: MatchAnswer }): ReactElement | null => {
  const { data: corrections = [] } = useQuery(listMatchCorrections(match._id));
  if (!isCorrectedAfterDay(corrections)) return null;
  return (
    <details className="corrected">
      <summary>
        <IconPencil className="i i-s" stroke={1.75} aria-hidden="true" />
        {correctedInWords(corrections.length)}
      </summary>
      <ul>
        {corrections.map((correction) => (
          <li key={correction.at + correction.what}>
            <Instant at={correction.at} />
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
