import { REASON_MAX } from '@courtledger/contracts/kernel/limits';
import type { MatchListItem } from '@courtledger/contracts/match/match.answers';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent, type ReactElement } from 'react';
import { formatNumber } from '../lib/format.rules.ts';
import { Banner } from '../ui/banner.tsx';
import { BusyButton } from '../ui/busy-button.tsx';
import { TextAreaField } from '../ui/form-field.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { reverseStatEntry } from './admin.data.ts';
import { moveStatEntry, previewCorrection } from './audit.data.ts';
import { CommandFailure } from './command-failure.tsx';
import { useDialogHold } from './dialog-closing.tsx';
import { HeldFields } from './edit-form.tsx';
import { factInWords, type HistoryLine } from './match-history.rules.ts';
import { useKeyedCommand } from './use-command.ts';

/** The players' numbers before and after, then score, winner, MVP and standings, each in a sentence of the server's, which computes them on a branch of the log. */
const Consequences = ({ matchId, entryId, playerId, isSent }: { readonly matchId: string; readonly entryId: string; readonly playerId: string; readonly isSent: boolean }): ReactElement => {
  // Once the correction is on its way there is nothing left to preview: the live change would ask about an entry that is gone.
  const preview = useQuery({ ...previewCorrection(matchId, entryId, playerId), enabled: !isSent });
  if (preview.isPending) return <output className="mute">Working out what it would change...</output>;
  if (preview.isError) return <Banner kind="bad" text={preview.error.message || 'Something went wrong'} />;
  const { team_1, team_2, players, consequences } = preview.data;
  return (
    <output className="card preview">
      <b>
        <ScriptText text={`What it would change in ${team_1.name} v ${team_2.name}`} />
      </b>
      {players.map((player) => (
        <span key={player.player_id}>
          <ScriptText text={`${player.name}: `} />
          {`${formatNumber(player.before.points)} → ${formatNumber(player.after.points)} points, ${formatNumber(player.before.assists)} → ${formatNumber(player.after.assists)} assists, ${formatNumber(player.before.rebounds)} → ${formatNumber(player.after.rebounds)} rebounds`}
        </span>
      ))}
      {consequences.length === 0 && <span className="mute">Score, winner, MVP and standings stay as they are.</span>}
      {consequences.map((sentence) => (
        <span key={sentence}>
          <ScriptText text={sentence} />
        </span>
      ))}
    </output>
  );
};

type CorrectionFormProps = { readonly match: MatchListItem; readonly row: HistoryLine; /** To whom it goes, until another is chosen; empty: it is taken back. */ readonly to: string; readonly onDone: () => void };

/** Takes one entry back, or gives it to another player, with a reason that everybody can read; what it would change is shown before. */
export const CorrectionForm = ({ match, row, to, onDone }: CorrectionFormProps): ReactElement => {
  const field = useRef<HTMLTextAreaElement>(null);
  const [reason, setReason] = useState('');
  const [playerId, setPlayerId] = useState(to);
  const [empty, setEmpty] = useState(false);
  const [isSent, setIsSent] = useState(false);
  const command = useKeyedCommand();
  useDialogHold({ busy: command.busy, changed: reason.trim() !== '' || command.unsettled });
  useEffect(() => {
    field.current?.focus();
  }, []);
  const { matchId } = match;
  const entryId = row.entryId ?? '';
  const submitText = playerId === '' ? 'Take back' : 'Move';
  const isMovable = row.type === 'StatIncrementRecorded';
  const send = async (): Promise<void> => {
    const said = reason.trim();
    setEmpty(said === '');
    if (said === '') {
      field.current?.focus();
      return;
    }
    const key = command.keyFor(`${playerId} ${said}`);
    setIsSent(true);
    const correct = (): Promise<unknown> => (playerId === '' ? reverseStatEntry(matchId, entryId, said, key) : moveStatEntry(matchId, entryId, playerId, said, key));
    if (!(await command.finish(correct, playerId === '' ? 'Entry taken back' : 'Entry moved', onDone))) setIsSent(false);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!command.busy) void send();
  };
  return (
    <form className="reverse" onSubmit={submit}>
      <CommandFailure command={command} submitText={submitText} />
      <HeldFields command={command}>
        {isMovable && (
          <div className="field">
            <label htmlFor="correction-player">What should happen to it?</label>
            <select
              id="correction-player"
              className="input"
              value={playerId}
              onChange={(event) => {
                setPlayerId(event.target.value);
              }}
            >
              <option value="">Take it back</option>
              {[
                { name: match.team1Name, players: match.team1Players },
                { name: match.team2Name, players: match.team2Players },
              ].map((team) => (
                <optgroup key={team.name} label={`Move it to ${team.name}`}>
                  {team.players
                    .filter((player) => player._id !== row.player_id)
                    .map((player) => (
                      <option key={player._id} value={player._id}>
                        {`${player.jerseyNumber} ${player.name}`}
                      </option>
                    ))}
                </optgroup>
              ))}
            </select>
          </div>
        )}
        <Consequences matchId={matchId} entryId={entryId} playerId={playerId} isSent={isSent || command.held} />
        <TextAreaField
          name="reason"
          ref={field}
          label={`Why is “${factInWords(row)}” of ${row.playerName ?? ''} ${playerId === '' ? 'taken back' : 'moved'}? Everybody can read the reason.`}
          maxLength={REASON_MAX}
          value={reason}
          error={empty ? 'A reason is required: nothing has been sent' : undefined}
          onChange={(value) => {
            setReason(value);
            setEmpty(false);
          }}
        />
      </HeldFields>
      <div className="row-acts">
        <button
          type="button"
          className="btn btn--q btn--sm"
          aria-disabled={command.held}
          onClick={() => {
            // Whether it is kept is not known once it was sent.
            if (!command.held) onDone();
          }}
        >
          Keep it
        </button>
        <BusyButton type="submit" className="btn btn--p btn--sm" busy={command.busy} busyText="Saving...">
          {submitText}
        </BusyButton>
      </div>
    </form>
  );
};
