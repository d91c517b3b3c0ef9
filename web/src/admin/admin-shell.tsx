import { IconLogout, IconSearch } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import mark from '../assets/logo-mark.svg';
import { endSession, type Role } from '../lib/session.ts';
import './admin.css';

type AdminBarProps = { readonly account: Role; readonly title: string; readonly who: string; readonly logOut: () => Promise<void>; readonly loginPath: string };

/** The bar of both dashboards: mark, role, who, Log out. */
export const AdminBar = ({ account, title, who, logOut, loginPath }: AdminBarProps): ReactElement => {
  const navigate = useNavigate();
  const client = useQueryClient();
  const leave = (): void => {
    // Not waited for: on a line that is lost, whoever comes next to this machine would find everything open. The token goes along, and is forgotten here in any
    // case; on the server it ends within the hour.
    logOut().catch(() => {});
    endSession(account);
    client.removeQueries({ queryKey: [account] });
    void navigate(loginPath);
  };
  return (
    <div className="nav">
      <div className="wrap adm">
        <Link className="logo" to={paths.landing.to()}>
          <img src={mark} alt="" width="30" height="30" />
          CourtLedger
        </Link>
        <span className="adm__role">{title}</span>
        <span className="adm__who mute only-d">{who}</span>
        <button type="button" className="btn btn--q btn--sm" aria-label="Log out" onClick={leave}>
          <IconLogout className="i" stroke={1.75} aria-hidden="true" />
          <span>Log out</span>
        </button>
      </div>
    </div>
  );
};

type ToolsProps = { readonly label: string; readonly text: string; readonly onText: (text: string) => void; /** `6 tournaments` */ readonly counted: string };

/** The filter over a list, and how many rows it leaves. */
export const Tools = ({ label, text, onText, counted }: ToolsProps): ReactElement => (
  <div className="tools">
    <search className="search">
      <IconSearch className="i" stroke={1.75} aria-hidden="true" />
      <input
        className="input"
        type="search"
        placeholder={label}
        aria-label={label}
        autoComplete="off"
        value={text}
        onChange={(event) => {
          onText(event.target.value);
        }}
      />
    </search>
    <output className="mute">{counted}</output>
  </div>
);
