import type { MatchListItem } from '@courtledger/contracts/match/match.answers';
import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { failureText } from '../lib/api-client.ts';
import { dayOf } from '../lib/format.rules.ts';
import { BusyButton } from '../ui/busy-button.tsx';
import { formMessage } from '../ui/field-message.rules.ts';
import { SelectField, TextField } from '../ui/form-field.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { cancelMatch, getMatchForAdmin, nameMatchMvp, rescheduleMatch } from './admin.data.ts';
import { DateField } from './date-field.tsx';
import { EditForm } from './edit-form.tsx';
import { playerNamed } from './erased-person.rules.ts';
import { useCommand } from './use-command.ts';

const cancelText = 'Yes, cancel this match';

type MatchSettingsModalProps = { readonly match: MatchListItem; readonly onClose: () => void };

/** When a match is played, who was its MVP, and whether it takes place at all. */
export const MatchSettingsModal = ({ match, onClose }: MatchSettingsModalProps): ReactElement => {
  const stored = useQuery(getMatchForAdmin(match.matchId));
  const [date, setDate] = useState(dayOf(match.date));
  const [time, setTime] = useState(match.time);
  const [chosen, setChosen] = useState<string>();
  const [asked, setAsked] = useState(false);
  const command = useCommand((failure) => formMessage(failureText(failure, outcomeTexts.matchNotAssigned), { date: 'Match date', time: 'Match time' }));
  const [pressed, setPressed] = useState<string>();
  const mvp = chosen ?? stored.data?.mvp ?? '';
  const hasEntries = match.playerStats.length > 0;
  const moved = { ...(date !== dayOf(match.date) && { date }), ...(time.trim() !== match.time && { time: time.trim() }) };
  const isMoved = Object.keys(moved).length > 0;
  const isRenamed = chosen !== undefined && chosen !== (stored.data?.mvp ?? '');
  const save = async (): Promise<void> => {
    setPressed(undefined);
    await command.finish(
      async () => {
        if (isMoved) await rescheduleMatch(match.matchId, moved);
        if (isRenamed) await nameMatchMvp(match.matchId, chosen === '' ? null : chosen);
      },
      'Match saved',
      onClose,
    );
  };
  const cancel = async (): Promise<void> => {
    if (!asked) {
      setAsked(true);
      return;
    }
    setPressed(cancelText);
    await command.finish(() => cancelMatch(match.matchId), outcomeTexts.matchCancelled, onClose);
  };
  return (
    <EditForm
      title="Match Settings"
      subtitle={<ScriptText text={`${match.team1Name}, ${match.team2Name}`} />}
      width={560}
      command={command}
      submitText="Save"
      repeatText={pressed}
      changed={isMoved || isRenamed}
      alert={command.refusal}
      save={save}
      onClose={onClose}
    >
      <div className="grid2">
        <DateField name="date" label="Match date" value={date} error={command.faultOf('date')} onChange={setDate} />
        <TextField name="time" label="Match time (optional)" optional placeholder="16:30" maxLength={5} value={time} error={command.faultOf('time')} onChange={setTime} />
        {hasEntries && (
          <SelectField
            full
            name="mvp"
            label="MVP of the match"
            value={mvp}
            options={[{ value: '', title: 'Best average of the winning team' }, ...match.playerStats.map((row) => ({ value: row.player_id, title: `${playerNamed(row)} (${row.team_id === match.team1Id ? match.team1Name : match.team2Name})` }))]}
            onChange={setChosen}
          />
        )}
      </div>
      <h3 className="modal__sub">Cancel the match</h3>
      {hasEntries && <p className="mute">A match with recorded statistics cannot be cancelled. Take its entries back first.</p>}
      {!hasEntries && (
        <BusyButton className="btn btn--s" busy={command.busy} busyText="Saving..." onClick={() => void cancel()}>
          {asked ? cancelText : 'Cancel match'}
        </BusyButton>
      )}
    </EditForm>
  );
};
