import type { TokenAnswer } from '@courtledger/contracts/admin/admin.answers';
import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactElement } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import ball from '../assets/ball.svg';
import halfCourt from '../assets/half-court.svg';
import mark from '../assets/logo-mark.svg';
import { ApiError } from '../lib/api-client.ts';
import { DocumentHead } from '../lib/document-head.tsx';
import { startSession, type Role } from '../lib/session.ts';
import { Banner } from '../ui/banner.tsx';
import { BusyButton } from '../ui/busy-button.tsx';
import { TextField } from '../ui/form-field.tsx';
import './login-screen.css';

/** 500 and 401 have their texts; what else fails is only logged (specification section 8), apart from what a person can act on. */
const alertOf = (error: unknown): string | undefined => {
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 401) return outcomeTexts.invalidCredentials;
  if (error.status === 500) return outcomeTexts.internalError;
  return error.status === 429 ? error.message : undefined;
};

type LoginScreenProps = {
  readonly title: string;
  readonly account: Role;
  readonly name: { readonly label: string; readonly field: string; readonly type: 'text' | 'email' };
  readonly logIn: (name: string, password: string) => Promise<TokenAnswer>;
  /** Where to go once logged in. */
  readonly home: string;
};

/** The login of an admin or of the super admin: keeps the token, then opens the dashboard. */
export const LoginScreen = ({ title, account, name, logIn, home }: LoginScreenProps): ReactElement => {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { pathname, state } = useLocation() as { readonly pathname: string; readonly state: { readonly alert?: string } | null };
  const [who, setWho] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [alert, setAlert] = useState(state?.alert);
  const send = async (): Promise<void> => {
    setBusy(true);
    setAlert(undefined);
    try {
      const { token } = await logIn(who, password);
      startSession(account, token);
      // Nothing of who was logged in before may be shown.
      client.removeQueries({ queryKey: [account] });
      // Whoever comes Back here is logged in: why the session before has ended is not said again.
      void navigate(pathname, { replace: true });
      void navigate(home);
    } catch (error) {
      console.warn(error);
      setAlert(alertOf(error));
      setBusy(false);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy) void send();
  };
  return (
    <div className="login">
      <DocumentHead title={title} hidden />
      <div className="login__l">
        <img className="login__court" src={halfCourt} alt="" />
        <img className="login__ball" src={ball} alt="" />
        <Link className="logo" to={paths.landing.to()}>
          <img src={mark} alt="" width="30" height="30" />
          CourtLedger
        </Link>
      </div>
      <div className="login__r">
        <h1 className="h1">{title}</h1>
        <form onSubmit={submit}>
          {alert !== undefined && <Banner kind="bad" text={alert} />}
          <TextField name={name.field} label={name.label} type={name.type} autoComplete="username" value={who} onChange={setWho} />
          <TextField name="password" label="Password" type="password" autoComplete="current-password" value={password} onChange={setPassword} />
          <BusyButton type="submit" className="btn btn--p btn--full btn--lg" busy={busy} busyText="Logging in...">
            Log in
          </BusyButton>
          <Link className="crumb login__back" to={paths.landing.to()}>
            <IconArrowLeft className="i i-s" stroke={1.75} aria-hidden="true" />
            Back to the site
          </Link>
        </form>
      </div>
    </div>
  );
};
