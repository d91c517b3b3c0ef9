import { TEAM_NAME_MIN } from '@courtledger/contracts/kernel/limits';
import { fileHints, outcomeTexts } from '@courtledger/contracts/kernel/texts';
import type { ReactElement } from 'react';
import { ApiError } from '../lib/api-client.ts';
import { phoneDigits } from '../lib/digits.rules.ts';
import { FileField } from '../ui/file-field.tsx';
import { TextField } from '../ui/form-field.tsx';
import { registerTeam } from './register-team.data.ts';
import { StepActions, StepFrame, useSaveStep } from './register-team-step.tsx';
import { teamFaults, teamOutOfReachText, type TeamFields } from './register-team.rules.ts';
import type { Registration } from './use-register-team.ts';

export type StepProps = { readonly registration: Registration; readonly onBack: () => void; readonly onDone: () => void };

const labels = { name: 'Team name', origin: 'Origin / Location', teamPrimaryNumber: 'Primary number', logo: 'Team logo' } as const;

/** Step 1: the team. */
export const TeamDetailsStep = ({ registration, onBack, onDone }: StepProps): ReactElement => {
  const { draft, files, refused } = registration;
  const saved = draft.teamId !== undefined;
  const step = useSaveStep({
    waiting: registration.shrinking.size > 0,
    check: () => teamFaults(draft.team, { logo: registration.isChosen('logo') }),
    save: async () => {
      const now = registration.current();
      if (!now) return outcomeTexts.teamSaved;
      const { team, teamId, keys, unanswered } = now;
      const { logo } = files;
      if (!logo || teamId !== undefined) return outcomeTexts.teamSaved;
      const { _id } = await registration.send(
        'team',
        keys.team,
        () => registerTeam(team, logo, keys.team),
        async () => {
          if (unanswered.includes('team')) throw new ApiError(409, teamOutOfReachText);
          return undefined;
        },
      );
      registration.teamSaved(_id, team);
      return outcomeTexts.teamSaved;
    },
    failed: outcomeTexts.teamNotSaved,
    labels,
    onDone,
  });
  const { bindForm, submit } = step;
  const readOnly = saved || draft.unanswered.includes('team');
  const change = (field: keyof TeamFields, value: string): void => {
    step.clearFault(field);
    registration.changeTeam({ [field]: value });
  };
  return (
    <StepFrame title="Team Details" registration={registration} whole={{ part: 'team', step }}>
      <form className="grid2 wiz__form" ref={bindForm} onSubmit={submit} noValidate>
        <TextField
          name="name"
          label={labels.name}
          hint={`At least ${String(TEAM_NAME_MIN)} characters`}
          value={draft.team.name}
          readOnly={readOnly}
          error={step.faultOf('name')}
          autoComplete="organization"
          onChange={(value) => {
            change('name', value);
          }}
        />
        <TextField
          name="origin"
          label={labels.origin}
          value={draft.team.origin}
          readOnly={readOnly}
          error={step.faultOf('origin')}
          autoComplete="address-level2"
          onChange={(value) => {
            change('origin', value);
          }}
        />
        <TextField
          full
          name="teamPrimaryNumber"
          label={labels.teamPrimaryNumber}
          inputMode="numeric"
          value={draft.team.teamPrimaryNumber}
          readOnly={readOnly}
          error={step.faultOf('teamPrimaryNumber')}
          autoComplete="tel-national"
          onChange={(value) => {
            change('teamPrimaryNumber', phoneDigits(value));
          }}
        />
        <FileField
          full
          name="logo"
          label={labels.logo}
          icon="picture"
          accept="image/*"
          hint={fileHints.squareImage}
          file={files.logo}
          readOnly={saved || step.busy}
          busy={registration.shrinking.has('logo')}
          error={refused.logo ?? step.faultOf('logo')}
          onChoose={(file) => {
            step.clearFault('logo');
            void registration.chooseFile('logo', file);
          }}
        />
        <StepActions step={step} saved={saved} onBack={onBack} onContinue={onDone} />
      </form>
    </StepFrame>
  );
};
