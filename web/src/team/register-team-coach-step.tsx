import { fileHints, outcomeTexts } from '@courtledger/contracts/kernel/texts';
import type { ReactElement } from 'react';
import { phoneDigits } from '../lib/digits.rules.ts';
import { FileField } from '../ui/file-field.tsx';
import { TextField } from '../ui/form-field.tsx';
import { appointCoach } from './register-team.data.ts';
import { StepActions, StepFrame, useSaveStep } from './register-team-step.tsx';
import type { StepProps } from './register-team-details-step.tsx';
import { coachFaults, coachSavedBeforeText, type CoachFields } from './register-team.rules.ts';

const labels = {
  coachname: 'Coach name',
  coachphoneNumber: 'Primary phone number',
  contact_number_2: 'Secondary phone number',
  coachImage: 'Coach photo',
} as const;

/** Step 2: the coach. */
export const CoachDetailsStep = ({ registration, onBack, onDone }: StepProps): ReactElement => {
  const { draft, files, refused } = registration;
  const saved = draft.coachSaved;
  const step = useSaveStep({
    onLost: () => {
      registration.markLost(draft.teamId);
    },
    waiting: registration.shrinking.size > 0,
    check: () => coachFaults(draft.coach, { coachImage: registration.isChosen('coachImage') }),
    save: async () => {
      const now = registration.current();
      if (!now) return outcomeTexts.coachSaved;
      const { teamId, coach, coachSaved, keys } = now;
      const { coachImage } = files;
      if (!coachImage || teamId === undefined || coachSaved) return outcomeTexts.coachSaved;
      const stored = await registration.send(
        'coach',
        keys.coach,
        async () => {
          await appointCoach(teamId, coach, coachImage, keys.coach);
          return { coach, said: outcomeTexts.coachSaved };
        },
        async () => {
          const { name } = (await registration.readTeam(teamId)).coach;
          return name === undefined ? undefined : { coach: { ...coach, coachname: name }, said: coachSavedBeforeText };
        },
      );
      registration.coachSaved(stored.coach);
      return stored.said;
    },
    failed: outcomeTexts.coachNotSaved,
    labels,
    onDone,
  });
  const { bindForm, submit } = step;
  const readOnly = saved || draft.unanswered.includes('coach');
  const change = (field: keyof CoachFields, value: string): void => {
    step.clearFault(field);
    registration.changeCoach({ [field]: value });
  };
  return (
    <StepFrame title="Coach Details" registration={registration} whole={{ part: 'coach', step }}>
      <form className="grid2 wiz__form" ref={bindForm} onSubmit={submit} noValidate>
        <TextField
          full
          name="coachname"
          label={labels.coachname}
          value={draft.coach.coachname}
          readOnly={readOnly}
          error={step.faultOf('coachname')}
          autoComplete="name"
          onChange={(value) => {
            change('coachname', value);
          }}
        />
        <TextField
          name="coachphoneNumber"
          label={labels.coachphoneNumber}
          inputMode="numeric"
          value={draft.coach.coachphoneNumber}
          readOnly={readOnly}
          error={step.faultOf('coachphoneNumber')}
          autoComplete="tel-national"
          onChange={(value) => {
            change('coachphoneNumber', phoneDigits(value));
          }}
        />
        <TextField
          name="contact_number_2"
          label={labels.contact_number_2}
          inputMode="numeric"
          value={draft.coach.contact_number_2}
          readOnly={readOnly}
          error={step.faultOf('contact_number_2')}
          onChange={(value) => {
            change('contact_number_2', phoneDigits(value));
          }}
        />
        <FileField
          full
          name="coachImage"
          label={labels.coachImage}
          icon="camera"
          accept="image/*"
          hint={fileHints.smallImage}
          file={files.coachImage}
          readOnly={saved || step.busy}
          busy={registration.shrinking.has('coachImage')}
          error={refused.coachImage ?? step.faultOf('coachImage')}
          onChoose={(file) => {
            step.clearFault('coachImage');
            void registration.chooseFile('coachImage', file);
          }}
        />
        <StepActions step={step} saved={saved} onBack={onBack} onContinue={onDone} />
      </form>
    </StepFrame>
  );
};
