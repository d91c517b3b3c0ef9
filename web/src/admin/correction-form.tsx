import { REASON_MAX } from '@courtledger/contracts/kernel/limits';
import type { MatchListItem } from '@courtledger/contracts/match/match.answers';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, type FormEvent, type ReactElement } from 'react';
import { ApiError } from '../lib/api-client.ts';
import { BusyButton } from '../ui/busy-button.tsx';
import { TextAreaField } from '../ui/form-field.tsx';
import { reverseStatEntry } from './admin.data.ts';
import { moveStatEntry, previewCorrection } from './audit.data.ts';
import { CommandFailure } from './command-failure.tsx';
import { CorrectionPreview } from './correction-preview.tsx';
import { useDialogHold } from './dialog-closing.tsx';
import { HeldFields } from './edit-form.tsx';
import { entryInWords, isRestoring, reversedBy, type HistoryLine } from './match-history.rules.ts';
import { useHeldCommand } from './use-command.ts';

/** `asked`: what happens to the entry. */
type Act = { readonly title: string; readonly busy: string; readonly done: string; readonly asked: string };
const acts = {
  takeBack: { title: 'Take back', busy: 'Taking back...', done: 'Entry taken back', asked: 'taken back' },
  restore: { title: 'Restore', busy: 'Restoring...', done: 'Entry restored', asked: 'restored' },
  move: { title: 'Move', busy: 'Moving...', done: 'Entry moved', asked: 'moved' },
} as const satisfies Readonly<Record<string, Act>>;

type CorrectionFormProps = {
  readonly match: MatchListItem;
  readonly row: HistoryLine;
  /** To whom it goes, until another is chosen; empty: it is taken back. */
  readonly to: string;
  readonly onDone: () => void;
};

/** Refusals of what stands otherwise than the preview says: it is worked out anew. */
const outdating: ReadonlySet<number> = new Set([404, 409]);

/**
 * Takes one entry back, restores it, or gives it to another player, with a reason that everybody can read; what it would change is shown before, and until then
 * nothing is sent.
 */
export const CorrectionForm = ({ match, row: now, to, onDone }: CorrectionFormProps): ReactElement => {
  // As it was when the form opened: where somebody else corrects it meanwhile, the server refuses, and nothing is done that the button does not say.
  // But for the name, which may be erased meanwhile.
  const [row] = useState(now);
  const field = useRef<HTMLTextAreaElement>(null);
  const [reason, setReason] = useState('');
  const [playerId, setPlayerId] = useState(to);
  const [empty, setEmpty] = useState(false);
  const [isSent, setIsSent] = useState(false);
  const command = useHeldCommand();
  useDialogHold({ busy: command.busy, changed: reason.trim() !== '' || command.unsettled });
  useEffect(() => {
    field.current?.focus();
  }, []);
  const { matchId } = match;
  const act = playerId !== '' ? acts.move : isRestoring(row) ? acts.restore : acts.takeBack;
  const entryId = playerId === '' ? reversedBy(row) : (row.entryId ?? '');
  // A reversal is nobody's numbers: it is taken back, and then its entry can be moved.
  const isMovable = row.type === 'StatIncrementRecorded';
  const client = useQueryClient();
  const asked = previewCorrection(matchId, entryId, playerId);
  // Once the correction is on its way there is nothing left to preview: the live change would ask about an entry that is gone. Without a session the answer
  // would be the end of the dashboard.
  const preview = useQuery({ ...asked, enabled: !isSent && !command.held && command.failure?.status !== 401 });
  const outdated = command.failure !== undefined && outdating.has(command.failure.status) ? command.failure : undefined;
  // Why the server refused is said by the preview as well, once it is refused: it stands there once, and comes back no more when things have changed again.
  const [retold, setRetold] = useState<ApiError>();
  if (preview.isError && outdated !== undefined && retold !== outdated) setRetold(outdated);
  const consequences = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (outdated !== undefined) consequences.current?.focus();
  }, [outdated]);
  const whyLocked = useId();
  // What was sent already is asked again as it was, whatever became of its preview.
  const isLocked = !command.unsettled && (preview.data === undefined || preview.isError);
  const send = async (): Promise<void> => {
    const said = reason.trim();
    setEmpty(said === '');
    if (said === '') {
      field.current?.focus();
      return;
    }
    const previewed = preview.data?.previewed ?? '';
    const key = command.keyFor(`${playerId} ${previewed} ${said}`);
    const correction = { matchId, entryId, reason: said, previewed };
    setIsSent(true);
    const correct = async (): Promise<void> => {
      try {
        await (playerId === '' ? reverseStatEntry(correction, key) : moveStatEntry(correction, playerId, key));
      } catch (error) {
        if (error instanceof ApiError && outdating.has(error.status)) void client.resetQueries({ queryKey: asked.queryKey, exact: true });
        throw error;
      }
    };
    if (!(await command.finish(correct, act.done, onDone))) setIsSent(false);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!command.busy && !isLocked) void send();
  };
  return (
    <form className="reverse" onSubmit={submit}>
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
                command.forget();
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
        {/* What has to be looked at again has the focus then: it may be far above the button. */}
        <div className="reverse__again" tabIndex={-1} ref={consequences}>
          {retold !== command.failure && <CommandFailure command={command} submitText={act.title} />}
          <CorrectionPreview
            tournamentName={match.tournamentName}
            preview={preview}
            onRetry={() => {
              // The button goes with what failed.
              field.current?.focus();
              void client.resetQueries({ queryKey: asked.queryKey, exact: true });
            }}
          />
        </div>
        <TextAreaField
          name="reason"
          ref={field}
          label={`Why is “${entryInWords(row)}” of ${now.playerName ?? ''} ${act.asked}? Everybody can read the reason.`}
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
          Leave it as it is
        </button>
        <BusyButton type="submit" className="btn btn--p btn--sm" busy={command.busy} busyText={act.busy} single lockedBy={isLocked ? whyLocked : undefined}>
          {act.title}
        </BusyButton>
        {isLocked && (
          <span className="sr" id={whyLocked}>
            {preview.isError ? 'Nothing can be sent: its consequences are not known' : 'Not before its consequences are known'}
          </span>
        )}
      </div>
    </form>
  );
};
