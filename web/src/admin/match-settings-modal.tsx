import type { MatchListItem } from '@courtledger/contracts/match/match.answers';
import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { failureText } from '../lib/api-client.ts';
import { dayOf } from '../lib/format.rules.ts';
import { formMessage } from '../ui/field-message.rules.ts';
import { SelectField, TextField } from '../ui/form-field.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { cancelMatch, getMatchForAdmin, nameMatchMvp, rescheduleMatch } from './admin.data.ts';
import { DateField } from './date-field.tsx';
import { AskingButton } from './dialog-closing.tsx';
import { nothingChanged } from './edit-form.rules.ts';
import { EditForm } from './edit-form.tsx';
import { playerNamed } from './erased-person.rules.ts';
import { QueryState } from './query-state.tsx';
import { useCommand } from './use-command.ts';
import { useDoubtedFields } from './use-doubted-fields.ts';

const cancelText = 'Cancel match';

type MatchSettingsModalProps = { readonly match: MatchListItem; readonly onClose: () => void };

/** When a match is played, who was its MVP, and whether it takes place at all. */
export const MatchSettingsModal = ({ match, onClose }: MatchSettingsModalProps): ReactElement => {
  const stored = useQuery(getMatchForAdmin(match.matchId));
  // What was not touched follows the match: it may be moved by somebody else meanwhile, and is not to be moved back.
  const [typedDate, setTypedDate] = useState<string>();
  const [typedTime, setTypedTime] = useState<string>();
  const [chosen, setChosen] = useState<string>();
  const { doubted, sending } = useDoubtedFields();
  const command = useCommand((failure) => formMessage(failureText(failure, outcomeTexts.matchNotAssigned), { date: 'Match date', time: 'Match time' }));
  const [pressed, setPressed] = useState<string>();
  /** The match was moved, and what followed failed. */
  const [partly, setPartly] = useState(false);
  /** Save was pressed with nothing to send. */
  const [idle, setIdle] = useState(false);
  const hasEntries = match.playerStats.length > 0;
  const date = typedDate ?? dayOf(match.date);
  const time = typedTime ?? match.time;
  const moved = {
    ...((doubted.has('date') || date !== dayOf(match.date)) && { date }),
    ...((doubted.has('time') || time.trim() !== match.time) && { time: time.trim() }),
  };
  const isMoved = Object.keys(moved).length > 0;
  const isRenamed = chosen !== undefined && (doubted.has('mvp') || chosen !== (stored.data?.mvp ?? ''));
  const isChanged = isMoved || isRenamed;
  const save = async (): Promise<void> => {
    setPressed(undefined);
    setPartly(false);
    setIdle(!isChanged);
    if (!isChanged) {
      command.forget();
      return;
    }
    await command.finish(
      async () => {
        if (isMoved) await sending(Object.keys(moved), () => rescheduleMatch(match.matchId, moved));
        setPartly(isMoved);
        if (isRenamed) await sending(['mvp'], () => nameMatchMvp(match.matchId, chosen === '' ? null : chosen));
      },
      'Match saved',
      onClose,
    );
  };
  /** What was refused is no more what stands there. */
  const touching =
    (name: string, set: (value: string) => void) =>
    (value: string): void => {
      set(value);
      command.forget(name);
    };
  const cancel = async (): Promise<void> => {
    setPressed(cancelText);
    setPartly(false);
    setIdle(false);
    await command.finish(() => cancelMatch(match.matchId, command.keyFor('cancel')), outcomeTexts.matchCancelled, onClose);
  };
  return (
    <EditForm
      title="Match Settings"
      subtitle={<ScriptText text={`${match.team1Name}, ${match.team2Name}`} />}
      width={560}
      command={command}
      submitText="Save"
      repeatText={pressed}
      changed={isChanged}
      alert={idle && !isChanged ? nothingChanged : partly && command.refusal !== undefined ? `Date and time are saved. ${command.refusal}` : command.refusal}
      save={save}
      onClose={onClose}
    >
      <div className="grid2">
        <DateField name="date" label="Match date" value={date} error={command.faultOf('date')} onChange={touching('date', setTypedDate)} />
        {/* Not cut at five letters: '4:30 PM' would be taken as the time of the night. */}
        <TextField
          name="time"
          label="Match time (optional)"
          optional
          placeholder="16:30"
          value={time}
          error={command.faultOf('time')}
          figures
          onChange={touching('time', setTypedTime)}
        />
        {hasEntries && (
          <div className="full">
            <QueryState query={stored} />
            {stored.data && (
              <SelectField
                name="mvp"
                label="MVP of the match"
                value={chosen ?? stored.data.mvp ?? ''}
                options={[
                  { value: '', title: 'Best average of the winning team' },
                  ...match.playerStats.map((row) => ({
                    value: row.player_id,
                    title: `${playerNamed(
                      row,
                      match.playerStats.filter(({ team_id }) => team_id === row.team_id),
                    )} (${row.team_id === match.team1Id ? match.team1Name : match.team2Name})`,
                  })),
                ]}
                onChange={touching('mvp', setChosen)}
              />
            )}
          </div>
        )}
      </div>
      <h3 className="modal__sub">Cancel the match</h3>
      {hasEntries && <p className="mute">{outcomeTexts.matchNotCancelled}</p>}
      {!hasEntries && (
        <AskingButton
          question={{
            text: 'Cancel this match?',
            note: 'It goes from every page, and cannot be brought back.',
            keep: 'Keep the match',
            go: 'Cancel the match',
            onGo: () => void cancel(),
          }}
        >
          {cancelText}
        </AskingButton>
      )}
    </EditForm>
  );
};
