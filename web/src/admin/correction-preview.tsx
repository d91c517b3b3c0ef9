import type { PreviewAnswer } from '@courtledger/contracts/operations/audit.answers';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { failureText } from '../lib/api-client.ts';
import { formatNumber } from '../lib/format.rules.ts';
import { Banner, bringIntoView } from '../ui/banner.tsx';
import { Ledger } from '../ui/ledger.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { TryAgain } from '../ui/try-again.tsx';
import { resultChanges, standingsChanges, statTitles, statusChange } from './correction-preview.rules.ts';
import './operations.css';

const columns = [{ key: 'team', title: 'Team Name' }, ...statTitles.map((title) => ({ key: title, title, className: 'num' }))];

/** Score, winner and MVP, and each row of the standings that changes, before → after. */
const BeforeAfter = ({ preview, tournamentName }: { readonly preview: PreviewAnswer; readonly tournamentName: string }): ReactElement => {
  const rows = standingsChanges(preview);
  return (
    <>
      <dl className="preview__result">
        {resultChanges(preview).map(({ title, text, changed }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd className={changed ? undefined : 'mute'}>
              <ScriptText text={text} />
            </dd>
          </div>
        ))}
      </dl>
      {rows.length === 0 && <span className="mute">No row of the standings changes.</span>}
      {rows.length > 0 && (
        <Ledger caption={`Rows of the standings of ${tournamentName} that would change, before → after`} className="cards-m changes" columns={columns}>
          {rows.map(({ teamId, teamName, numbers }) => (
            <tr key={teamId}>
              <th scope="row">
                <ScriptText text={teamName} />
              </th>
              {numbers.map(({ title, text, changed }) => (
                <td key={title} data-l={title} className={changed ? 'num' : 'num mute'}>
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </Ledger>
      )}
    </>
  );
};

type CorrectionPreviewProps = {
  readonly tournamentName: string;
  readonly preview: Pick<UseQueryResult<PreviewAnswer>, 'data' | 'error' | 'isPending'>;
  readonly onRetry: () => void;
};

/**
 * The players' numbers before and after, then each consequence in a sentence of the server's, which computes them on a branch of the log, then result and
 * standings before and after.
 */
export const CorrectionPreview = ({ tournamentName, preview, onRetry }: CorrectionPreviewProps): ReactElement => {
  if (preview.error !== null)
    return (
      <Banner kind="bad" text={failureText(preview.error, 'Something went wrong')} ref={bringIntoView}>
        <TryAgain onRetry={onRetry} />
      </Banner>
    );
  if (preview.data === undefined) return <output className="mute">Working out what it would change...</output>;
  const { team_1, team_2, players, consequences } = preview.data;
  return (
    <div className="card preview">
      {/* The sentences are read out by themselves; the tables are there to be gone through. */}
      <output>
        <b>
          <ScriptText text={`What it would change in ${team_1.name} v ${team_2.name}`} />
        </b>
        {players.map((player) => {
          const status = statusChange(player);
          return (
            <span key={player.player_id}>
              <ScriptText text={`${player.name}: `} />
              {`${formatNumber(player.before.points)} → ${formatNumber(player.after.points)} points, ${formatNumber(player.before.assists)} → ${formatNumber(player.after.assists)} assists, ${formatNumber(player.before.rebounds)} → ${formatNumber(player.after.rebounds)} rebounds`}
              {status !== undefined && `; ${status}`}
            </span>
          );
        })}
        {consequences.length === 0 && <span className="mute">Score, winner, MVP and standings stay as they are.</span>}
        {consequences.map((sentence) => (
          <span key={sentence}>
            <ScriptText text={sentence} />
          </span>
        ))}
      </output>
      {consequences.length > 0 && <BeforeAfter preview={preview.data} tournamentName={tournamentName} />}
    </div>
  );
};
